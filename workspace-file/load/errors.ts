/** Error with all problems of a workspace file, each with its location and source line. */
import { formatCount } from "../../diff/format-count.js";
import { problemRemedies } from "../../resources/definition/problem-codes.js";
import { type Diagnostic, formatDiagnostic } from "../syntax/diagnostics.js";
import { hideSecrets } from "./hide-secrets.js";

/** Maximum number of problems in the message. The first ones usually cause the rest. */
const MAX_SHOWN = 50;

/** Text of the file with the problems, or a function that returns the text of a file. */
export type Texts = string | ((file: string) => string | undefined);

export class WorkspaceFileError extends Error {
  override readonly name = "WorkspaceFileError";
  /** All problems, sorted by file and location. */
  readonly problems: readonly Diagnostic[];
  /** What to do about each kind of problem; the messages say it for each problem. */
  readonly remedy: string;

  constructor(
    readonly file: string,
    problems: readonly Diagnostic[],
    texts: Texts,
  ) {
    const textOf = typeof texts === "string" ? () => texts : texts;
    const shownTexts = new Map<string, string>();
    const hiddenIn = (name: string) => {
      const text = shownTexts.get(name) ?? hideSecrets(textOf(name) ?? "");
      shownTexts.set(name, text);
      return text;
    };
    const sorted = [...problems].sort(compareLocations);
    const shown = sorted
      .slice(0, MAX_SHOWN)
      .map((problem) => formatDiagnostic(problem, hiddenIn(problem.place.file)));
    const more = sorted.length > MAX_SHOWN ? `\n... and ${sorted.length - MAX_SHOWN} more` : "";
    const count = `${formatCount(sorted.length, "problem")} in ${file}; nothing was changed`;
    // A file that cannot be read has no count.
    const isUnread = problems.length === 1 && problems.every(({ code }) => code === "unreadable");
    super(isUnread ? shown.join("\n") : `${shown.join("\n")}${more}\n${count}`);
    this.problems = sorted;
    this.remedy = [...new Set(sorted.map(({ code }) => problemRemedies[code]))].join(" ");
  }
}

function compareLocations(a: Diagnostic, b: Diagnostic): number {
  const [p, q] = [a.place, b.place];
  return compare(p.file, q.file) || p.line - q.line || p.column - q.column || compare(a.message, b.message);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
