/** Writes reports and diagnostics as JSON. */
import { jsonText } from "../terminal/safe-text.js";
import { reportHead } from "./report-head.js";
import { counts, type ProblemReport } from "./diagnostics.js";

/** Writes a report; its schema is published with the package. */
export function json(report: object): string {
  return `${jsonText(report)}\n`;
}

/** Writes diagnostics; their schema is published with the package. */
export function diagnosticsJson({ file, problems, facts }: ProblemReport): string {
  const found = counts(problems);
  return json({
    ...reportHead(1),
    file,
    valid: found.error === 0,
    ...facts,
    counts: found,
    problems: problems.map(({ code, severity, message, place }) => ({ code, severity, message, ...place })),
  });
}
