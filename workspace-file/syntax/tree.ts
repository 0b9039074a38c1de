/** Document as a tree that knows the position of each part, so that parts of several files can be composed. */
import type { PropertyPath } from "../../resources/definition/problems.js";
import type { SecretReference } from "../../trust/references.js";
import type { Diagnostic } from "./diagnostics.js";
import type { Position, Source } from "./source.js";

export type Tree = MapTree | ListTree | LeafTree;

interface Part {
  readonly at: Position;
  /** Number of parts with all aliases expanded, including itself. */
  readonly size: number;
}

export interface TreeMember {
  /** Position of the key. */
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
  /** Offset of the end of the text in the source. */
  readonly end: number;
  /** The text and its placeholders, apart from each other: a text that several files make together is never read again. */
  readonly pieces?: readonly Piece[];
  /** Text before its placeholders were replaced; masked if no text has these pieces. */
  readonly written?: string;
  /** Whether a placeholder was replaced by a secret. */
  readonly secret?: boolean;
  /** Whether a placeholder could not be replaced or has a mock value, so that checks of the value mean nothing. */
  readonly mock?: boolean;
  /** The secrets in a text that were put there. */
  readonly secretTexts?: readonly string[];
  /** The value of a secret text, with references in the place of each `${secret:...}`, where the provider can read all of them. */
  readonly parts?: readonly (string | SecretReference)[];
  /** Why a secret in the text cannot be read now. */
  readonly missing?: Diagnostic;
}

/** Placeholder in a text. */
export interface Placeholder {
  readonly whole: string;
  readonly kind: string;
  readonly body: string;
  /** Whether the value is hidden wherever it is used, because the kind is prefixed with `secret:`. */
  readonly secret: boolean;
  /** Position, where it is in another text than the leaf. */
  readonly at?: Position;
}

/** Placeholder, or a text between placeholders. */
export type Piece = string | Placeholder;

/** Output of another object, as in `${ref:projects/web.httpRepository}`. */
export interface OutputReference {
  /** Logical name of the object. */
  readonly name: string;
  readonly output: string;
  /** Position of the reference. */
  readonly at: Position;
}

/** Text with parts that are known only after other objects were created. */
export class Interpolated {
  constructor(readonly parts: readonly (string | OutputReference)[]) {}

  /** The outputs of other objects among its parts. */
  get outputs(): OutputReference[] {
    return this.parts.filter((part) => typeof part === "object");
  }
}

export function mapTree(entries: ReadonlyMap<string, TreeMember>, at: Position): MapTree {
  let size = 1;
  for (const { value } of entries.values()) size += value.size;
  return { kind: "map", entries, at, size };
}

export function listTree(items: readonly Tree[], at: Position): ListTree {
  return { kind: "list", items, at, size: items.reduce((sum, item) => sum + item.size, 1) };
}

export function createLeaf(value: LeafTree["value"], at: Position, end: number = at.offset): LeafTree {
  return { kind: "leaf", value, at, end, size: 1 };
}

/** Returns the map with members set or, where undefined, removed. New ones come last. */
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

/** Returns the value of a leaf, and undefined for other trees. */
export function findLeafValue(tree: Tree | undefined): LeafTree["value"] | undefined {
  return tree?.kind === "leaf" ? tree.value : undefined;
}

/** Returns the tree with each leaf replaced. Unchanged parts stay the same objects. */
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

/** Returns the plain value. A key such as `__proto__` becomes an own property like any other. */
export function getValue(tree: Tree): unknown {
  if (tree.kind === "leaf") return tree.value;
  if (tree.kind === "list") return tree.items.map(getValue);
  return Object.fromEntries([...tree.entries].map(([key, { value }]) => [key, getValue(value)]));
}

/**
 * Converts a plain value (of a module) into a tree. All parts have the position of the beginning of the source.
 * @param leafFor returns the leaf for an instance of a class, which would be a map otherwise
 */
export function buildTree(
  value: unknown,
  source: Source,
  leafFor: (value: object) => LeafTree | undefined = () => undefined,
): Tree {
  const at = { source, offset: 0 };
  const below = (part: unknown) => buildTree(part, source, leafFor);
  if (Array.isArray(value)) return listTree(value.map(below), at);
  if (typeof value !== "object" || value === null)
    return createLeaf((value ?? null) as LeafTree["value"], at);
  const leaf = leafFor(value);
  if (leaf) return leaf;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return mapTree(new Map(entries.map(([key, part]) => [key, { key: at, value: below(part) }])), at);
}

/** Returns the leaves of a part, in the order of the document. */
export function listLeavesIn(tree: Tree | undefined): LeafTree[] {
  if (tree === undefined) return [];
  if (tree.kind === "leaf") return [tree];
  const parts = tree.kind === "list" ? tree.items : [...tree.entries.values()].map(({ value }) => value);
  return parts.flatMap(listLeavesIn);
}

/** Returns the placeholders in a leaf. */
export function listPlaceholdersIn(leaf: LeafTree | undefined): Placeholder[] {
  return (leaf?.pieces ?? []).filter((piece) => typeof piece === "object");
}

/** Reports whether a placeholder in the part was replaced by a secret. */
export function holdsSecret(tree: Tree | undefined): boolean {
  return listLeavesIn(tree).some(({ secret }) => secret);
}

/** Returns the secrets from placeholders, without the texts around them. */
export function listTreeSecrets(tree: Tree): string[] {
  return listLeavesIn(tree).flatMap(({ secret, value, secretTexts }) =>
    secret && typeof value === "string" ? (secretTexts ?? [value]) : [],
  );
}

/** Returns why secrets in a part cannot be read now. */
export function listMissingSecrets(tree: Tree | undefined): Diagnostic[] {
  return listLeavesIn(tree).flatMap(({ missing }) => missing ?? []);
}

/** Returns the part at a path. */
export function findPartAt(tree: Tree | undefined, path: PropertyPath): Tree | undefined {
  let part = tree;
  for (const step of path) part = findChild(part, step)?.value;
  return part;
}

/** Returns the position of the value (or the key) at a path, or of its nearest existing parent. */
export function getPositionAt(tree: Tree, path: PropertyPath, atKey = false): Position {
  let part = tree;
  let position = tree.at;
  for (const [index, step] of path.entries()) {
    const child = findChild(part, step);
    if (child === undefined) return position;
    const last = index === path.length - 1;
    const empty = child.value.kind === "leaf" && child.value.value === null;
    position = (last && atKey) || empty ? child.key : child.value.at;
    part = child.value;
  }
  return position;
}

function findChild(tree: Tree | undefined, step: string | number): TreeMember | undefined {
  if (tree?.kind === "map") return tree.entries.get(String(step));
  const item = tree?.kind === "list" && typeof step === "number" ? tree.items[step] : undefined;
  return item && { key: item.at, value: item };
}
