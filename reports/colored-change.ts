/** Changes in colors: of a value in a plan, and of a file as a unified diff. */
import { formatLine } from "../text/safe-text.js";
import { listLinesOfChange, SECRET_CHANGED, type ShownChange } from "../text/shown-change.js";
import { hideAllSecrets } from "../workspace-file/load/load.js";
import { type Io, print } from "./io.js";

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

/** Prints the change of a file as a unified diff without literal secrets. @param label name of the new text */
export async function printDiff(
  file: string,
  before: string,
  after: string,
  label: string,
  io: Io,
): Promise<void> {
  if (before === after) return;
  const { formatPatch, structuredPatch } = await import("diff");
  const { red, green, cyan } = io.colors;
  const patch = structuredPatch(file, file, before, after, "", label);
  const [linesBefore, linesAfter] = [before, after].map((text) => hideAllSecrets(text).split("\n"));
  for (const hunk of patch.hunks) {
    // The diff is computed before secrets are masked, since two masked secrets of one length are equal.
    let [at, to] = [hunk.oldStart - 1, hunk.newStart - 1];
    const removed = new Map<string, string>();
    hunk.lines = hunk.lines.map((line) => {
      const sign = line[0] ?? " ";
      if (sign === "\\") return line; // no newline at the end
      const shown = formatLine((sign === "+" ? linesAfter?.[to] : linesBefore?.[at]) ?? "");
      if (sign !== "+") at += 1;
      if (sign !== "-") to += 1;
      const own = line.slice(1);
      if (sign === "-") removed.set(shown, own);
      const isMasked = sign === "+" && (removed.get(shown) ?? own) !== own;
      return `${sign}${shown}${isMasked ? `  # ${SECRET_CHANGED}` : ""}`;
    });
  }
  for (const line of formatPatch(patch)
    .split("\n")
    .filter((each) => !/^=+$/.test(each))
    .slice(0, -1)) {
    const color = { "+": green, "-": red, "@": cyan }[line[0] ?? ""];
    print(io, color ? color(line) : line);
  }
}
