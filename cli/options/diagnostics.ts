/** Options of the commands that report problems in a workspace file. */
import { Option } from "commander";
import { diagnosticFormats } from "../reporters/format-names.js";
import { documentOptions } from "./document.js";

export const checkOptions = () => [
  ...documentOptions(),
  new Option("--format <format>", "Output format").choices(diagnosticFormats).default("text"),
  new Option("--json", "Same as --format json").conflicts("format"),
];
