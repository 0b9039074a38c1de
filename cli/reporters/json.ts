/** Writes reports and diagnostics as JSON. */
import { formatJson } from "../terminal/safe-text.js";
import { reportHead } from "./report-head.js";
import { counts, type ProblemReport } from "./problem-report.js";

/** Writes a report; its schema is published with the package. */
export function formatJsonReport(report: object): string {
  return `${formatJson(report)}\n`;
}

/** Writes diagnostics; their schema is published with the package. */
export function formatDiagnosticsJson({ file, problems, facts }: ProblemReport): string {
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
