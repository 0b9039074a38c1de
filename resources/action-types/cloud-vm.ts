/** CLOUD_VM: to a virtual machine. */
import { only, text } from "../definition/primitives.js";
import { type ActionVariant, password, serverKey, type, virtualMachine } from "./fields.js";

const how = "How the action authenticates.";

export const cloudVm = {
  "CLOUD_VM (key in variable)": {
    chosen: { type: "CLOUD_VM", mode: { name: "authenticationMode", value: "ENV_KEY" } },
    description: "Sends files to a virtual machine, with a private key from a variable.",
    args: {
      type: type("CLOUD_VM"),
      authenticationMode: only("ENV_KEY", "With a private key from a variable.").describe(how),
      envKey: text.describe("Name of the variable with the key."),
      ...virtualMachine,
    },
    examples: {
      create: {
        type: "CLOUD_VM",
        authenticationMode: "ENV_KEY",
        host: "vm.example.com",
        login: "deploy",
        port: 22,
        envKey: "DEPLOY_KEY",
      },
      update: { remotePath: "/srv/web", port: "2222" },
      outside: { host: "other.example.com" },
    },
  },
  "CLOUD_VM (key and password)": {
    chosen: { type: "CLOUD_VM", mode: { name: "authenticationMode", value: "PRIVATE_KEY_AND_PASS" } },
    description: "Sends files to a virtual machine, with a private key and a password.",
    args: {
      type: type("CLOUD_VM"),
      authenticationMode: only("PRIVATE_KEY_AND_PASS", "With a private key and a password.").describe(how),
      password,
      serverKey,
      ...virtualMachine,
    },
    examples: {
      create: {
        type: "CLOUD_VM",
        authenticationMode: "PRIVATE_KEY_AND_PASS",
        host: "vm.example.com",
        login: "deploy",
        port: "22",
        password: "vm-password",
        serverKey: "PRIVATE",
      },
      update: { inputType: "BUILD_ARTIFACTS", localPath: "dist" },
      outside: { login: "root" },
    },
  },
} satisfies Record<string, ActionVariant>;
