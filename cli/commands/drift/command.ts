/** Declares `workspacectl drift`. */
import { driftOptions } from "./options.js";
import { defineCommand } from "../command.js";
import { driftAcceptCommand } from "./accept/command.js";
import { driftHistoryCommand } from "./history/command.js";
import { driftRevertCommand } from "./revert/command.js";

export const driftCommand = defineCommand({
  name: "drift",
  group: "Common commands",
  description: "Detect drift between file, state and live workspace, without changing any of them",
  options: driftOptions,
  example: "workspacectl drift -f workspace.yaml --stack us --format markdown --format html=drift.html",
  run: async () => (await import("./run.js")).runDrift,
  subcommands: [driftAcceptCommand, driftRevertCommand, driftHistoryCommand],
});
