/** Prints verdicts. */
import { formatFirst } from "../../../text/lists.js";
import { AutomationError } from "../../errors.js";
import { type Io, print } from "../../io.js";
import { keepOutermost } from "./deletes.js";
import { formatLoosened } from "./record.js";
import type { Loosened, Verdict } from "./types.js";

/** Maximum number of objects to name, since the plan above names all. */
const NAMED = 8;

export function printVerdicts(verdicts: readonly Verdict[], io: Io): void {
  if (verdicts.length === 0) return;
  print(io);
  for (const verdict of verdicts) for (const line of formatVerdictLines(verdict, io)) print(io, line);
}

/** Prints what the guards allow that they refused at the last `up`. */
export function printLoosened(loosened: readonly Loosened[], io: Io): void {
  if (loosened.length === 0) return;
  const { red, bold } = io.colors;
  print(io, red(bold("Guards that are looser than at the last up:")));
  for (const one of loosened) print(io, `  ${formatLoosened(one)}`);
}

function formatVerdictLines(verdict: Verdict, io: Io): string[] {
  const { objects, remedy, ignored } = verdict;
  const { red, dim, yellow } = io.colors;
  const word = ignored ? yellow("ignored") : red("refused");
  return [
    `  ${word} ${formatRefusal(verdict)}`,
    ...(objects.length > 0 ? [dim(`          ${formatObjects(objects)}`)] : []),
    ...(ignored ? [] : [`          To allow it: ${remedy}`]),
  ];
}

/** Returns what refuses, why, and who says so. */
export function formatRefusal({ guard, message, policy, file }: Verdict): string {
  const by = policy === undefined ? file && `guards of ${file}` : `policy ${policy}`;
  return `${guard}: ${message}${by === undefined ? "" : ` (${by})`}`;
}

/** Names the outermost of the objects concerned. */
export function formatObjects(objects: readonly string[]): string {
  const outer = keepOutermost(objects).map(({ name, inside }) =>
    inside === 0 ? name : `${name} (${inside} in it)`,
  );
  return formatFirst(outer, NAMED);
}

/** Returns the verdicts that refuse the plan. */
export function listRefusals(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.filter(({ ignored }) => !ignored);
}

/** Returns the error for a refused plan. */
export function createGuardError(verdicts: readonly Verdict[]): AutomationError {
  const lines = listRefusals(verdicts).map(
    (verdict) => `${formatRefusal(verdict)}. To allow it: ${verdict.remedy}`,
  );
  const [only = "", ...others] = lines;
  const text = others.length === 0 ? only : [`${lines.length} guards:`, ...lines].join("\n  ");
  const remedy = listRefusals(verdicts).map((verdict) => verdict.remedy);
  return new AutomationError(`refused, nothing was changed: ${text}`, remedy, { code: "refused" });
}
