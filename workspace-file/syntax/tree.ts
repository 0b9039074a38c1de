/** A document as a tree that remembers where each of its parts is written, so that parts of many files can be put together. */
import type { PropertyPath } from "../../provider/definition/problems.js";
import type { Position, Source } from "./source.js";

export type Tree = MapTree | ListTree | LeafTree;

interface Part {
  readonly at: Position;
  /** Parts in all, itself included: what it is when every alias is written out. */
  readonly size: number;
}

export interface TreeMember {
  /** Where the key is written. */
  readonly key: Position;
  readonly value: Tree;
}

export interface MapTree extends Part {
  readonly kind: "map";
  readonly entries: ReadonlyMap<string, TreeMember>;
}

export interface ListTree extends Part {
  readonly kind: "list";
  readonly items: readonly Tree[];
}

export interface LeafTree extends Part {
  readonly kind: "leaf";
  readonly value: string | number | boolean | null | Interpolated;
  /** Where its text ends in the source. */
  readonly end: number;
  /** The text as it was written, when placeholders have been filled. */
  readonly written?: string;
  /** A placeholder has brought in a secret. */
  readonly secret?: boolean;
  /** A placeholder could not be filled, or has a made-up value: what is said of the value says nothing. */
  readonly mock?: boolean;
}

/** An output of another object, as in `${ref:projects/web.httpRepository}`. */
export interface OutputReference {
  /** Logical name of the object. */
  readonly name: string;
  readonly output: string;
  /** Where it is written. */
  readonly at: Position;
}

/** A text with parts that are known only when other objects have been made. */
export class Interpolated {
  constructor(readonly parts: readonly (string | OutputReference)[]) {}
}

export function mapTree(entries: ReadonlyMap<string, TreeMember>, at: Position): MapTree {
  let size = 1;
  for (const { value } of entries.values()) size += value.size;
  return { kind: "map", entries, at, size };
}

export function listTree(items: readonly Tree[], at: Position): ListTree {
  return { kind: "list", items, at, size: items.reduce((sum, item) => sum + item.size, 1) };
}

export function leafTree(value: LeafTree["value"], at: Position, end: number = at.offset): LeafTree {
  return { kind: "leaf", value, at, end, size: 1 };
}

/** The map with some members set or, where undefined, taken out; new ones come last. */
export function withMembers(
  tree: MapTree,
  changes: Readonly<Record<string, Tree | undefined>>,
  at: Position = tree.at,
): MapTree {
  const entries = new Map(tree.entries);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) entries.delete(key);
    else entries.set(key, { key: tree.entries.get(key)?.key ?? value.at, value });
  }
  return mapTree(entries, at);
}

/** The plain text, number, ... of a leaf; undefined for anything else. */
export function leafValue(tree: Tree | undefined): LeafTree["value"] | undefined {
  return tree?.kind === "leaf" ? tree.value : undefined;
}

/** The tree with each leaf replaced. Parts that nothing replaces stay the same objects. */
export function mapLeaves(tree: Tree, change: (leaf: LeafTree) => Tree): Tree {
  const done = new Map<Tree, Tree>();
  const visit = (part: Tree): Tree => {
    if (part.kind === "leaf") return change(part);
    const known = done.get(part);
    if (known) return known;
    const result = changed(part);
    done.set(part, result);
    return result;
  };
  const changed = (part: MapTree | ListTree): Tree => {
    if (part.kind === "list") {
      const items = part.items.map(visit);
      return items.every((item, index) => item === part.items[index]) ? part : listTree(items, part.at);
    }
    let same = true;
    const entries = new Map<string, TreeMember>();
    for (const [key, member] of part.entries) {
      const value = visit(member.value);
      same &&= value === member.value;
      entries.set(key, value === member.value ? member : { ...member, value });
    }
    return same ? part : mapTree(entries, part.at);
  };
  return visit(tree);
}

/** The plain value. A key such as `__proto__` becomes an own property like any other. */
export function valueOf(tree: Tree): unknown {
  if (tree.kind === "leaf") return tree.value;
  if (tree.kind === "list") return tree.items.map(valueOf);
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, valueOf(value)]));
}

/** A plain value (of a module) as a tree: all of it is at the beginning of the source. */
export function treeOf(value: unknown, source: Source): Tree {
  const at = { source, offset: 0 };
  if (Array.isArray(value)) {
    return listTree(
      value.map((item) => treeOf(item, source)),
      at,
    );
  }
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, part]) => part !== undefined);
    return mapTree(
      new Map(entries.map(([key, part]) => [key, { key: at, value: treeOf(part, source) }])),
      at,
    );
  }
  return leafTree((value ?? null) as LeafTree["value"], at);
}

/** Whether a placeholder has brought a secret into the part. */
export function holdsSecret(tree: Tree | undefined): boolean {
  if (tree === undefined) return false;
  if (tree.kind === "leaf") return tree.secret === true;
  if (tree.kind === "list") return tree.items.some(holdsSecret);
  return [...tree.entries.values()].some(({ value }) => holdsSecret(value));
}

/** The texts that placeholders have brought in as secrets. */
export function secretTexts(tree: Tree): string[] {
  if (tree.kind === "leaf") return tree.secret && typeof tree.value === "string" ? [tree.value] : [];
  const parts = tree.kind === "list" ? tree.items : [...tree.entries.values()].map(({ value }) => value);
  return parts.flatMap(secretTexts);
}

/** The part at a path; undefined when there is none. */
export function partAt(tree: Tree | undefined, path: PropertyPath): Tree | undefined {
  let part = tree;
  for (const step of path) part = childOf(part, step)?.value;
  return part;
}

/** Where the value (or the key) at a path is written, or the nearest part above it that is written. */
export function positionAt(tree: Tree, path: PropertyPath, atKey = false): Position {
  let part = tree;
  let position = tree.at;
  for (const [index, step] of path.entries()) {
    const child = childOf(part, step);
    if (child === undefined) return position;
    const last = index === path.length - 1;
    const empty = child.value.kind === "leaf" && child.value.value === null;
    position = (last && atKey) || empty ? child.key : child.value.at;
    part = child.value;
  }
  return position;
}

function childOf(tree: Tree | undefined, step: string | number): TreeMember | undefined {
  if (tree?.kind === "map") return tree.entries.get(String(step));
  const item = tree?.kind === "list" && typeof step === "number" ? tree.items[step] : undefined;
  return item && { key: item.at, value: item };
}
