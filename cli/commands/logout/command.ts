/** Declares `workspacectl logout`. */
import { Option } from "@commander-js/extra-typings";
import { createConnectionOption } from "../../options/common.js";
import type { OptionsOf } from "../../options/infer-options.js";
import { defineCommand } from "../command.js";

const options = [
  createConnectionOption(),
  new Option("--local", "Remove the credentials without revoking the tokens"),
] as const;

export type LogoutOptions = OptionsOf<typeof options>;

export const logoutCommand = defineCommand({
  name: "logout",
  group: "Getting started",
  description: "Revoke the tokens of a connection and remove its stored credentials",
  options,
  example: "workspacectl logout --connection us",
  run: async () => (await import("./run.js")).logout,
});
