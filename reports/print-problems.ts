/** Prints problems in the requested format. */
import { formatJsonReport, reportHead } from "../automation/report/report-schemas.js";
import { showLines } from "../client/printable.js";
import { formatCount } from "../diff/format-count.js";
import { problemCodes } from "../resources/definition/problem-codes.js";
import { readVersion } from "../toolchain/locations.js";
import { formatDiagnostic } from "../workspace-file/index.js";
import { WorkspaceFileError } from "../workspace-file/load/load.js";
import type { DiagnosticFormat } from "./formats.js";
import { type Io, printCommands, printText } from "./io.js";
import { counts, findRoot, type ProblemReport, type RuleFacts, tally } from "./problem-report.js";

interface FormatOptions {
  readonly format?: DiagnosticFormat;
  /** Same as `--format json`. */
  readonly json?: boolean;
}

export function chooseFormat({ format = "text", json: asJson = false }: FormatOptions): DiagnosticFormat {
  return asJson ? "json" : format;
}

/** Prints the report on standard output. What only CI systems read is loaded on demand. */
export async function printReport(report: ProblemReport, format: DiagnosticFormat, io: Io): Promise<void> {
  const root = findRoot(io.env);
  switch (format) {
    case "text":
      return printText(io, formatDiagnosticsText(report));
    case "json":
      return printText(io, formatDiagnosticsJson(report));
    case "github":
      return printCommands(io, (await import("./github.js")).formatDiagnosticsGithub(report, root));
    case "sarif":
      return printText(io, (await import("./sarif.js")).formatDiagnosticsSarif(report, root, readVersion()));
  }
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
      await printReport(toProblemReport(error), format, io);
    throw error;
  }
}

/** Converts the problems of an invalid file to a report. */
export function toProblemReport(error: WorkspaceFileError, facts: object = {}): ProblemReport {
  const { file, problems } = error;
  const reported = problems.map((problem) => ({ ...problem, severity: "error" as const }));
  return { file, problems: reported, rules: readingRules, facts, textOf: () => undefined };
}

/** Maximum number of notes in the text. What makes a command fail is never omitted. */
const MAX_NOTES = 50;

const order = ["error", "warning", "info"] as const;

/** Writes problems for people, errors first: location, message, code, and the source line with a caret. */
function formatDiagnosticsText({ file, problems, textOf }: ProblemReport): string {
  const found = counts(problems);
  const sorted = order.flatMap((severity) => problems.filter((problem) => problem.severity === severity));
  const shown = sorted.slice(0, found.error + found.warning + MAX_NOTES).map((problem) => {
    const message = `${problem.severity}: ${showLines(problem.message)} [${problem.code}]`;
    return formatDiagnostic({ ...problem, message }, textOf(problem.place.file) ?? "");
  });
  const more = found.info > MAX_NOTES ? [`... and ${formatCount(found.info - MAX_NOTES, "more note")}`] : [];
  return [...shown, ...more, `${tally(found)} in ${file}`].join("\n") + "\n";
}

/** Writes diagnostics; their schema is published with the package. */
function formatDiagnosticsJson({ file, problems, facts }: ProblemReport): string {
  const found = counts(problems);
  return formatJsonReport({
    ...reportHead(1),
    file,
    valid: found.error === 0,
    ...facts,
    counts: found,
    problems: problems.map(({ code, severity, message, place }) => ({ code, severity, message, ...place })),
  });
}
