/** Declares `workspacectl logout`. */
import { Option } from "commander";
import { createConnectionOption } from "../../options/common.js";
import { defineCommand } from "../command.js";

export const logoutCommand = defineCommand({
  name: "logout",
  group: "Getting started",
  description: "Revoke the tokens of a connection and remove its stored credentials",
  options: [
    createConnectionOption(),
    new Option("--local", "Remove the credentials without revoking the tokens"),
  ],
  example: "workspacectl logout --connection us",
  run: async () => (await import("./run.js")).logout,
});
