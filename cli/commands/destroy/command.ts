/** Declares `workspacectl destroy`. */
import { Option } from "commander";
import { createCheckpointOption, createYesOption } from "../../options/common.js";
import { createDeletionOptions } from "../../options/guards.js";
import { createEngineOptions } from "../../options/stack.js";
import { defineCommand } from "../command.js";

export const destroyCommand = defineCommand({
  name: "destroy",
  group: "Common commands",
  description: "Delete all objects that the stack manages, unless a guard refuses",
  options: [
    ...createEngineOptions(),
    createYesOption(),
    new Option("--include-protected", "Also delete protected objects, such as projects"),
    ...createDeletionOptions(),
    createCheckpointOption(),
  ],
  example: 'workspacectl destroy -f workspace.yaml --include-protected --allow-delete "**"',
  run: async () => (await import("./run.js")).destroy,
});
