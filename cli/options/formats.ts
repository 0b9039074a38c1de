/** Output formats: their names, the options that choose them, and what a command line chooses. Every command loads it, so it loads nothing but options. */
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import {
  DATA_FORMAT,
  diagnosticFormats,
  type FormatChoice,
  type FormatRequest,
  formats,
} from "../../reports/formats.js";
import { createDocumentOptions } from "./document.js";
import { parseRepeatable } from "./option-values.js";
import { createOutputOption } from "./shared-options.js";

/** Returns the choice of a command line that could not be parsed. */
export function parseFormatChoice(argv: readonly string[]): FormatChoice {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  const isJson = own.some(
    (word, at) =>
      word === "--json" || word === "--format=json" || (word === "--format" && own[at + 1] === "json"),
  );
  return { json: isJson };
}

export const reportOptions = () =>
  [
    formatOption(formats),
    new Option("--json", "Same as --format json"),
    createOutputOption(),
    new Option(
      "--state-file <file>",
      "Remember the findings in this file, and report whether they have changed",
    ),
    new Option("--webhook <url>", "Post the findings as JSON when they have changed since the last run"),
    new Option("--webhook-always", "Post the findings even when they have not changed"),
  ] as const;

/** Parses the name of a format. The text was called a table. */
export function formatNameIn<F extends string>(allowed: readonly F[]) {
  return (text: string): F => {
    const name = text === "table" ? "text" : text;
    if (allowed.includes(name as F) || name === DATA_FORMAT) return name as F;
    throw new InvalidArgumentError(`It must be one of ${allowed.join(", ")}.`);
  };
}

export function formatOption<F extends string>(allowed: readonly F[]) {
  return new Option(
    "--format <form[=file]>",
    `Report format: ${allowed.join(", ")}; repeatable, all but one with a file`,
  ).argParser((text: string, before: readonly FormatRequest<F>[] = []): readonly FormatRequest<F>[] => {
    const [name = "", ...rest] = text.split("=");
    const format = formatNameIn(allowed)(name);
    const file = rest.join("=");
    if (rest.length > 0 && file === "")
      throw new InvalidArgumentError("Write the path of a file after the =, such as json=report.json.");
    return [...before, { format, ...(file === "" ? {} : { file }) }];
  });
}

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
