/** Colors changes for a terminal. */
import type { Io } from "./io.js";
import { listLinesOfChange, type ShownChange } from "./shown-change.js";

/** Maximum length of a change in the line of its property. */
const LONGEST = 100;

/** Reports whether the line of the property has room for the change. */
export function fitsOneLine(change: ShownChange): boolean {
  if ("said" in change) return true;
  return "before" in change && change.before.length + change.after.length <= LONGEST;
}

/** Formats a change of one line. */
export function colorChange(change: ShownChange, { red, green, dim, yellow }: Io["colors"]): string {
  if ("said" in change) return yellow(change.said);
  if ("lines" in change) return "";
  return `${red(change.before)} ${dim("→")} ${green(change.after)}`;
}

/** Formats a change as lines with signs. */
export function colorLines(change: ShownChange, { red, green, dim, cyan }: Io["colors"]): string[] {
  const color = { "-": red, "+": green, " ": dim, "@": cyan };
  return listLinesOfChange(change).map(({ sign, text }) =>
    color[sign](sign === "@" ? `@@ ${text} @@` : `${sign} ${text}`),
  );
}
