/** Declares `workspacectl whoami`. */
import { createServiceOptions } from "../../options/common.js";
import type { OptionsOf } from "../../options/infer-options.js";
import { defineCommand } from "../command.js";

const options = createServiceOptions();

export type WhoamiOptions = OptionsOf<typeof options>;

export const whoamiCommand = defineCommand({
  name: "whoami",
  group: "Getting started",
  description: "Show the current user, connection, workspace, scopes and remaining requests",
  options,
  example: "workspacectl whoami --connection us",
  run: async () => (await import("./run.js")).runWhoami,
});
