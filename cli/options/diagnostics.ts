/** Options of the commands that report problems in a workspace file. */
import { Option } from "@commander-js/extra-typings";
import { diagnosticFormats } from "../reporters/format-names.js";
import { createDocumentOptions } from "./document.js";
import { parseRepeatable } from "./parsers.js";

export const checkOptions = () =>
  [
    ...createDocumentOptions(),
    new Option("--format <format>", "Output format").choices(diagnosticFormats).default("text"),
    new Option("--json", "Same as --format json").conflicts("format"),
  ] as const;

export const createRulesOption = () =>
  new Option(
    "--rules <path>",
    "Also apply the lint rules in this folder or file, running its modules; repeatable",
  ).argParser(parseRepeatable());
