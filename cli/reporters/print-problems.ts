/** Prints problems in the requested format. */
import { problemCodes } from "../../provider/definition/problem-codes.js";
import { formatDiagnostic } from "../../workspace-file/index.js";
import { WorkspaceFileError } from "../../workspace-file/load/index.js";
import { printCommands, printText, type Io } from "../terminal/io.js";
import { readVersion } from "../version.js";
import type { DiagnosticFormat } from "./format-names.js";
import { formatAnnotation } from "./workflow-command.js";
import { formatDiagnosticsJson } from "./json.js";
import { counts, findRoot, tally, type ProblemReport, type Root, type RuleFacts } from "./problem-report.js";
import { formatDiagnosticsSarif } from "./sarif-diagnostics.js";

export { counts, tally, type ProblemReport } from "./problem-report.js";

export interface FormatOptions {
  readonly format?: DiagnosticFormat;
  /** Same as `--format json`. */
  readonly json?: boolean;
}

export function chooseFormat({ format = "text", json: asJson = false }: FormatOptions): DiagnosticFormat {
  return asJson ? "json" : format;
}

/** Prints the report on standard output. */
export function printReport(report: ProblemReport, format: DiagnosticFormat, io: Io): void {
  const root = findRoot(io.env);
  const written = {
    text: () => formatDiagnosticsText(report),
    json: () => formatDiagnosticsJson(report),
    github: () => formatDiagnosticsGithub(report, root),
    sarif: () => formatDiagnosticsSarif(report, root, readVersion()),
  };
  if (format === "github") printCommands(io, written[format]());
  else printText(io, written[format]());
}

/** All problems that are found while reading a file are errors. */
const readingRules: Readonly<Record<string, RuleFacts>> = Object.fromEntries(
  Object.entries(problemCodes).map(([code, description]) => [code, { description, severity: "error" }]),
);

/** Reads a file. For programs, the problems of an invalid file are also printed in their format. */
export async function reportInvalid<T>(
  format: DiagnosticFormat,
  io: Io,
  read: () => T | Promise<T>,
): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof WorkspaceFileError && format !== "text")
      printReport(toProblemReport(error), format, io);
    throw error;
  }
}

/** Converts the problems of an invalid file to a report. */
export function toProblemReport(error: WorkspaceFileError, facts: object = {}): ProblemReport {
  const { file, problems } = error;
  const reported = problems.map((problem) => ({ ...problem, severity: "error" as const }));
  return { file, problems: reported, rules: readingRules, facts, textOf: () => undefined };
}

/** Maximum number of problems in the text: the first ones usually cause the rest. */
const MAX_SHOWN = 50;

/** Writes problems for people: location, message, code, and the source line with a caret. */
function formatDiagnosticsText({ file, problems, textOf }: ProblemReport): string {
  const shown = problems.slice(0, MAX_SHOWN).map((problem) => {
    const message = `${problem.severity}: ${problem.message} [${problem.code}]`;
    return formatDiagnostic({ ...problem, message }, textOf(problem.place.file) ?? "");
  });
  const more = problems.length > MAX_SHOWN ? [`... and ${problems.length - MAX_SHOWN} more`] : [];
  return [...shown, ...more, `${tally(counts(problems))} in ${file}`].join("\n") + "\n";
}

/** Writes workflow commands of GitHub Actions, which shows problems next to the changed lines. */
export function formatDiagnosticsGithub({ problems }: ProblemReport, root: Root): string {
  return problems
    .map(({ code, severity, message, place }) => formatAnnotation(severity, code, message, place, root))
    .join("");
}
