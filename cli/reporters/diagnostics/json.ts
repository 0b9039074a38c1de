/** Problems for programs: one value (its shape is documented in docs/cli.md). */
import { counts, type ProblemReport } from "./report.js";
import { jsonText } from "../../terminal/safe-text.js";

export function json({ file, problems, facts }: ProblemReport): string {
  const found = counts(problems);
  const value = {
    file,
    valid: found.error === 0,
    ...facts,
    counts: found,
    problems: problems.map(({ code, severity, message, place }) => ({ code, severity, message, ...place })),
  };
  return `${jsonText(value)}\n`;
}
