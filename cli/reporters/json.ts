/** Reports and diagnostics as one JSON value. */
import { jsonText } from "../terminal/safe-text.js";
import { counts, type ProblemReport } from "./diagnostics.js";

/** A report; its schema is published with the package. */
export function json(report: object): string {
  return `${jsonText(report)}\n`;
}

/** Diagnostics; docs/cli.md has their shape. */
export function diagnosticsJson({ file, problems, facts }: ProblemReport): string {
  const found = counts(problems);
  return json({
    file,
    valid: found.error === 0,
    ...facts,
    counts: found,
    problems: problems.map(({ code, severity, message, place }) => ({ code, severity, message, ...place })),
  });
}
