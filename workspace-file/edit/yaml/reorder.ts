/** Reorders the items of a list. */
import { isSeq } from "yaml";
import { afterLine, children, endOf, isFlow, lineStart, startOf, withComments } from "./locations.js";
import type { RawText, Slot } from "./raw.js";

/**
 * Reorders the items of a list, each with the comments right above it.
 * @param order present indexes of the items in their new order
 */
export function reorder(raw: RawText, list: Slot, order: readonly number[]): void {
  if (!isSeq(list.node)) throw new TypeError("a list is put in order");
  const items = children(list);
  const [first] = items;
  if (first === undefined || order.length !== items.length) throw new TypeError("every item has its place");
  const { text } = raw;
  const inFlow = list.inFlow || isFlow(list.node);
  // Comments above the first item may concern the whole list.
  const starts = items.map((item, index) =>
    inFlow ? startOf(item) : index === 0 ? lineStart(text, startOf(item)) : withComments(text, startOf(item)),
  );
  const ends = items.map((item) => (inFlow ? endOf(item) : afterLine(text, endOf(item))));
  const gaps = starts.map((_start, index) => text.slice(ends[index], starts[index + 1] ?? ends[index]));
  const parts = items.map((_item, index) => text.slice(starts[index], ends[index]));
  const whole = order.map((number, place) => `${closed(parts[number] ?? "", inFlow, raw.eol)}${gaps[place]}`);
  const end = ends.at(-1) ?? 0;
  raw.splice(starts[0] ?? 0, end, whole.join("").replaceAll("\r\n", "\n"));
}

/** Adds a line break to the last line of a file. */
const closed = (part: string, inFlow: boolean, eol: string) =>
  inFlow || part.endsWith("\n") ? part : part + eol;
