/** Declares `workspacectl fmt`. */
import { Argument, Option } from "@commander-js/extra-typings";
import type { OptionsOf } from "../../options/option-values.js";
import { defineCommand } from "../define-command.js";

const args = {
  files: new Argument(
    "[files...]",
    "Files or folders, or - for standard input (default: workspace.yaml and its overlays)",
  ),
};

const options = [
  new Option("--check", "Write nothing; exit with code 1 when a file is not formatted"),
  new Option("--diff", "Write nothing; show the changes as a diff"),
] as const;

export type FmtOptions = OptionsOf<typeof options, typeof args>;

export const fmtCommand = defineCommand({
  name: "fmt",
  group: "Common commands",
  description: "Format workspace files in canonical style, keeping comments",
  arguments: args,
  options,
  example: "workspacectl fmt --check",
  run: async () => (await import("./run-fmt.js")).runFmt,
});
