import { optionalSecretText, secretText } from "../fields.js";
import { z } from "zod";
import { actionType, optionalFlag, list, mode, optional, required, requiredList } from "./definition.js";

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

export const pushWithPassword = actionType({
  type: "PUSH",
  title: "Push with a password",
  variant: { field: "git_auth_mode", value: "PASS", orAbsent: true },
  fields: {
    git_auth_mode: z.enum(["PASS"]).nullish(),
    push_url: required,
    login: optional,
    password: optionalSecretText,
    ...pushOptions,
  },
});

export const pushWithKey = actionType({
  type: "PUSH",
  title: "Push with a private key",
  variant: { field: "git_auth_mode", value: "PRIVATE_KEY" },
  fields: {
    git_auth_mode: mode("PRIVATE_KEY"),
    push_url: required,
    server_key: secretText,
    passphrase: optionalSecretText,
    ...pushOptions,
  },
});

export const pushWithKeyVariable = actionType({
  type: "PUSH",
  title: "Push with a key in a variable",
  variant: { field: "git_auth_mode", value: "ENV_KEY" },
  fields: {
    git_auth_mode: mode("ENV_KEY"),
    push_url: required,
    env_key: required,
    passphrase: optionalSecretText,
    ...pushOptions,
  },
});

const vmOptions = {
  input_type: z.enum(["SCM_REPOSITORY", "BUILD_ARTIFACTS"]).nullish(),
  local_path: optional,
  passphrase: optionalSecretText,
  remote_path: optional,
  deployment_excludes: list,
  deployment_includes: list,
} as const;

export const vmWithKeyVariable = actionType({
  type: "CLOUD_VM",
  title: "Copy to a virtual machine with a key in a variable",
  variant: { field: "authentication_mode", value: "ENV_KEY" },
  fields: {
    authentication_mode: mode("ENV_KEY"),
    host: required,
    login: required,
    port: required,
    env_key: required,
    ...vmOptions,
  },
});

export const vmWithKeyAndPassword = actionType({
  type: "CLOUD_VM",
  title: "Copy to a virtual machine with a key and a password",
  variant: { field: "authentication_mode", value: "PRIVATE_KEY_AND_PASS" },
  fields: {
    authentication_mode: mode("PRIVATE_KEY_AND_PASS"),
    host: required,
    login: required,
    password: secretText,
    port: required,
    server_key: secretText,
    ...vmOptions,
  },
});

const commandOptions = {
  run_as_script: optionalFlag,
  shell: z.enum(["SH", "BASH"]).nullish(),
  working_directory: optional,
  ignore_errors: optionalFlag,
} as const;

export const sshWithPassword = actionType({
  type: "SSH_COMMAND",
  title: "Commands over SSH with a password",
  variant: { field: "authentication_mode", value: "PASS" },
  defaults: { shell: "BASH" },
  fields: {
    authentication_mode: mode("PASS"),
    commands: requiredList,
    host: required,
    login: required,
    password: secretText,
    port: required,
    ...commandOptions,
  },
});

/** Variant with a private key, which the spec mentions without showing its fields. */
export const sshOtherwise = actionType({
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
