/** All problems of a workspace file in one error, each with its place and the source line. */
import { formatPlacedProblem, type PlacedProblem } from "../../../schema/index.js";

/** At most this many problems are shown: the first ones usually cause the rest. */
const MAX_SHOWN = 50;

export class WorkspaceFileError extends Error {
  override readonly name = "WorkspaceFileError";
  readonly problems: readonly PlacedProblem[];

  constructor(
    readonly file: string,
    problems: readonly PlacedProblem[],
    text: string,
  ) {
    const sorted = [...problems].sort(
      (a, b) =>
        a.place.line - b.place.line || a.place.column - b.place.column || (a.message < b.message ? -1 : 1),
    );
    const shown = sorted.slice(0, MAX_SHOWN).map((problem) => formatPlacedProblem(problem, text));
    const more = sorted.length > MAX_SHOWN ? `\n... and ${sorted.length - MAX_SHOWN} more` : "";
    const count = `${sorted.length} problem${sorted.length === 1 ? "" : "s"} in ${file}; nothing was changed`;
    super(`${shown.join("\n")}${more}\n${count}`);
    this.problems = sorted;
  }
}
