import { Option } from "commander";
import { checkpointOption, yesOption } from "../../options/common.js";
import { deletionOptions } from "../../options/guards.js";
import { engineOptions } from "../../options/stack.js";
import { defineCommand } from "../command.js";

export const destroyCommand = defineCommand({
  name: "destroy",
  group: "Common commands",
  description: "Delete all objects that the stack manages, unless a guard refuses",
  options: [
    ...engineOptions(),
    yesOption(),
    new Option("--include-protected", "Also delete protected objects, such as projects"),
    ...deletionOptions(),
    checkpointOption(),
  ],
  example: 'workspacectl destroy -f workspace.yaml --include-protected --allow-delete "**"',
  run: async () => (await import("./run.js")).destroy,
});
