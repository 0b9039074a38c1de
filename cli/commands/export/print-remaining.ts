/** Messages that all languages of an export share. */
import type { Gap } from "../../../provider/index.js";
import { chooseVariableFor } from "../../../trust/variables.js";
import { formatFirst, groupBy } from "../../lists.js";
import { note, type Io } from "../../terminal/io.js";
import type { Declarable } from "./declare.js";
import type { Needed } from "./placeholders.js";
import { stripControls } from "../../reporters/format-values.js";
import { formatCount } from "../../../diff/format-count.js";

/** Maximum number of objects that are named for a reason. */
const NAMED = 5;

/** Returns one line per reason: without rights, many objects are missing for the same one. */
function formatGapLines(gaps: readonly Gap[]): string[] {
  const reasons = groupBy(gaps, ({ type, reason }) => `${type}: ${reason}`);
  return [...reasons].map(([reason, of]) => {
    const names = of.map(({ name }) => name ?? "the workspace");
    return `${reason} (${formatFirst(names, NAMED)})`;
  });
}

interface Remaining {
  /** How to set the values that the file does not contain. */
  readonly needed: readonly string[];
  readonly doubts: readonly string[];
  readonly gaps: readonly Gap[];
}

/**
 * Returns the lines at the head of what was exported.
 * @param toSet heading and lines of the values that the user has to set
 */
export function listHeadLines(
  address: string,
  { hidden }: Pick<Declarable, "hidden">,
  [heading, toSet]: readonly [string, readonly string[]],
): string[] {
  return [
    `Exported by workspacectl from ${address}`,
    ...(toSet.length === 0 ? [] : ["", heading, ...toSet.map((line) => `  ${line}`)]),
    ...(hidden.size === 0 ? [] : ["", "Not included, because the service does not return it:"]),
    ...[...hidden].map(([noun, args]) => `  ${noun}: ${args.join(", ")}`),
  ];
}

export const formatNeededLine = (needed: Needed) =>
  `${chooseVariableFor(needed.variable)}  ${nameUses(needed)}`;

/** Names the values that a variable sets. */
export function nameUses({ name, arg, also }: Needed): string {
  const others = also.map((use) => `${use.name}: ${use.arg}`);
  const same = others.length === 0 ? "" : `; the same value: ${formatFirst(others, NAMED)}`;
  return `${name}: ${arg}${same}`;
}

/** Prints what remains to be done or known after an export. */
export function printRemaining({ needed, doubts, gaps }: Remaining, gapsTitle: string, io: Io): void {
  const values = formatCount(needed.length, "value");
  const parts: [title: string, lines: readonly string[]][] = [
    [`Set these before you use the file (${values} that no file should contain):`, needed],
    ["Lint errors that comments in the file suppress, because the workspace has these values:", doubts],
    [gapsTitle, formatGapLines(gaps)],
  ];
  for (const [title, lines] of parts) {
    if (lines.length > 0) note(io, title);
    for (const line of lines) note(io, `  ${stripControls(line)}`);
  }
}
