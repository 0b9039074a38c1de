/** Declares `workspacectl drift history`, which inherits --state-file and --json from `drift`. */
import { driftOptions } from "../options.js";
import { Argument } from "@commander-js/extra-typings";
import type { OptionsOf } from "../../../options/infer-options.js";
import { defineCommand } from "../../command.js";

const args = {
  objects: new Argument("[objects...]", "Logical names or patterns of objects (default: all)"),
};

export type DriftHistoryOptions = OptionsOf<typeof driftOptions, typeof args>;

export const driftHistoryCommand = defineCommand({
  name: "history",
  description: "Show since when and how often the runs with --state-file have found drift",
  inherited: driftOptions,
  arguments: args,
  example: "workspacectl drift history --state-file .drift/us.json 'projects/web/**'",
  run: async () => (await import("./run.js")).showDriftHistory,
});
