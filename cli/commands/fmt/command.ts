/** Declares `workspacectl fmt`. */
import { Argument, Option } from "commander";
import { defineCommand } from "../command.js";

export const fmtCommand = defineCommand({
  name: "fmt",
  group: "Common commands",
  description: "Format workspace files in canonical style, keeping comments",
  arguments: {
    files: new Argument(
      "[files...]",
      "Files or folders, or - for standard input (default: workspace.yaml and its overlays)",
    ),
  },
  options: [
    new Option("--check", "Write nothing; exit with code 1 when a file is not formatted"),
    new Option("--diff", "Write nothing; show the changes as a diff"),
  ],
  example: "workspacectl fmt --check",
  run: async () => (await import("./run.js")).runFmt,
});
