/** Sorts the keys of a document into canonical order, with their comments, anchors and aliases. */
import { type Document, isAlias, isMap, isNode, isScalar, isSeq, type Pair, visit, type YAMLMap } from "yaml";
import { EXTENSIONS, formatKeyText, type MapForm, REST } from "./forms.js";

/** Sorts the keys in place. Names and list items keep their order. */
export function orderKeys(document: Document, form: MapForm): void {
  const { contents } = document;
  const opening = isMap(contents) ? contents.items[0] : undefined;
  orderNode(contents, form, hasAnchors(document));
  if (isMap(contents) && contents.items[0] !== opening) keepHeader(document, opening);
}

function orderNode(node: unknown, form: MapForm | undefined, anchored: boolean, isItem = false): void {
  if (form === undefined) return;
  if (isSeq(node)) for (const item of node.items) orderNode(item, form, anchored, true);
  if (!isMap(node)) return;
  for (const { key, value } of node.items) orderNode(value, form.of(formatKeyText(key), node), anchored);
  if (form.keys !== undefined) sortItems(node, form.keys(node), anchored, isItem);
}

function sortItems(map: YAMLMap, keys: readonly string[], anchored: boolean, isItem: boolean): void {
  const ranks = new Map(keys.map((key, index) => [key, index]));
  const rest = ranks.get(REST) ?? keys.length;
  const rankOf = ({ key }: Pair) => {
    const name = formatKeyText(key);
    return ranks.get(name) ?? (name.startsWith("x-") ? ranks.get(EXTENSIONS) : undefined) ?? rest;
  };
  const before = [...map.items];
  const sorted = anchored ? sortAround(before, rankOf) : sortStably(before, rankOf);
  if (sorted.every((pair, index) => pair === before[index])) return;
  if (!isItem) keepFirstComment(map, before[0]);
  map.items.splice(0, map.items.length, ...sorted);
  // Removes the blank line before the first key, which separates nothing.
  const opening = sorted[0]?.key;
  if (isNode(opening)) opening.spaceBefore = false;
}

function sortStably<T>(items: readonly T[], rankOf: (item: T) => number): T[] {
  return [...items].sort((a, b) => rankOf(a) - rankOf(b));
}

/** Moves the comment above the first key with that key. The parser assigns it to the map. */
function keepFirstComment(map: YAMLMap, first: Pair | undefined): void {
  if (map.commentBefore == null || !isNode(first?.key)) return;
  first.key.commentBefore = [map.commentBefore, first.key.commentBefore ?? []].flat().join("\n");
  map.commentBefore = null;
}

/** Keeps comments for editors at the beginning of the file when the first key moves. */
function keepHeader(document: Document, first: Pair | undefined): void {
  if (!isNode(first?.key) || first.key.commentBefore == null) return;
  const lines = first.key.commentBefore.split("\n");
  const last = lines.findLastIndex((line) => /\$schema|yaml-language-server|-\*-|\bvim?:/.test(line));
  if (last < 0) return;
  document.commentBefore = [document.commentBefore ?? [], lines.slice(0, last + 1)].flat().join("\n");
  first.key.commentBefore = lines.slice(last + 1).join("\n") || null;
}

function hasAnchors(document: Document): boolean {
  let found = false;
  visit(document, {
    Node: (_key, node) => {
      if (!("anchor" in node) || node.anchor === undefined) return undefined;
      found = true;
      return visit.BREAK;
    },
  });
  return found;
}

/** Sorts, but never moves an alias before its anchor or past another anchor of the same name. */
function sortAround(pairs: readonly Pair[], rankOf: (pair: Pair) => number): Pair[] {
  const uses = pairs.map(findAnchors);
  const waitsFor = pairs.map((_, index) =>
    pairs.slice(0, index).filter((_earlier, other) => areTied(uses[other], uses[index])),
  );
  const left = sortStably(
    pairs.map((pair, index) => ({ pair, waitsFor: waitsFor[index] ?? [] })),
    ({ pair }) => rankOf(pair),
  );
  const done: Pair[] = [];
  while (left.length > 0) {
    const ready = left.findIndex(({ waitsFor }) => waitsFor.every((other) => done.includes(other)));
    done.push(...left.splice(Math.max(ready, 0), 1).map(({ pair }) => pair));
  }
  return done;
}

interface Anchors {
  readonly set: ReadonlySet<string>;
  readonly used: ReadonlySet<string>;
}

function findAnchors(pair: Pair): Anchors {
  const [set, used] = [new Set<string>(), new Set<string>()];
  visit(pair as never, {
    Node: (_key, node) => {
      if (isAlias(node)) used.add(node.source);
      else if ((isScalar(node) || isMap(node) || isSeq(node)) && node.anchor !== undefined)
        set.add(node.anchor);
    },
  });
  return { set, used };
}

function areTied(a: Anchors | undefined, b: Anchors | undefined): boolean {
  if (!a || !b) return false;
  const touches = (name: string, other: Anchors) => other.set.has(name) || other.used.has(name);
  return [...a.set].some((name) => touches(name, b)) || [...b.set].some((name) => touches(name, a));
}
