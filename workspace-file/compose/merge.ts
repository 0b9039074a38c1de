/** Several files as one document: sections are merged, and nothing may be declared twice. */
import { isSameJson } from "../../diff/values.js";
import { documentHead } from "../document/properties.js";
import {
  findLeafValue,
  getValue,
  type MapTree,
  mapTree,
  type Tree,
  type TreeMember,
} from "../syntax/tree.js";
import { formatWhere, type Problems } from "./diagnostics.js";
import { DOCUMENT, type DocumentShape, getSections, getShapeUnder } from "./shape.js";

/** Maps at the top of a file that several files may add names to. */
const SHARED = ["templates", "defaults"];

/** Merges documents into one. */
export function mergeDocuments(documents: readonly MapTree[], problems: Problems): MapTree {
  const [first, ...others] = documents;
  if (first === undefined) throw new Error("there is no document to merge");
  const merger = new Merger(problems);
  return others.reduce((base, more) => merger.documents(base, more), first);
}

/** Merges two maps. `both` returns the value of a key that both have. */
function mergeMaps(
  before: MapTree,
  after: MapTree,
  both: (key: string, one: TreeMember, other: TreeMember) => Tree,
): MapTree {
  const entries = new Map(before.entries);
  for (const [key, member] of after.entries) {
    const known = entries.get(key);
    entries.set(key, known === undefined ? member : { ...known, value: both(key, known, member) });
  }
  return mapTree(entries, before.at);
}

class Merger {
  constructor(private readonly problems: Problems) {}

  documents(base: MapTree, more: MapTree): MapTree {
    return mergeMaps(base, more, (key, before, after) => {
      if (key in documentHead) return this.head(key, before.value, after.value);
      if (!SHARED.includes(key))
        return this.section(getShapeUnder(DOCUMENT, key, after.value.kind === "list"), key, before, after);
      if (before.value.kind !== "map" || after.value.kind !== "map") return before.value;
      return mergeMaps(before.value, after.value, (name, one, other) =>
        this.twice(`"${name}" of ${key}`, one, other),
      );
    });
  }

  private head(key: string, before: Tree, after: Tree): Tree {
    if (!isSameJson(getValue(before), getValue(after)))
      this.problems.add(
        after.at,
        "declared-twice",
        `"${key}" has another value in ${formatWhere(before.at)}: remove one of the two`,
      );
    return before;
  }

  private section(shape: DocumentShape, section: string, before: TreeMember, after: TreeMember): Tree {
    const [one, other] = [before.value, after.value];
    if (findLeafValue(one) === null) return other;
    if (findLeafValue(other) === null) return one;
    if (shape.is !== "section" || one.kind !== "map" || other.kind !== "map")
      return this.twice(section, before, after);
    const { type, noun } = shape.kind;
    return mergeMaps(one, other, (name, a, b) =>
      holdsOnly(a, type) || holdsOnly(b, type)
        ? this.entry(type, a.value, b.value)
        : this.twice(`${noun} "${name}"`, a, b),
    );
  }

  private entry(type: string, before: Tree, after: Tree): Tree {
    if (before.kind !== "map" || after.kind !== "map") return before.kind === "map" ? before : after;
    return mergeMaps(before, after, (key, one, other) => {
      const kind = getSections(type).get(key);
      return kind ? this.section({ is: "section", kind }, key, one, other) : one.value;
    });
  }

  private twice(what: string, before: TreeMember, after: TreeMember): Tree {
    const message = `${what} is declared twice: also in ${formatWhere(before.key)}. Remove one of them, or merge them`;
    this.problems.add(after.key, "declared-twice", message);
    return before.value;
  }
}

/** Reports whether an entry contains only sections. Its declaration may be in another file. */
function holdsOnly({ value }: TreeMember, type: string): boolean {
  const sections = getSections(type);
  return value.kind === "map" && [...value.entries.keys()].every((key) => sections.has(key));
}
