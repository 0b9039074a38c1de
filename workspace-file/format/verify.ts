/** Verifies that formatting changes no value and loses no comment. */
import { type Document, isAlias, isMap, isPair, isScalar, isSeq, Parser, visit } from "yaml";
import { formatKeyText } from "./forms.js";

/** Reports whether two documents have the same value, in any order of keys. Aliases must refer to the same node. */
export function isSameDocument(a: Document, b: Document): boolean {
  const [left, right] = [findAnchorPaths(a), findAnchorPaths(b)];
  const same = (x: unknown, y: unknown): boolean => {
    if (isAlias(x) || isAlias(y)) {
      return isAlias(x) && isAlias(y) && left.get(x.resolve(a)) === right.get(y.resolve(b));
    }
    if (findTag(x) !== findTag(y)) return false;
    if (isMap(x) && isMap(y)) {
      if (x.items.length !== y.items.length) return false;
      const others = new Map(y.items.map((pair) => [getKey(pair.key), pair.value]));
      return x.items.every(
        ({ key, value }) => others.has(getKey(key)) && same(value, others.get(getKey(key))),
      );
    }
    if (isSeq(x) && isSeq(y)) {
      return x.items.length === y.items.length && x.items.every((item, index) => same(item, y.items[index]));
    }
    if (isPair(x) && isPair(y)) return same(x.key, y.key) && same(x.value, y.value);
    if (isMap(x) || isSeq(x) || isMap(y) || isSeq(y)) return false;
    return Object.is(getScalar(x), getScalar(y));
  };
  return same(a.contents, b.contents);
}

/** Returns the comments of a text, sorted. */
export function listCommentsIn(text: string): string[] {
  const found: string[] = [];
  const walk = (token: unknown): void => {
    if (Array.isArray(token)) token.forEach(walk);
    else if (typeof token === "object" && token !== null) {
      const { type, source } = token as { type?: string; source?: string };
      if (type === "comment" && source !== undefined) found.push(source.trimEnd());
      Object.values(token).forEach(walk);
    }
  };
  for (const token of new Parser().parse(text)) walk(token);
  return found.sort();
}

const getKey = (key: unknown) => (isAlias(key) ? `*${key.source}` : formatKeyText(key));
const findTag = (node: unknown) => (isScalar(node) || isMap(node) || isSeq(node) ? node.tag : undefined);
const getScalar = (node: unknown): unknown => (isScalar(node) ? node.value : (node ?? null));

/** Returns the path of each anchored node, which does not depend on the order of keys. */
function findAnchorPaths(document: Document): Map<unknown, string> {
  const paths = new Map<unknown, string>();
  visit(document, {
    Node(key, node, ancestors) {
      if (!("anchor" in node) || node.anchor === undefined) return;
      const steps = ancestors.map((parent, index) => {
        if (isPair(parent)) return getKey(parent.key);
        return isSeq(parent) ? String(parent.items.indexOf(ancestors[index + 1] ?? node)) : "";
      });
      paths.set(node, JSON.stringify([...steps, key === "key" ? "key" : ""]));
    },
  });
  return paths;
}
