/** Declares `workspacectl whoami`. */
import { createServiceOptions } from "../../options/service.js";
import { defineCommand } from "../command.js";

export const whoamiCommand = defineCommand({
  name: "whoami",
  group: "Getting started",
  description: "Show the current user, connection, workspace, scopes and remaining requests",
  options: createServiceOptions(),
  example: "workspacectl whoami --connection us",
  run: async () => (await import("./run.js")).runWhoami,
});
