/** Replaces a whole value in a YAML text. */
import { isCollection, isScalar } from "yaml";
import { getColumn, getRestOfLine } from "./lines.js";
import { render } from "./render.js";
import type { RawText } from "./raw.js";
import type { Slot } from "./slot.js";

/** A comment next to the indicator of a block of text: `| # why`. */
const BLOCK_COMMENT = /^[|>][\d+-]*([ \t]+#.*)/;

/** Replaces the whole value in the style of the old one. */
export function replaceSlot(raw: RawText, slot: Slot, value: unknown): void {
  const { node, index, pair, parent } = slot;
  const start = isScalar(node) && node.source !== "" && node.range ? node.range[0] : slot.valueStart;
  // A block of text (`|`) ends with its line, and so does a list that ends with one.
  const end = start + raw.text.slice(start, slot.end).trimEnd().length;
  const block = isCollection(node) && !slot.isFlow && node.items.length > 0;
  const flow = slot.inFlow || (!block && getRestOfLine(raw.text, end).trim() !== "");
  const style = isScalar(node) ? node.type : undefined;
  const column = parent === undefined ? -2 : getColumn(raw.text, slot.start);
  const from = getColumn(raw.text, start);
  const text = render(value, { column, from, flow, style }, index !== undefined);
  const comment = BLOCK_COMMENT.exec(style?.startsWith("BLOCK") ? raw.text.slice(start, end) : "")?.[1] ?? "";
  const lines = text.replace(/$/m, comment);
  if (parent === undefined) return raw.splice(start, end, lines.trimStart());
  const glue = pair && !slot.hasColon ? ":" : "";
  // No space stays at the end of the line.
  if (lines.startsWith("\n")) return raw.splice(slot.valueStart, end, glue + lines);
  const inline = start !== slot.valueStart || (index !== undefined && slot.inFlow);
  raw.splice(start, end, glue + (inline ? lines.replace(/^ /, "") : lines));
}
