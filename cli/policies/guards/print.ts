/** Prints verdicts. */
import { CliError } from "../../errors.js";
import { print, type Io } from "../../terminal/io.js";
import { outermost } from "./deletes.js";
import type { Verdict } from "./types.js";

/** Maximum number of objects to name, since the plan above names all. */
const NAMED = 8;

export function printVerdicts(verdicts: readonly Verdict[], io: Io): void {
  if (verdicts.length === 0) return;
  print(io);
  for (const verdict of verdicts) for (const line of verdictLines(verdict, io)) print(io, line);
}

function verdictLines({ guard, message, objects, remedy, ignored }: Verdict, io: Io): string[] {
  const { red, dim, yellow } = io.colors;
  const word = ignored ? yellow("ignored") : red("refused");
  return [
    `  ${word} ${guard}: ${message}`,
    dim(`          ${namedObjects(objects)}`),
    ...(ignored ? [] : [`          To allow it: ${remedy}`]),
  ];
}

/** Names the outermost of the objects concerned. */
export function namedObjects(objects: readonly string[]): string {
  const outer = outermost(objects).map(({ name, inside }) =>
    inside === 0 ? name : `${name} (${inside} in it)`,
  );
  const more = outer.length > NAMED ? `, and ${outer.length - NAMED} more` : "";
  return `${outer.slice(0, NAMED).join(", ")}${more}`;
}

/** Returns the verdicts that refuse the plan. */
export function refusals(verdicts: readonly Verdict[]): Verdict[] {
  return verdicts.filter(({ ignored }) => !ignored);
}

/** Returns the error for a refused plan. */
export function guardError(verdicts: readonly Verdict[]): CliError {
  const lines = refusals(verdicts).map(
    ({ guard, message, remedy }) => `${guard}: ${message}. To allow it: ${remedy}`,
  );
  const [only = "", ...others] = lines;
  const text = others.length === 0 ? only : [`${lines.length} guards:`, ...lines].join("\n  ");
  return new CliError(`refused, nothing was changed: ${text}`);
}
