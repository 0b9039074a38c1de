/** Output formats: their names, the options that choose them, and what a command line chooses. Every command loads it, so it loads nothing but options. */
import { InvalidArgumentError, Option } from "@commander-js/extra-typings";
import { createOutputOption } from "./common.js";
import { createDocumentOptions } from "./document.js";
import { parseRepeatable, type OptionsOf } from "./option-values.js";

/** What the processes of a fleet hand over. It is no format for users, and may change in every version. */
export const DATA_FORMAT = "view-data";

/** Formats of a report about findings. */
export const formats = ["text", "json", "markdown", "junit", "sarif", "html", "github"] as const;
export type Format = (typeof formats)[number] | typeof DATA_FORMAT;

/** Formats of a plan: its text is the one that `up` prints too. */
export const planFormats = ["text", "json", "markdown", "html", "junit", "github"] as const;
export type PlanFormat = (typeof planFormats)[number] | typeof DATA_FORMAT;

/** A format, and its file; without one, standard output. */
export interface FormatRequest<F extends string = Format> {
  readonly format: F;
  readonly file?: string;
}

/** Formats of the shards of a fleet. */
export const shardFormats = ["json", "github-matrix", "gitlab-parallel"] as const;
export type ShardFormat = (typeof shardFormats)[number];

/** Formats of diagnostics. */
const diagnosticFormats = ["text", "json", "github", "sarif"] as const;
export type DiagnosticFormat = (typeof diagnosticFormats)[number];

/** The options that choose formats, of any command. */
export interface FormatChoice {
  readonly json?: unknown;
  readonly format?: unknown;
  readonly output?: unknown;
}

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

export type DeliveryOptions = OptionsOf<ReturnType<typeof reportOptions>>;

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
    if (rest.length > 0 && file === "") throw new InvalidArgumentError("A file has to follow the =.");
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
