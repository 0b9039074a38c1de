/** Writes problems for people: location, message, code, and the source line with a caret. */
import { formatDiagnostic } from "../../workspace-file/index.js";
import { counts, type ProblemReport, type Severity } from "./diagnostics.js";

/** Maximum number of problems that are shown: the first ones usually cause the rest. */
const MAX_SHOWN = 50;

export function diagnosticsText({ file, problems, textOf }: ProblemReport): string {
  const shown = problems.slice(0, MAX_SHOWN).map(({ code, severity, message, place }) => {
    const told = { place, code, message: `${severity}: ${message} [${code}]` };
    return formatDiagnostic(told as never, textOf(place.file) ?? "");
  });
  const more = problems.length > MAX_SHOWN ? [`... and ${problems.length - MAX_SHOWN} more`] : [];
  return [...shown, ...more, `${tally(counts(problems))} in ${file}`].join("\n") + "\n";
}

/** `1 error, 2 warnings`, or "no problems". */
export function tally(found: Readonly<Record<Severity, number>>): string {
  const words = { error: "error", warning: "warning", info: "remark" };
  const parts = (["error", "warning", "info"] as const)
    .filter((severity) => found[severity] > 0)
    .map((severity) => `${found[severity]} ${words[severity]}${found[severity] === 1 ? "" : "s"}`);
  return parts.join(", ") || "no problems";
}
