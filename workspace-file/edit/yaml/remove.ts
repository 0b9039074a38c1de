/** Removes keys and items from a YAML text. */
import { isSeq } from "yaml";
import {
  afterLine,
  children,
  endOf,
  isFirstOnLine,
  lineEnd,
  restOfLine,
  startOf,
  valueStart,
  withComments,
} from "./locations.js";
import type { RawText, Slot } from "./raw.js";

/** Removes a pair or item with the comment on its line and those right above it. */
export function removeNode(raw: RawText, slot: Slot): void {
  const { holder } = slot;
  if (holder === undefined) throw new TypeError("the root of a document cannot be removed");
  const siblings = children(holder);
  const own = siblings.findIndex((other) => startOf(other) === startOf(slot));
  if (slot.inFlow) return fromFlow(raw, siblings, own);
  if (siblings.length === 1) return lastOne(raw, holder, slot);
  const { text } = raw;
  const start = startOf(slot);
  const end = afterLine(text, endOf(slot));
  if (isFirstOnLine(text, start)) return raw.splice(withComments(text, start), end, "");
  // The first key of an item follows its dash. The next key takes its position.
  const next = siblings[own + 1];
  const between = next ? text.slice(end, startOf(next)) : "";
  if (next && between.trim() === "") return raw.splice(start, startOf(next), "");
  raw.splice(start, endOf(slot), "");
}

function fromFlow(raw: RawText, siblings: readonly Slot[], own: number): void {
  const slot = siblings[own];
  if (slot === undefined) throw new TypeError("a part stands in what holds it");
  const { text } = raw;
  const [open, close] = slot.holder?.node?.range ?? [0, 0];
  if (siblings.length === 1 && !text.slice(open, close).includes("#"))
    return raw.splice(open + 1, close - 1, "");
  const [before, next] = [siblings[own - 1], siblings[own + 1]];
  const start = startOf(slot);
  const end = endOf(slot);
  if (next === undefined) {
    const from = before ? endOf(before) : start;
    const tail = before ? end : /^\s*,?/.exec(text.slice(end))![0].length + end;
    return raw.splice(from, tail, "");
  }
  const comma = text.indexOf(",", end) + 1;
  const rest = restOfLine(text, comma);
  const alone = isFirstOnLine(text, start) && /^\s*(#.*)?$/.test(rest);
  if (alone) return raw.splice(withComments(text, start), lineEnd(text, comma), "");
  const space = /^[ \t]*/.exec(text.slice(comma))![0].length;
  raw.splice(start, comma + space, "");
}

/** Replaces the only part of a block by `{}` or `[]`, and keeps the comments around it. */
function lastOne(raw: RawText, holder: Slot, slot: Slot): void {
  const empty = isSeq(holder.node) ? "[]" : "{}";
  const { text } = raw;
  const start = startOf(slot);
  if (!isFirstOnLine(text, start)) return raw.splice(start, endOf(slot), empty);
  if (holder.holder === undefined) return raw.splice(start, endOf(slot), empty);
  const from = withComments(text, start);
  const to = afterLine(text, endOf(slot));
  const value = valueStart(holder);
  raw.splice(from, to, "");
  raw.splice(value, value, ` ${empty}`);
}
