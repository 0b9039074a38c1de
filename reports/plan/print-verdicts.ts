/** Prints what guards and policies say about a plan, and its conflicts of names. */
import {
  type ConflictContext,
  formatHeadline,
  formatLines,
  type NameConflict,
} from "../../automation/plan/name-conflicts.js";
import { formatLoosened } from "../../automation/policy/guards/record.js";
import { formatObjects, formatRefusal } from "../../automation/policy/guards/refusals.js";
import type { Loosened, Verdict } from "../../automation/policy/guards/types.js";
import { type Io, print } from "../io.js";

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

export function printNameConflicts(
  taken: readonly NameConflict[],
  remedies: readonly string[],
  where: ConflictContext,
  io: Io,
): void {
  if (taken.length === 0) return;
  const { red, dim } = io.colors;
  print(io);
  print(io, `  ${red("exists")} ${formatHeadline(taken, where)}:`);
  for (const line of formatLines(taken)) print(io, dim(`         ${line}`));
  for (const remedy of remedies) print(io, `         - ${remedy}`);
}
