/** A document laid over another: maps are merged by names, everything else replaces. */
import { hint } from "../../provider/definition/problems.js";
import {
  leafTree,
  leafValue,
  listTree,
  mapTree,
  withMembers,
  type ListTree,
  type MapTree,
  type TreeMember,
  type Tree,
} from "../syntax/tree.js";
import type { Problems } from "./diagnostics.js";
import { itemKey, shapeUnder, type Placed, type DocumentShape } from "./shape.js";

/** Words of overlays; nothing else begins so. */
const REMOVE = "$remove";
const REPLACE = "$replace";
const ADD = "$add";
const PLACES = ["$after", "$before"] as const;

/** The base with the patch laid over it. What the patch says of what is not there is a problem. */
export function overlay(base: Tree, patch: Tree, shape: DocumentShape, problems: Problems): Tree {
  return new Overlay(problems).value(base, patch, shape);
}

class Overlay {
  constructor(private readonly problems: Problems) {}

  value(base: Tree, patch: Tree, shape: DocumentShape): Tree {
    const under = asMap(base, patch, shape);
    const over = asMap(patch, under, shape);
    if (under.kind === "map" && over.kind === "map") return this.map(under, over, shape);
    // An entry without anything more says only that it is there.
    if (shape.is === "entry" && under.kind === "map" && leafValue(over) === null) return under;
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
    if (leafValue(patch.entries.get(REPLACE)?.value) === true) {
      const rest = withMembers(patch, { [REPLACE]: undefined });
      return this.map(mapTree(new Map(), patch.at), rest, shape);
    }
    // A new entry of a template is complete only when that is filled in.
    if (shape.is === "entry" && base.entries.size === 0 && patch.entries.has("template")) return patch;
    const entries = new Map(base.entries);
    for (const [key, member] of patch.entries) {
      if (isRemoval(member.value)) {
        if (!entries.delete(key)) this.nothingThere(member, key, [...base.entries.keys()]);
        this.aloneIn(member.value, []);
        continue;
      }
      // An entry may have such a name.
      const isName = shape.is === "section" && member.value.kind === "map";
      if (key.startsWith("$") && !isName) {
        const message = whyNot(key);
        this.problems.add(member.key, "overlay", message);
        continue;
      }
      const before = entries.get(key)?.value ?? absent(member);
      const value = this.value(before, member.value, shapeUnder(shape, key, member.value));
      entries.set(key, { key: member.key, value });
    }
    return mapTree(entries, base.entries.size === 0 ? patch.at : base.at);
  }

  /** Adds to a list of plain values, and takes from it. */
  private list(base: ListTree, patch: MapTree): ListTree {
    let items = base.items;
    for (const [key, { key: at, value }] of patch.entries) {
      if ((key !== ADD && key !== REMOVE) || value.kind !== "list") {
        this.problems.add(at, "overlay", `a list is changed by { ${ADD}: [...], ${REMOVE}: [...] }`);
        continue;
      }
      const named = value.items.map((item) => ({ item, plain: leafValue(item) }));
      if (key === ADD) {
        const there = items.map(leafValue);
        items = [...items, ...named.filter(({ plain }) => !there.includes(plain)).map(({ item }) => item)];
        continue;
      }
      for (const { item, plain } of named) {
        const left = items.filter((other) => leafValue(other) !== plain);
        if (left.length === items.length)
          this.nothingThere({ key: item.at, value: item }, textOf(item), items.map(textOf));
        items = left;
      }
    }
    return listTree(items, base.at);
  }

  /** Merges the items of an ordered section by their keys. */
  private items(base: ListTree, patch: ListTree, kind: Placed): ListTree {
    const items = [...base.items];
    const entry: DocumentShape = { is: "entry", kind };
    const indexOf = (key: string | undefined) =>
      key === undefined ? -1 : items.findIndex((item) => itemKey(item, kind) === key);
    for (const item of patch.items) {
      const key = itemKey(item, kind);
      const at = indexOf(key);
      if (isRemoval(item)) {
        this.aloneIn(item, ["key", kind.document.keyedBy]);
        if (at >= 0) items.splice(at, 1);
        else this.nothingThere({ key: item.at, value: item }, key ?? "", this.keysOf(items, kind));
        continue;
      }
      const { rest, place } = this.placeOf(item, (wanted) => indexOf(wanted), this.keysOf(items, kind));
      const before = items[at];
      const merged = this.value(before ?? leafTree(null, item.at), rest, entry);
      if (before !== undefined) items.splice(at, 1);
      const moved = before !== undefined && place !== undefined && at < place ? place - 1 : place;
      items.splice(moved ?? (before === undefined ? items.length : at), 0, merged);
    }
    return listTree(items, base.items.length === 0 ? patch.at : base.at);
  }

  /** Where an item wants to stand, and the item without that word. */
  private placeOf(item: Tree, indexOf: (key: string) => number, keys: readonly string[]) {
    if (item.kind !== "map") return { rest: item, place: undefined };
    const word = PLACES.find((candidate) => item.entries.has(candidate));
    if (word === undefined) return { rest: item, place: undefined };
    const rest = withMembers(item, { [word]: undefined });
    const member = item.entries.get(word)!;
    const wanted = textOf(member.value);
    const index = indexOf(wanted);
    if (index < 0) this.nothingThere(member, wanted, keys);
    return { rest, place: index < 0 ? undefined : word === "$after" ? index + 1 : index };
  }

  private keysOf(items: readonly Tree[], kind: Placed): string[] {
    return items.map((item) => itemKey(item, kind)).filter((key) => key !== undefined);
  }

  /** What is taken out has nothing else to say. */
  private aloneIn(removal: Tree, names: readonly string[]): void {
    for (const [key, { key: at }] of removal.kind === "map" ? removal.entries : []) {
      if (key === REMOVE || names.includes(key)) continue;
      this.problems.add(at, "overlay", `${REMOVE}: true takes this out: take ${key} out of the overlay`);
    }
  }

  private nothingThere({ key: at }: TreeMember, name: string, names: readonly string[]): void {
    const message = `there is no "${name}" under this overlay${hint(name, names) || `: there is ${names.join(", ") || "nothing"}`}`;
    this.problems.add(at, "overlay", message);
  }
}

/** What a new part is laid over: nothing, so that words inside it are seen. */
function absent({ value }: TreeMember): Tree {
  return value.kind === "map"
    ? mapTree(new Map(), value.at)
    : value.kind === "list"
      ? listTree([], value.at)
      : leafTree(null, value.at);
}

/** A plain value as it is named in messages. */
function textOf(tree: Tree): string {
  const value = leafValue(tree);
  return typeof value === "object" || value === undefined ? "" : String(value);
}

/** What is wrong with a word of overlays that means nothing where it stands. */
function whyNot(key: string): string {
  const words = [REMOVE, REPLACE, ...PLACES];
  if (key === REMOVE || key === REPLACE) return `${key} has the value true, or is left out`;
  if ((PLACES as readonly string[]).includes(key))
    return `${key} places an item of a list: it means nothing in a map, and nothing beside ${key === "$after" ? "$before" : "$after"}`;
  return `${key} is no word of an overlay here${hint(key, words) || `: they are ${words.join(", ")}, and ${ADD} in place of a list`}`;
}

function isRemoval(tree: Tree): boolean {
  return tree.kind === "map" && leafValue(tree.entries.get(REMOVE)?.value) === true;
}

/** An entry's short form written out, when the other one is a map. */
function asMap(tree: Tree, other: Tree, shape: DocumentShape): Tree {
  const scalar = shape.is === "entry" ? shape.kind?.document.scalar : undefined;
  if (scalar === undefined || tree.kind !== "leaf" || tree.value === null || other.kind !== "map")
    return tree;
  return mapTree(new Map([[scalar, { key: tree.at, value: tree }]]), tree.at);
}
