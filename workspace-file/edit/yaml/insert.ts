/** Inserts keys and items into a YAML text. */
import { isMap, isPair, isSeq, type YAMLMap } from "yaml";
import { keyText, REST, EXTENSIONS, type MapForm } from "../../format/index.js";
import {
  afterLine,
  children,
  columnOf,
  columnOfItems,
  endOf,
  isFirstOnLine,
  isFlow,
  lineStart,
  restOfLine,
  startOf,
  valueStart,
  withComments,
} from "./locations.js";
import { nodeOf, render, renderKey } from "./render.js";
import type { RawText, Slot } from "./raw.js";

/** Inserts a key into a map. @param form order of the keys, if they have one */
export function insertKey(raw: RawText, map: Slot, key: string, value: unknown, form?: MapForm): void {
  const { node } = map;
  if (!isMap(node)) throw new TypeError("a key can be put into a map only");
  const before = form?.keys && predecessor(node, key, form.keys(node));
  if (map.inFlow || isFlow(node) || node.items.length === 0) return intoFlow(raw, map, key, value, before);
  const siblings = children(map);
  const column = columnOfItems(raw, map);
  const text = `${renderKey(key)}:${render(likeSiblings(value, siblings), { column, from: column + key.length + 1, flow: false })}`;
  const [first] = siblings;
  if (before === -1 && first && isFirstOnLine(raw.text, startOf(first)))
    return raw.splice(...at(withComments(raw.text, startOf(first))), `${" ".repeat(column)}${text}\n`);
  const last = siblings[Math.max(before ?? siblings.length - 1, 0)] ?? first;
  if (last) intoLines(raw, endOf(last), `${" ".repeat(column)}${text}`, column === 0 && text.includes("\n"));
}

/** Inserts lines after the line on which a part ends. */
function intoLines(raw: RawText, end: number, lines: string, parted = false): void {
  const { text } = raw;
  const start = afterLine(text, end);
  const missing = start > 0 && text[start - 1] !== "\n" ? "\n" : "";
  const blankAbove = /\n\r?\n$/.test(text.slice(0, start));
  const above = parted && !blankAbove ? "\n" : "";
  // The following part stays separated too.
  const below = parted && text.slice(start).trim() !== "" && !/^\r?\n/.test(text.slice(start)) ? "\n" : "";
  const closing = missing !== "" && start === text.length ? "" : "\n";
  raw.splice(start, start, `${missing}${above}${lines}${closing}${below}`);
}

const at = (offset: number) => [offset, offset] as const;

/** Returns the index of the item after which a key belongs, or -1 for the first position. */
function predecessor(map: YAMLMap, key: string, keys: readonly string[]): number {
  const rankOf = (name: string) => {
    const rank = keys.indexOf(name);
    if (rank >= 0) return rank;
    const others = keys.indexOf(name.startsWith("x-") ? EXTENSIONS : REST);
    return others >= 0 ? others : keys.length;
  };
  const own = rankOf(key);
  return map.items.findLastIndex((pair) => rankOf(keyText(pair.key)) <= own);
}

/** Formats a new entry like its siblings: in { } when all of them are and it fits. */
function likeSiblings(value: unknown, siblings: readonly Slot[]): unknown {
  const node = nodeOf(value);
  if (!isMap(node) || node.items.length === 0) return node;
  const maps = siblings.filter(({ node: other }) => isMap(other));
  const flow = maps.length > 0 && maps.every((slot) => isFlow(slot.node));
  if (flow) node.flow = true;
  else if (maps.length > 0) node.flow = false;
  return node;
}

/** Inserts a key into { }. */
function intoFlow(raw: RawText, map: Slot, key: string, value: unknown, before: number | undefined): void {
  const siblings = children(map);
  const [first] = siblings;
  if (first === undefined) return fillEmpty(raw, map, { [key]: value });
  const from = columnOf(raw.text, startOf(first));
  const text = `${renderKey(key)}:${render(value, { column: from, from, flow: true })}`;
  if (before === -1) return raw.splice(...at(startOf(first)), `${text}, `);
  const last = siblings[before ?? siblings.length - 1] ?? first;
  raw.splice(...at(endOf(last)), `, ${text}`);
}

/** Inserts an item into a list. @param index index of the new item */
export function insertItem(raw: RawText, list: Slot, index: number, value: unknown): void {
  const { node } = list;
  if (!isSeq(node)) throw new TypeError("an item can be put into a list only");
  const siblings = children(list);
  const [first] = siblings;
  if (first === undefined) return fillEmpty(raw, list, [value]);
  const before = siblings[index - 1];
  if (list.inFlow || isFlow(node)) {
    const text = render(value, { column: 0, from: 0, flow: true }).trimStart();
    if (before) raw.splice(...at(endOf(before)), `, ${text}`);
    else raw.splice(...at(startOf(first)), `${text}, `);
    return;
  }
  const column = columnOfItems(raw, list);
  const text = `-${render(likeSiblings(value, siblings), { column, from: column + 1, flow: false }, true)}`;
  const lines = `${" ".repeat(column)}${text}`;
  if (before) intoLines(raw, endOf(before), lines);
  else if (isFirstOnLine(raw.text, startOf(first)))
    raw.splice(...at(lineStart(raw.text, startOf(first))), `${lines}\n`);
  else raw.splice(...at(startOf(first)), `${text}\n${" ".repeat(column)}`);
}

/** Replaces an empty value by a collection, on several lines where possible. */
export function fillEmpty(raw: RawText, slot: Slot, value: unknown): void {
  const end = endOf(slot);
  const start = valueStart(slot);
  const commented = restOfLine(raw.text, end).trim() !== "";
  const flow = slot.inFlow || commented;
  const own = slot.pair || slot.index !== undefined ? startOf(slot) : undefined;
  const column = own === undefined ? -2 : columnOf(raw.text, own);
  const node = nodeOf(value);
  // A map or list of entries is written on several lines.
  const entries = isMap(node) || isSeq(node) ? node.items : [];
  const inner = entries.map((item: unknown) => (isPair(item) ? item.value : item));
  if (!flow && inner.some((part) => isMap(part) && part.items.length > 0)) (node as YAMLMap).flow = false;
  const from = columnOf(raw.text, start);
  const text = render(node, { column, from, flow }, slot.index !== undefined);
  if (own === undefined) raw.splice(start, end, text.replace(/^\n/, "").trimStart());
  else raw.splice(start, Math.max(end, start), text);
}
