/** Reorders the items of a list. */
import { isSeq } from "yaml";
import { findLineStart, findNextLine, withComments } from "./lines.js";
import type { RawText } from "./raw.js";
import type { Slot } from "./slot.js";

/**
 * Reorders the items of a list, each with the comments right above it.
 * @param order present indexes of the items in their new order
 */
export function reorder(raw: RawText, list: Slot, order: readonly number[]): void {
  if (!isSeq(list.node)) throw new TypeError("a list is put in order");
  const items = list.children;
  const [first] = items;
  if (first === undefined || order.length !== items.length) throw new TypeError("every item has its place");
  const { text } = raw;
  const inFlow = list.inFlow || list.isFlow;
  // Comments above the first item may concern the whole list.
  const starts = items.map((item, index) =>
    inFlow ? item.start : index === 0 ? findLineStart(text, item.start) : withComments(text, item.start),
  );
  const ends = items.map((item) => (inFlow ? item.end : findNextLine(text, item.end)));
  const gaps = starts.map((_start, index) => text.slice(ends[index], starts[index + 1] ?? ends[index]));
  const parts = items.map((_item, index) => text.slice(starts[index], ends[index]));
  const whole = order.map(
    (number, place) => `${closePart(parts[number] ?? "", inFlow, raw.eol)}${gaps[place]}`,
  );
  const end = ends.at(-1) ?? 0;
  raw.splice(starts[0] ?? 0, end, whole.join("").replaceAll("\r\n", "\n"));
}

/** Adds a line break to the last line of a file. */
const closePart = (part: string, inFlow: boolean, eol: string) =>
  inFlow || part.endsWith("\n") ? part : part + eol;
