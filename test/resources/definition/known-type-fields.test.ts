/** Tests that a known action type has what the specification requires, also under the service's own names. */
import { expect, it } from "vitest";
import { getDefinition, validateArgs } from "../../../provider/index.js";

const messages = (type: string, fields: Record<string, unknown>) => {
  const args = { project: "web", pipeline: 1, name: "A", triggerTime: "ON_EVERY_EXECUTION", type, fields };
  return validateArgs(getDefinition("Action"), args).map(
    ({ path, message }) => `${path.join(".")} ${message}`,
  );
};

it.each([
  ["SSH_COMMAND", { commands: ["uptime"], targets: ["production"] }, "authentication_mode"],
  ["CLOUD_VM", { host: "vm.example.com" }, "authentication_mode"],
  ["SSH_COMMAND", { authentication_mode: "PASS", commands: ["uptime"] }, "host, login, password, port"],
  ["PUSH", { target_branch: "main" }, "push_url"],
])("%s with %j must contain %s", (type, fields, missing) => {
  expect(messages(type, fields)).toEqual([`fields must contain ${missing} with type ${type}`]);
});

it.each([
  ["SSH_COMMAND", { authentication_mode: "PRIVATE_KEY", server_key: "k" }],
  ["PUSH", { git_auth_mode: "INTEGRATION" }],
  ["CUSTOM_SCAN", { target: "src" }],
])("%s with %j may have any other fields", (type, fields) => {
  expect(messages(type, fields)).toEqual([]);
});
