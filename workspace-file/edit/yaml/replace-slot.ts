/** Replaces a whole value in a YAML text. */
import { isCollection, isScalar } from "yaml";
import { getColumn, getRestOfLine } from "./lines.js";
import type { RawText } from "./raw.js";
import { render } from "./render.js";
import type { Slot } from "./slot.js";

/** A comment next to the indicator of a block of text: `| # why`. */
const BLOCK_COMMENT = /^[|>][\d+-]*([ \t]+#.*)/;

/** Replaces the whole value in the style of the old one. */
export function replaceSlot(raw: RawText, slot: Slot, value: unknown): void {
  const { node, index, pair, parent } = slot;
  const start = isScalar(node) && node.source !== "" && node.range ? node.range[0] : slot.valueStart;
  // A block of text (`|`) ends with its line, and so does a list that ends with one.
  const blank = /[ \t]*/y;
  blank.lastIndex = start + raw.text.slice(start, slot.end).replace(/[ \t\r\n]+$/, "").length;
  const style = isScalar(node) ? node.type : undefined;
  const wasBlock = style?.startsWith("BLOCK") === true;
  // Blanks at the end of its last line belong to it.
  const end = wasBlock ? blank.lastIndex + (blank.exec(raw.text)?.[0].length ?? 0) : blank.lastIndex;
  const isBlockCollection = isCollection(node) && !slot.isFlow && node.items.length > 0;
  // Several lines that somebody has written as one line stay there.
  const wasLine =
    isScalar(node) && /\n/.test(String(node.value)) && !raw.text.slice(start, end).includes("\n");
  const flow = slot.inFlow || wasLine || (!isBlockCollection && getRestOfLine(raw.text, end).trim() !== "");
  const column = parent === undefined ? -2 : getColumn(raw.text, slot.start);
  const from = getColumn(raw.text, start);
  const block = { indent: findIndent(raw.text.slice(start, end), column) ?? 2, keeps: wasBlock };
  const text = render(value, { column, from, flow, style, block }, index !== undefined);
  const comment = BLOCK_COMMENT.exec(wasBlock ? raw.text.slice(start, end) : "")?.[1] ?? "";
  const lines = text.replace(/$/m, comment);
  if (parent === undefined) return raw.splice(start, end, lines.trimStart());
  const glue = pair && !slot.hasColon ? ":" : "";
  // No space stays at the end of the line.
  if (lines.startsWith("\n")) return raw.splice(slot.valueStart, end, glue + lines);
  const inline = start !== slot.valueStart || (index !== undefined && slot.inFlow);
  const keeps = /^ ?\|\d?\+/.test(lines);
  raw.splice(
    start,
    keeps ? skipEmptyLines(raw.text, end) : end,
    glue + (inline ? lines.replace(/^ /, "") : lines),
  );
}

/** Returns how much further than its key a block of text is indented; undefined for other values. */
function findIndent(text: string, column: number): number | undefined {
  const [header = "", ...lines] = text.split(/\r?\n/);
  if (!/^[|>]/.test(header)) return undefined;
  const given = /^[|>][-+]?(\d)/.exec(header)?.[1];
  if (given !== undefined) return Number(given);
  const first = lines.find((line) => line.trim() !== "");
  const indent = first === undefined ? 0 : (/^ */.exec(first)?.[0].length ?? 0) - Math.max(column, 0);
  return indent > 0 && indent < 10 ? indent : undefined;
}

/** Returns the end of the last of the empty lines after a part. */
function skipEmptyLines(text: string, end: number): number {
  const empty = /(?:[ \t]*\r?\n)*(?=\r?\n)/y;
  empty.lastIndex = end;
  return end + (empty.exec(text)?.[0].length ?? 0);
}
