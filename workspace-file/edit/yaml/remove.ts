/** Removes keys and items from a YAML text. */
import { isSeq } from "yaml";
import { findLineEnd, findNextLine, getRestOfLine, isFirstOnLine, withComments } from "./lines.js";
import type { RawText } from "./raw.js";
import type { Slot } from "./slot.js";

/** Removes a pair or item with the comment on its line and those right above it. */
export function removeNode(raw: RawText, slot: Slot): void {
  const { parent } = slot;
  if (parent === undefined) throw new TypeError("the root of a document cannot be removed");
  const { children: siblings } = parent;
  if (slot.inFlow) return fromFlow(raw, parent, slot);
  if (siblings.length === 1) return removeLast(raw, parent, slot);
  const { text } = raw;
  const { start } = slot;
  const end = findNextLine(text, slot.end);
  if (isFirstOnLine(text, start)) return raw.splice(withComments(text, start), end, "");
  // The first key of an item follows its dash. The next key takes its position.
  const next = siblings[siblings.indexOf(slot) + 1];
  const between = next ? text.slice(end, next.start) : "";
  if (next && between.trim() === "") return raw.splice(start, next.start, "");
  raw.splice(start, slot.end, "");
}

function fromFlow(raw: RawText, parent: Slot, slot: Slot): void {
  const { text } = raw;
  const { start, end } = slot;
  const [open, close] = parent.node?.range ?? [0, 0];
  const { children: siblings } = parent;
  if (siblings.length === 1 && !text.slice(open, close).includes("#"))
    return raw.splice(open + 1, close - 1, "");
  const own = siblings.indexOf(slot);
  const [before, next] = [siblings[own - 1], siblings[own + 1]];
  if (next === undefined) {
    const from = before ? before.end : start;
    const tail = before ? end : /^\s*,?/.exec(text.slice(end))![0].length + end;
    return raw.splice(from, tail, "");
  }
  const comma = text.indexOf(",", end) + 1;
  const rest = getRestOfLine(text, comma);
  const alone = isFirstOnLine(text, start) && /^\s*(#.*)?$/.test(rest);
  if (alone) return raw.splice(withComments(text, start), findLineEnd(text, comma), "");
  const space = /^[ \t]*/.exec(text.slice(comma))![0].length;
  raw.splice(start, comma + space, "");
}

/** Replaces the only part of a block by `{}` or `[]`, and keeps the comments around it. */
function removeLast(raw: RawText, parent: Slot, slot: Slot): void {
  const empty = isSeq(parent.node) ? "[]" : "{}";
  const { text } = raw;
  const { start } = slot;
  if (!isFirstOnLine(text, start) || parent.parent === undefined) return raw.splice(start, slot.end, empty);
  const from = withComments(text, start);
  const to = findNextLine(text, slot.end);
  const value = parent.valueStart;
  raw.splice(from, to, "");
  raw.splice(value, value, ` ${empty}`);
}
