import {
  actionType,
  flag,
  list,
  mode,
  optional,
  required,
  requiredList,
  requiredSecret,
  secret,
} from "./definition.js";

/** Actions that push to a repository, copy to a machine or run commands there. */
const pushOptions = {
  push_tags: flag,
  use_custom_gitignore: flag,
  isolated: flag,
  // Empty means the same branch.
  target_branch: { type: "string", mayBeEmpty: true },
  deployment_excludes: list,
  deployment_includes: list,
  without_force: flag,
  comment: optional,
} as const;

export const pushWithPassword = actionType({
  type: "PUSH",
  title: "Push with a password",
  variant: { field: "git_auth_mode", value: "PASS", orAbsent: true },
  fields: {
    git_auth_mode: { type: "string", values: ["PASS"] },
    push_url: required,
    login: optional,
    password: secret,
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
    server_key: requiredSecret,
    passphrase: secret,
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
    passphrase: secret,
    ...pushOptions,
  },
});

const vmOptions = {
  input_type: { type: "string", values: ["SCM_REPOSITORY", "BUILD_ARTIFACTS"] },
  local_path: optional,
  passphrase: secret,
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
    password: requiredSecret,
    port: required,
    server_key: requiredSecret,
    ...vmOptions,
  },
});

const commandOptions = {
  run_as_script: flag,
  shell: { type: "string", values: ["SH", "BASH"] },
  working_directory: optional,
  ignore_errors: flag,
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
    password: requiredSecret,
    port: required,
    ...commandOptions,
  },
});

/** The spec names a private-key variant and does not show its fields. */
export const sshOtherwise = actionType({
  type: "SSH_COMMAND",
  title: "Commands over SSH with a key",
  defaults: { shell: "BASH" },
  keepsOtherFields: true,
  fields: {
    authentication_mode: required,
    commands: requiredList,
    host: required,
    login: optional,
    password: secret,
    port: optional,
    server_key: secret,
    passphrase: secret,
    ...commandOptions,
  },
});
