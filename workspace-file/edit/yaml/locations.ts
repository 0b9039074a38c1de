/** Places in a YAML text: lines, columns, where a part begins and ends, comments that belong to it. */
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

/** After the line's end. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}

export const columnOf = (text: string, at: number) => {
  const start = lineStart(text, at);
  return at - (text[start] === "\uFEFF" ? start + 1 : start);
};

/** The rest of the line, without its end. */
export const restOfLine = (text: string, at: number) => text.slice(at, lineEnd(text, at)).trimEnd();

/** Is there nothing but space before it on its line? */
export const isFirstOnLine = (text: string, at: number) => text.slice(lineStart(text, at), at).trim() === "";

export const isFlow = (node: unknown) => isCollection(node) && node.flow === true;

/** Where a pair, or the item of a list, begins; of an item of a block list, its dash. */
export function startOf(slot: Slot): number {
  if (slot.pair) return nodeStart(slot.pair.key as Node, tokensOf(slot.pair)?.start);
  const tokens = itemTokens(slot)?.start;
  const dash = tokens?.find(({ type }) => type === "seq-item-ind");
  return dash?.offset ?? nodeStart(slot.node, tokens);
}

/** With its anchor and tag. */
function nodeStart(node: Node | null, before: readonly Token[] = []): number {
  const own = before.find(({ type }) => type === "anchor" || type === "tag");
  return own?.offset ?? node?.range?.[0] ?? 0;
}

/** After the colon, or the dash, and the anchor and tag that stand there: what follows is the value. */
export function valueStart(slot: Slot): number {
  const tokens = slot.pair ? tokensOf(slot.pair)?.sep : itemTokens(slot)?.start;
  const marks = ["map-value-ind", "seq-item-ind", "anchor", "tag"];
  const last = tokens?.filter(({ type }) => marks.includes(type)).at(-1);
  if (last) return last.offset + last.source.length;
  return slot.pair ? ((slot.pair.key as Node).range?.[1] ?? 0) : (slot.node?.range?.[0] ?? 0);
}

export const hasColon = (pair: Pair) =>
  tokensOf(pair)?.sep?.some(({ type }) => type === "map-value-ind") === true;

/** Does an anchor stand before the value? */
export function hasAnchor(slot: Slot): boolean {
  const tokens = slot.pair ? tokensOf(slot.pair)?.sep : itemTokens(slot)?.start;
  return tokens?.some(({ type }) => type === "anchor") === true;
}

/** Where what is written of it ends, without comments and blank lines after it. */
export function endOf(slot: Slot): number {
  // Nothing is written: for the parser, that is right before the comment.
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

/** The beginning of the line after a part that ends its line; where the text ends without one, its end. */
export function afterLine(text: string, end: number): number {
  return end > 0 && text[end - 1] === "\n" ? end : lineEnd(text, end);
}

/** Where the comment lines right above begin that are indented like the part: they speak of it. */
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

/** The column of a block map's keys, or of a block list's dashes. */
export function columnOfItems(raw: RawText, slot: Slot): number {
  const [first] = children(slot);
  return first ? columnOf(raw.text, startOf(first)) : 0;
}

/** All parts of a map or list. */
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
