/** Declares `workspacectl drift history`, which inherits --state-file and --json from `drift`. */
import { Argument } from "commander";
import { defineCommand } from "../../command.js";

export const driftHistoryCommand = defineCommand({
  name: "history",
  description: "Show since when and how often the runs with --state-file have found drift",
  arguments: {
    objects: new Argument("[objects...]", "Logical names or patterns of objects (default: all)"),
  },
  example: "workspacectl drift history --state-file .drift/us.json 'projects/web/**'",
  run: async () => (await import("./run.js")).showDriftHistory,
});
