/** Action types that push, copy and deploy. */
import { z } from "zod";
import { type Fields, optionalSecretText, secretText } from "../fields.js";
import {
  type ActionType,
  defineActionType,
  list,
  optional,
  optionalFlag,
  required,
  requiredList,
} from "./definition.js";

/** Action types that push to a repository, copy to a machine or run commands there. */

const pushOptions = {
  push_tags: optionalFlag,
  use_custom_gitignore: optionalFlag,
  isolated: optionalFlag,
  // Empty for the branch of the same name.
  target_branch: z.string().nullish(),
  deployment_excludes: list,
  deployment_includes: list,
  without_force: optionalFlag,
  comment: optional,
} as const;

type Variant = NonNullable<ActionType["variant"]>;

const push = (title: string, variant: Omit<Variant, "field">, credentials: Fields): ActionType =>
  defineActionType({
    type: "PUSH",
    title: `Push with ${title}`,
    variant: { field: "git_auth_mode", ...variant },
    fields: { push_url: required, ...credentials, ...pushOptions },
  });

export const pushWithPassword = push(
  "a password",
  { value: "PASS", orAbsent: true },
  { login: optional, password: optionalSecretText },
);

export const pushWithKey = push(
  "a private key",
  { value: "PRIVATE_KEY" },
  { server_key: secretText, passphrase: optionalSecretText },
);

export const pushWithKeyVariable = push(
  "a key in a variable",
  { value: "ENV_KEY" },
  { env_key: required, passphrase: optionalSecretText },
);

const vmOptions = {
  input_type: z.enum(["SCM_REPOSITORY", "BUILD_ARTIFACTS"]).nullish(),
  local_path: optional,
  passphrase: optionalSecretText,
  remote_path: optional,
  deployment_excludes: list,
  deployment_includes: list,
} as const;

const copyToVm = (title: string, value: string, credentials: Fields): ActionType =>
  defineActionType({
    type: "CLOUD_VM",
    title: `Copy to a virtual machine with ${title}`,
    variant: { field: "authentication_mode", value },
    fields: { host: required, login: required, ...credentials, ...vmOptions },
  });

export const vmWithKeyVariable = copyToVm("a key in a variable", "ENV_KEY", {
  port: required,
  env_key: required,
});

export const vmWithKeyAndPassword = copyToVm("a key and a password", "PRIVATE_KEY_AND_PASS", {
  password: secretText,
  port: required,
  server_key: secretText,
});

const commandOptions = {
  run_as_script: optionalFlag,
  shell: z.enum(["SH", "BASH"]).nullish(),
  working_directory: optional,
  ignore_errors: optionalFlag,
} as const;

export const sshWithPassword = defineActionType({
  type: "SSH_COMMAND",
  title: "Commands over SSH with a password",
  variant: { field: "authentication_mode", value: "PASS" },
  defaults: { shell: "BASH" },
  fields: {
    commands: requiredList,
    host: required,
    login: required,
    password: secretText,
    port: required,
    ...commandOptions,
  },
});

/** Variant with a private key, which the spec mentions without showing its fields. */
export const sshOtherwise = defineActionType({
  type: "SSH_COMMAND",
  title: "Commands over SSH with a key",
  defaults: { shell: "BASH" },
  acceptsOtherFields: true,
  fields: {
    authentication_mode: required,
    commands: requiredList,
    host: required,
    login: optional,
    password: optionalSecretText,
    port: optional,
    server_key: optionalSecretText,
    passphrase: optionalSecretText,
    ...commandOptions,
  },
});
