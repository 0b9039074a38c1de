/** Inserts keys and items into a YAML text. */
import { isMap, isPair, isSeq, type Node, type YAMLMap } from "yaml";
import { EXTENSIONS, formatKeyText, type MapForm, REST } from "../../format/format.js";
import { findLineEnd, findLineStart, findNextLine, getColumn, isFirstOnLine, withComments } from "./lines.js";
import type { RawText } from "./raw.js";
import { createNode, render, renderKey, WIDTH } from "./render.js";
import { replaceSlot } from "./replace-slot.js";
import type { Slot } from "./slot.js";

/** Inserts a key into a map. @param form order of the keys, if they have one */
export function insertKey(raw: RawText, map: Slot, key: string, value: unknown, form?: MapForm): void {
  const { node, children: siblings } = map;
  if (!isMap(node)) throw new TypeError("a key can be put into a map only");
  const before = form?.keys && findPredecessor(node, key, form.keys(node));
  const [first] = siblings;
  if (first === undefined) return fillEmpty(raw, map, { [key]: value });
  if (map.inFlow || map.isFlow) {
    const from = getColumn(raw.text, first.start);
    const text = `${renderKey(key)}:${render(value, { column: from, from, flow: true })}`;
    return insertIntoFlow(raw, map, (before ?? siblings.length - 1) + 1, text, createNode({ [key]: value }));
  }
  const column = getColumn(raw.text, first.start);
  const text = `${renderKey(key)}:${render(matchSiblings(value, siblings), { column, from: column + key.length + 1, flow: false })}`;
  if (before === -1 && isFirstOnLine(raw.text, first.start))
    return raw.insert(withComments(raw.text, first.start), `${" ".repeat(column)}${text}\n`);
  const last = siblings[Math.max(before ?? siblings.length - 1, 0)] ?? first;
  insertIntoLines(raw, last.end, `${" ".repeat(column)}${text}`, column === 0 && text.includes("\n"));
}

/** Inserts lines after the line on which a part ends. */
function insertIntoLines(raw: RawText, end: number, lines: string, parted = false): void {
  const { text } = raw;
  const start = findNextLine(text, end);
  const missing = start > 0 && text[start - 1] !== "\n" ? "\n" : "";
  const blankAbove = /\n\r?\n$/.test(text.slice(0, start));
  const above = parted && !blankAbove ? "\n" : "";
  // The following part stays separated too.
  const below = parted && text.slice(start).trim() !== "" && !/^\r?\n/.test(text.slice(start)) ? "\n" : "";
  const closing = missing !== "" && start === text.length ? "" : "\n";
  raw.insert(start, `${missing}${above}${lines}${closing}${below}`);
}

/** Returns the index of the item after which a key belongs, or -1 for the first position. */
function findPredecessor(map: YAMLMap, key: string, keys: readonly string[]): number {
  const rankOf = (name: string) => {
    const rank = keys.indexOf(name);
    if (rank >= 0) return rank;
    const others = keys.indexOf(name.startsWith("x-") ? EXTENSIONS : REST);
    return others >= 0 ? others : keys.length;
  };
  const own = rankOf(key);
  return map.items.findLastIndex((pair) => rankOf(formatKeyText(pair.key)) <= own);
}

/** Formats a new entry like its siblings: in { } when all of them are and it fits. */
function matchSiblings(value: unknown, siblings: readonly Slot[]): unknown {
  const node = createNode(value);
  if (!isMap(node) || node.items.length === 0) return node;
  const maps = siblings.filter(({ node: other }) => isMap(other));
  const flow = maps.length > 0 && maps.every(({ isFlow }) => isFlow);
  if (flow) node.flow = true;
  else if (maps.length > 0) node.flow = false;
  return node;
}

/** Inserts an item into a list. @param index index of the new item */
export function insertItem(raw: RawText, list: Slot, index: number, value: unknown): void {
  const { node, children: siblings } = list;
  if (!isSeq(node)) throw new TypeError("an item can be put into a list only");
  const [first] = siblings;
  if (first === undefined) return fillEmpty(raw, list, [value]);
  if (list.inFlow || list.isFlow) {
    const text = render(value, { column: 0, from: 0, flow: true }).trimStart();
    return insertIntoFlow(raw, list, index, text, createNode([value]));
  }
  const before = siblings[index - 1];
  const column = getColumn(raw.text, first.start);
  const text = `-${render(matchSiblings(value, siblings), { column, from: column + 1, flow: false }, true)}`;
  const lines = `${" ".repeat(column)}${text}`;
  if (before) insertIntoLines(raw, before.end, lines);
  else if (isFirstOnLine(raw.text, first.start))
    raw.insert(findLineStart(raw.text, first.start), `${lines}\n`);
  else raw.insert(first.start, `${text}\n${" ".repeat(column)}`);
}

/**
 * Inserts a part into { } or [ ], which is not empty. When the line becomes too long, the parts get lines of their own.
 * @param added a map or list of the new part alone
 */
function insertIntoFlow(raw: RawText, parent: Slot, index: number, text: string, added: Node): void {
  if (!parent.inFlow && becomesTooLong(raw.text, parent, text)) {
    const spread = parent.node?.clone() as YAMLMap;
    spread.items.splice(index, 0, ...(added as YAMLMap).items);
    spread.flow = false;
    // An anchor and a tag stay where they are.
    Object.assign(spread, { anchor: undefined, tag: undefined });
    return replaceSlot(raw, parent, spread);
  }
  const before = parent.children[index - 1];
  if (before) raw.insert(before.end, `, ${text}`);
  else raw.insert(parent.children[0]?.start ?? 0, `${text}, `);
}

/** Reports whether text makes a line too long that was not before, and that contains all of { } or [ ] without a comment. */
function becomesTooLong(text: string, { valueStart, end }: Slot, added: string): boolean {
  const whole = text.slice(valueStart, findLineEnd(text, end)).trimEnd();
  if (/[\n#]/.test(whole)) return false;
  const width = getColumn(text, end);
  return width <= WIDTH && width + added.length + 2 > WIDTH;
}

/** Replaces an empty value by a collection, on several lines where possible. */
export function fillEmpty(raw: RawText, slot: Slot, value: unknown): void {
  const node = createNode(value);
  // A map or list of entries is written on several lines.
  const entries = isMap(node) || isSeq(node) ? node.items : [];
  const inner = entries.map((item: unknown) => (isPair(item) ? item.value : item));
  if (inner.some((part) => isMap(part) && part.items.length > 0)) (node as YAMLMap).flow = false;
  replaceSlot(raw, slot, node);
}
