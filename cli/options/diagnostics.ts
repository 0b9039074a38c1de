/** Options of the commands that report problems in a workspace file. */
import { Option } from "commander";
import { diagnosticFormats } from "../reporters/format-names.js";
import { documentOptions } from "./document.js";
import { repeatable } from "./parsers.js";

export const checkOptions = () => [
  ...documentOptions(),
  new Option("--format <format>", "Output format").choices(diagnosticFormats).default("text"),
  new Option("--json", "Same as --format json").conflicts("format"),
];

export const rulesOption = () =>
  new Option(
    "--rules <path>",
    "Also apply the lint rules in this folder or file, running its modules; repeatable",
  ).argParser(repeatable());
