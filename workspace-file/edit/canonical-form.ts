/** Canonical form of a document, by which two documents are compared and the effect of an edit is predicted. */
import { isDeepStrictEqual } from "node:util";
import { diffLeaves, type PropertyPath } from "../../diff/structural-diff.js";
import { isPlain } from "../../diff/values.js";
import { splitPieces, unescapePlaceholders } from "../compose/placeholders.js";
import { type DocumentShape, findItemKey, getShapeUnder } from "../compose/shape.js";
import { findLeafValue, Interpolated, type LeafTree, listPlaceholdersIn, type Tree } from "../syntax/tree.js";
import { AsWritten } from "./edit-types.js";

/** Text with placeholders, and its value. */
export class Filled {
  constructor(
    readonly written: string,
    readonly value: unknown,
    /** Leaf with the location. */
    readonly leaf: LeafTree,
  ) {}
}

/** Plain values, with `Filled` for texts with placeholders. */
export type Canonical = unknown;
export type CanonicalMap = Readonly<Record<string, Canonical>>;

/** Reports whether a text of a file contains a placeholder. */
export const hasPlaceholder = (text: string) => splitPieces(text).some((piece) => typeof piece === "object");

/** Returns the canonical form of a part: with short forms expanded, and without empty properties of entries. */
export function toCanonical(tree: Tree, shape: DocumentShape): Canonical {
  if (shape.is === "section") return toCanonicalSection(tree, shape);
  if (shape.is === "entry") return toCanonicalEntry(tree, shape);
  return toPlain(tree);
}

function toCanonicalSection(tree: Tree, shape: DocumentShape & { is: "section" }): Canonical {
  const entry: DocumentShape = { is: "entry", kind: shape.kind };
  if (tree.kind === "map")
    return toCanonicalMap([...tree.entries].map(([key, { value }]) => [key, toCanonical(value, entry)]));
  if (tree.kind !== "list" || shape.kind.document.form === "keys") return toPlain(tree);
  return tree.items.map((item) => {
    const normal = toCanonical(item, entry);
    const key = findItemKey(item, shape.kind);
    return isPlain(normal) && key !== undefined ? { key, ...normal } : normal;
  });
}

function toCanonicalEntry(tree: Tree, shape: DocumentShape & { is: "entry" }): Canonical {
  if (tree.kind === "leaf") {
    if (findLeafValue(tree) === null) return {};
    const scalar = shape.kind?.document.scalar;
    return scalar === undefined ? toPlain(tree) : { [scalar]: toPlain(tree) };
  }
  if (tree.kind === "list") return toPlain(tree);
  const members = [...tree.entries].flatMap(([key, { value }]): [string, Canonical][] => {
    const below = getShapeUnder(shape, key, value.kind === "list");
    const normal = toCanonical(value, below);
    return normal === null || (below.is === "section" && isEmpty(normal)) ? [] : [[key, normal]];
  });
  return toCanonicalMap(members);
}

function toPlain(tree: Tree): Canonical {
  if (tree.kind === "list") return tree.items.map(toPlain);
  if (tree.kind === "map")
    return toCanonicalMap([...tree.entries].map(([key, { value }]) => [key, toPlain(value)]));
  if (tree.written === undefined || listPlaceholdersIn(tree).length === 0) return tree.value;
  const value = tree.mock || tree.value instanceof Interpolated ? undefined : tree.value;
  return new Filled(tree.written, value, tree);
}

/** Reports whether a part is empty. An empty section is equivalent to none. */
export const isEmpty = (value: Canonical) =>
  value === null ||
  (Array.isArray(value) && value.length === 0) ||
  (isPlain(value) && Object.keys(value).length === 0);

/** Returns a map, which may have the key `__proto__`. */
export const toCanonicalMap = (entries: Iterable<readonly [string, Canonical]>): CanonicalMap =>
  Object.fromEntries(entries);

/** Returns the key of an item of a list section. */
export function findKeyOfItem(item: Canonical): string | undefined {
  const key = isPlain(item) ? item["key"] : item;
  const value = key instanceof Filled ? key.value : key;
  return typeof value === "string" || typeof value === "number" ? String(value) : undefined;
}

export function getCanonicalAt(form: Canonical, path: PropertyPath): Canonical {
  let part = form;
  for (const step of path) {
    if (Array.isArray(part)) part = (part as Canonical[])[Number(step)];
    else if (isPlain(part) && Object.hasOwn(part, step)) part = part[step];
    else return undefined;
  }
  return part;
}

/** Returns the form with a part set or, where undefined, removed. Creates missing maps. */
export function withPart(form: Canonical, [step, ...rest]: PropertyPath, value: Canonical): Canonical {
  if (step === undefined) return value;
  if (Array.isArray(form)) {
    const items = form as Canonical[];
    const inner = withPart(items[Number(step)], rest, value);
    return inner === undefined ? items.toSpliced(Number(step), 1) : items.with(Number(step), inner);
  }
  const inner = withPart(getCanonicalAt(form, [step]), rest, value);
  const others = Object.entries(isPlain(form) ? form : {}).filter(([key]) => key !== String(step));
  return toCanonicalMap(inner === undefined ? others : [...others, [String(step), inner]]);
}

/** Reports whether two forms are equivalent. `b` may contain texts that are not written yet. */
export function isSameCanonical(a: Canonical, b: Canonical): boolean {
  if (b instanceof AsWritten)
    return hasPlaceholder(b.text)
      ? a instanceof Filled && a.written === b.text
      : a === unescapePlaceholders(b.text);
  if (a instanceof Filled || b instanceof Filled)
    return (
      a instanceof Filled &&
      b instanceof Filled &&
      a.written === b.written &&
      // The value of a new placeholder is not known before it is written.
      (b.value === undefined || isDeepStrictEqual(a.value, b.value))
    );
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSameCanonical(item, b[index]));
  if (!isPlain(a) || !isPlain(b)) return Object.is(a ?? null, b ?? null);
  const keys = new Set([...Object.keys(a), ...Object.keys(b)]);
  return [...keys].every((key) => isSameCanonical(a[key], b[key]));
}

/** Returns the paths at which two forms differ. */
export function listCanonicalDifferences(a: Canonical, b: Canonical): PropertyPath[] {
  const leaves = [...diffLeaves([a, b], { isMap: isPlain })];
  return leaves.filter(({ values: [one, other] }) => !isSameCanonical(one, other)).map(({ path }) => path);
}

/** Reports whether a text with placeholders has a value. The text may represent a number or a boolean. */
export function isFilledBy({ value }: Filled, wanted: unknown): boolean {
  if (typeof wanted === "number" || typeof wanted === "boolean") return value === String(wanted);
  return typeof wanted === "string" && value === wanted;
}

export interface ChangedPart {
  readonly path: PropertyPath;
  readonly before: Canonical;
  readonly after: Canonical;
}

/** Returns the parts that differ. Lists count as a whole. */
export function findChangedParts(before: Canonical, after: Canonical, path: PropertyPath): ChangedPart[] {
  if (isSameCanonical(before, after)) return [];
  if (!isPlain(before) || !isPlain(after)) return [{ path, before, after }];
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].flatMap((key) => findChangedParts(before[key], after[key], [...path, key]));
}
