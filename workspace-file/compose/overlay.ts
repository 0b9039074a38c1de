/** Applies an overlay to a document: maps are merged by name, other values are replaced. */
import type { DocumentKind } from "../../resources/definition/placement.js";
import { formatHint } from "../../resources/definition/problems.js";
import {
  createLeaf,
  findLeafValue,
  type ListTree,
  listTree,
  type MapTree,
  mapTree,
  type Tree,
  type TreeMember,
  withMembers,
} from "../syntax/tree.js";
import type { Problems } from "./diagnostics.js";
import { type DocumentShape, findItemKey, getShapeUnder } from "./shape.js";

/** Keywords of overlays. */
const REMOVE = "$remove";
const REPLACE = "$replace";
const ADD = "$add";
const PLACES = ["$after", "$before"] as const;

/** Applies a patch to a base, and reports changes of parts that do not exist. */
export function applyOverlay(base: Tree, patch: Tree, shape: DocumentShape, problems: Problems): Tree {
  return new Overlay(problems).value(base, patch, shape);
}

class Overlay {
  constructor(private readonly problems: Problems) {}

  value(base: Tree, patch: Tree, shape: DocumentShape): Tree {
    const under = asMap(base, patch, shape);
    const over = asMap(patch, under, shape);
    if (under.kind === "map" && over.kind === "map") return this.map(under, over, shape);
    // An empty entry changes nothing.
    if (shape.is === "entry" && under.kind === "map" && findLeafValue(over) === null) return under;
    if (over.kind === "map") {
      if (under.kind === "list" && (over.entries.has(ADD) || over.entries.has(REMOVE)))
        return this.list(under, over);
      return this.map(mapTree(new Map(), over.at), over, shape);
    }
    if (shape.is === "section" && shape.kind.document.form === "list" && over.kind === "list")
      return this.items(under.kind === "list" ? under : listTree([], over.at), over, shape.kind);
    return over;
  }

  private map(base: MapTree, patch: MapTree, shape: DocumentShape): MapTree {
    if (findLeafValue(patch.entries.get(REPLACE)?.value) === true) {
      const rest = withMembers(patch, { [REPLACE]: undefined });
      return this.map(mapTree(new Map(), patch.at), rest, shape);
    }
    // A new entry that uses a template is complete only after its expansion.
    if (shape.is === "entry" && base.entries.size === 0 && patch.entries.has("template")) return patch;
    const entries = new Map(base.entries);
    for (const [key, member] of patch.entries) {
      if (isRemoval(member.value)) {
        if (!entries.delete(key)) this.nothingThere(member, key, [...base.entries.keys()]);
        this.aloneIn(member.value, []);
        continue;
      }
      // The name of an entry may begin like a keyword.
      const isName = shape.is === "section" && member.value.kind === "map";
      if (key.startsWith("$") && !isName) {
        const message = explainRefusal(key);
        this.problems.add(member.key, "overlay", message);
        continue;
      }
      const before = entries.get(key)?.value ?? createLeaf(null, member.key);
      const value = this.value(before, member.value, getShapeUnder(shape, key, member.value.kind === "list"));
      entries.set(key, { key: member.key, value });
    }
    return mapTree(entries, base.entries.size === 0 ? patch.at : base.at);
  }

  /** Adds items to a list of plain values, and removes items. */
  private list(base: ListTree, patch: MapTree): ListTree {
    let items = base.items;
    for (const [key, { key: at, value }] of patch.entries) {
      if ((key !== ADD && key !== REMOVE) || value.kind !== "list") {
        this.problems.add(at, "overlay", explainListKey(key, formatTree(value)));
        continue;
      }
      const named = value.items.map((item) => ({ item, plain: findLeafValue(item) }));
      if (key === ADD) {
        const there = items.map(findLeafValue);
        items = [...items, ...named.filter(({ plain }) => !there.includes(plain)).map(({ item }) => item)];
        continue;
      }
      for (const { item, plain } of named) {
        const left = items.filter((other) => findLeafValue(other) !== plain);
        if (left.length === items.length)
          this.nothingThere({ key: item.at, value: item }, formatTree(item), items.map(formatTree));
        items = left;
      }
    }
    return listTree(items, base.at);
  }

  /** Merges the items of an ordered section by their keys. */
  private items(base: ListTree, patch: ListTree, kind: DocumentKind): ListTree {
    const items = [...base.items];
    const entry: DocumentShape = { is: "entry", kind };
    const indexOf = (key: string | undefined) =>
      key === undefined ? -1 : items.findIndex((item) => findItemKey(item, kind) === key);
    for (const item of patch.items) {
      const key = findItemKey(item, kind);
      const at = indexOf(key);
      if (isRemoval(item)) {
        this.aloneIn(item, ["key", kind.document.keyedBy]);
        if (at >= 0) items.splice(at, 1);
        else this.nothingThere({ key: item.at, value: item }, key ?? "", this.keysOf(items, kind));
        continue;
      }
      const { rest, place: wantedIndex } = this.findWantedIndex(
        item,
        (wanted) => indexOf(wanted),
        this.keysOf(items, kind),
      );
      const before = items[at];
      const merged = this.value(before ?? createLeaf(null, item.at), rest, entry);
      if (before !== undefined) items.splice(at, 1);
      const moved =
        before !== undefined && wantedIndex !== undefined && at < wantedIndex ? wantedIndex - 1 : wantedIndex;
      items.splice(moved ?? (before === undefined ? items.length : at), 0, merged);
    }
    return listTree(items, base.items.length === 0 ? patch.at : base.at);
  }

  /** Returns the requested index of an item, and the item without the keyword. */
  private findWantedIndex(item: Tree, indexOf: (key: string) => number, keys: readonly string[]) {
    if (item.kind !== "map") return { rest: item, place: undefined };
    const word = PLACES.find((candidate) => item.entries.has(candidate));
    if (word === undefined) return { rest: item, place: undefined };
    const rest = withMembers(item, { [word]: undefined });
    const member = item.entries.get(word)!;
    const wanted = formatTree(member.value);
    const index = indexOf(wanted);
    if (index < 0) this.nothingThere(member, wanted, keys);
    return { rest, place: index < 0 ? undefined : word === "$after" ? index + 1 : index };
  }

  private keysOf(items: readonly Tree[], kind: DocumentKind): string[] {
    return items.map((item) => findItemKey(item, kind)).filter((key) => key !== undefined);
  }

  /** Reports properties next to a removal, which have no effect. */
  private aloneIn(removal: Tree, names: readonly string[]): void {
    for (const [key, { key: at }] of removal.kind === "map" ? removal.entries : []) {
      if (key === REMOVE || names.includes(key)) continue;
      this.problems.add(
        at,
        "overlay",
        `${REMOVE}: true removes this entry, so ${key} next to it has no effect: remove one of the two lines`,
      );
    }
  }

  private nothingThere({ key: at }: TreeMember, name: string, names: readonly string[]): void {
    const others = names.length === 0 ? ": nothing is declared there" : `, only ${names.join(", ")}`;
    const message = `there is no "${name}" in the file that this overlay changes${formatHint(name, names) || others}`;
    this.problems.add(at, "overlay", message);
  }
}

/** Returns a plain value for a message. */
function formatTree(tree: Tree): string {
  const value = findLeafValue(tree);
  return typeof value === "object" || value === undefined ? "" : String(value);
}

function explainListKey(key: string, value: string): string {
  return key === ADD || key === REMOVE
    ? `"${key}" must be a list, even of one item: write ${key}: [${value || "..."}]`
    : `"${key}" has no meaning here, because the overlay changes a list: write ${ADD}: [...] with the items to add, or ${REMOVE}: [...] with the items to remove`;
}

/** Explains why a keyword has no meaning at its location. */
function explainRefusal(key: string): string {
  const words = [REMOVE, REPLACE, ...PLACES];
  if (key === REMOVE || key === REPLACE)
    return `"${key}" must be true: write "${key}: true", or remove the line`;
  if ((PLACES as readonly string[]).includes(key))
    return `${key} gives an item of a list its position: remove it here, because the entries of a map have no order, or because ${key === "$after" ? "$before" : "$after"} is set, too`;
  return `${key} is not a keyword of an overlay here${formatHint(key, words) || `: the keywords are ${words.join(", ")}, and, where the file has a list, ${ADD}: [...]`}`;
}

function isRemoval(tree: Tree): boolean {
  return tree.kind === "map" && findLeafValue(tree.entries.get(REMOVE)?.value) === true;
}

/** Expands the short form of an entry when the other one is a map. */
function asMap(tree: Tree, other: Tree, shape: DocumentShape): Tree {
  const scalar = shape.is === "entry" ? shape.kind?.document.scalar : undefined;
  if (scalar === undefined || tree.kind !== "leaf" || tree.value === null || other.kind !== "map")
    return tree;
  return mapTree(new Map([[scalar, { key: tree.at, value: tree }]]), tree.at);
}
