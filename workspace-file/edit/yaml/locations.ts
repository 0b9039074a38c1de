/** Locations in a YAML text: lines, columns, beginning and end of a part, comments that belong to it. */
import { isCollection, isMap, isNode, isPair, isScalar, isSeq, type Node, type Pair } from "yaml";
import type { RawText, Slot } from "./raw.js";

interface Token {
  readonly type: string;
  readonly offset: number;
  readonly source: string;
}
interface Tokens {
  readonly start?: readonly Token[];
  readonly sep?: readonly Token[];
}

export const lineStart = (text: string, at: number) => text.lastIndexOf("\n", at - 1) + 1;

/** Returns the offset after the line break. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

export const columnOf = (text: string, at: number) => {
  const start = lineStart(text, at);
  return at - (text[start] === "\uFEFF" ? start + 1 : start);
};

/** Returns the rest of a line without the line break. */
export const restOfLine = (text: string, at: number) => text.slice(at, lineEnd(text, at)).trimEnd();

/** Reports whether only spaces precede an offset on its line. */
export const isFirstOnLine = (text: string, at: number) => text.slice(lineStart(text, at), at).trim() === "";

export const isFlow = (node: unknown) => isCollection(node) && node.flow === true;

/** Returns the offset of a pair or list item. An item of a block list begins with its dash. */
export function startOf(slot: Slot): number {
  if (slot.pair) return nodeStart(slot.pair.key as Node, tokensOf(slot.pair)?.start);
  const tokens = itemTokens(slot)?.start;
  const dash = tokens?.find(({ type }) => type === "seq-item-ind");
  return dash?.offset ?? nodeStart(slot.node, tokens);
}

/** Returns the offset of a node with its anchor and tag. */
function nodeStart(node: Node | null, before: readonly Token[] = []): number {
  const own = before.find(({ type }) => type === "anchor" || type === "tag");
  return own?.offset ?? node?.range?.[0] ?? 0;
}

/** Returns the offset after the colon or dash, and after the anchor and tag. */
export function valueStart(slot: Slot): number {
  const tokens = slot.pair ? tokensOf(slot.pair)?.sep : itemTokens(slot)?.start;
  const marks = ["map-value-ind", "seq-item-ind", "anchor", "tag"];
  const last = tokens?.filter(({ type }) => marks.includes(type)).at(-1);
  if (last) return last.offset + last.source.length;
  return slot.pair ? ((slot.pair.key as Node).range?.[1] ?? 0) : (slot.node?.range?.[0] ?? 0);
}

export const hasColon = (pair: Pair) =>
  tokensOf(pair)?.sep?.some(({ type }) => type === "map-value-ind") === true;

/** Returns the offset of the end of a part, without following comments and blank lines. */
export function endOf(slot: Slot): number {
  // The parser places an empty value right before the comment.
  if (isScalar(slot.node) && slot.node.source === "" && slot.node.type === "PLAIN") return valueStart(slot);
  const end = nodeEnd(slot.node);
  return end === undefined || end < valueStart(slot) ? valueStart(slot) : end;
}

function nodeEnd(node: Node | null): number | undefined {
  if (!isCollection(node) || node.flow === true || node.items.length === 0) return node?.range?.[1];
  const last: unknown = node.items.at(-1);
  const count = node.items.length - 1;
  const slot = { holder: { node, inFlow: false }, inFlow: false };
  if (isPair(last)) return endOf({ ...slot, node: isNode(last.value) ? last.value : null, pair: last });
  return endOf({ ...slot, node: isNode(last) ? last : null, index: count });
}

/** Returns the beginning of the line after a part, or the end of the text. */
export function afterLine(text: string, end: number): number {
  return end > 0 && text[end - 1] === "\n" ? end : lineEnd(text, end);
}

/** Returns the beginning of the comment lines right above a part that have its indentation and therefore belong to it. */
export function withComments(text: string, start: number): number {
  const column = columnOf(text, start);
  let at = lineStart(text, start);
  while (at > 0) {
    const above = lineStart(text, at - 1);
    const line = text.slice(above, at).replace(/^\uFEFF/, "");
    const indent = /^ *(?=#)/.exec(line)?.[0].length;
    if (indent !== column || /yaml-language-server|\$schema/.test(line)) break;
    at = above;
  }
  return at;
}

/** Returns the column of the keys of a block map, or of the dashes of a block list. */
export function columnOfItems(raw: RawText, slot: Slot): number {
  const [first] = children(slot);
  return first ? columnOf(raw.text, startOf(first)) : 0;
}

/** Returns all parts of a map or list. */
export function children(slot: Slot): Slot[] {
  const { node } = slot;
  const inFlow = slot.inFlow || isFlow(node);
  if (isMap(node))
    return node.items.map((pair) => ({
      node: isNode(pair.value) ? pair.value : null,
      pair,
      holder: slot,
      inFlow,
    }));
  if (!isSeq(node)) return [];
  return node.items.map((item, index) => ({ node: isNode(item) ? item : null, index, holder: slot, inFlow }));
}

function tokensOf(pair: Pair): Tokens | undefined {
  return (pair as { srcToken?: Tokens }).srcToken;
}

function itemTokens({ holder, index }: Slot): Tokens | undefined {
  const items = (holder?.node as { srcToken?: { items?: readonly Tokens[] } } | undefined)?.srcToken?.items;
  return index === undefined ? undefined : items?.[index];
}
