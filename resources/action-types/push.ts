/** PUSH: to another Git repository. */
import { pushAddress } from "../definition/formats.js";
import { emptyOrText, only, optional, text } from "../definition/primitives.js";
import { type ActionVariant, passphrase, pushOptions, serverKey, type } from "./fields.js";

const pushUrl = pushAddress.describe("Address of the Git repository that receives the push.");

const how = "How the push authenticates.";

export const push = {
  "PUSH (password)": {
    chosen: { type: "PUSH", mode: { name: "gitAuthMode", value: undefined } },
    description: "Pushes to a Git repository, with a password or without authentication.",
    args: {
      type: type("PUSH"),
      pushUrl,
      login: optional(emptyOrText, "User of the repository."),
      password: optional(emptyOrText, "Password of the user.", "${env:PUSH_PASSWORD}"),
      ...pushOptions,
    },
    examples: {
      create: {
        type: "PUSH",
        pushUrl: "https://git.example.com/web.git",
        login: "bot",
        password: "push-password",
      },
      update: { targetBranch: "live", withoutForce: true },
      outside: { targetBranch: "other" },
    },
  },
  "PUSH (private key)": {
    chosen: { type: "PUSH", mode: { name: "gitAuthMode", value: "PRIVATE_KEY" } },
    description: "Pushes to a Git repository, with a private key.",
    args: {
      type: type("PUSH"),
      gitAuthMode: only("PRIVATE_KEY", "With a private key.").describe(how),
      pushUrl,
      serverKey,
      passphrase,
      ...pushOptions,
    },
    examples: {
      create: {
        type: "PUSH",
        gitAuthMode: "PRIVATE_KEY",
        pushUrl: "git@git.example.com:web.git",
        serverKey: "PRIVATE",
      },
      update: { pushTags: true },
      outside: { pushUrl: "git@elsewhere.example.com:web.git" },
    },
  },
  "PUSH (key in variable)": {
    chosen: { type: "PUSH", mode: { name: "gitAuthMode", value: "ENV_KEY" } },
    description: "Pushes to a Git repository, with a private key from a variable.",
    args: {
      type: type("PUSH"),
      gitAuthMode: only("ENV_KEY", "With a private key from a variable.").describe(how),
      pushUrl,
      envKey: text.describe("Name of the variable with the key."),
      passphrase,
      ...pushOptions,
    },
    examples: {
      create: {
        type: "PUSH",
        gitAuthMode: "ENV_KEY",
        pushUrl: "git@git.example.com:web.git",
        envKey: "DEPLOY_KEY",
      },
      update: { envKey: "OTHER_KEY" },
      outside: { envKey: "STRANGE_KEY" },
    },
  },
} satisfies Record<string, ActionVariant>;
