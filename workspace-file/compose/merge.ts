/** Files that are one document: sections are put together, and nothing may be said twice. */
import { documentHead } from "../document/properties.js";
import { leafValue, mapTree, valueOf, type MapTree, type TreeMember } from "../syntax/tree.js";
import { sameJson } from "../../diff/values.js";
import { where, type Problems } from "./diagnostics.js";
import { DOCUMENT, sectionsOf, shapeUnder, type DocumentShape } from "./shape.js";

/** Maps at the top that many files may add to; each name in one of them. */
const SHARED = ["templates", "defaults"];

/** One document of several. */
export function mergeDocuments(documents: readonly MapTree[], problems: Problems): MapTree {
  const [first, ...others] = documents;
  if (first === undefined) throw new Error("there is no document to merge");
  return others.reduce((base, more) => mergeTwo(base, more, problems), first);
}

function mergeTwo(base: MapTree, more: MapTree, problems: Problems): MapTree {
  const entries = new Map(base.entries);
  for (const [key, member] of more.entries) {
    const before = entries.get(key);
    if (before === undefined) entries.set(key, member);
    else entries.set(key, { ...before, value: mergeTop(key, before, member, problems) });
  }
  return mapTree(entries, base.at);
}

function mergeTop(
  key: string,
  before: TreeMember,
  after: TreeMember,
  problems: Problems,
): TreeMember["value"] {
  if (key in documentHead) {
    if (!sameJson(valueOf(before.value), valueOf(after.value)))
      problems.add(
        after.value.at,
        "declared-twice",
        `${key} is another one than in ${where(before.value.at)}: say it in one of the files`,
      );
    return before.value;
  }
  if (SHARED.includes(key)) return mergeNames(key, before, after, problems);
  return mergeSection(shapeUnder(DOCUMENT, key, after.value), key, before, after, problems);
}

/** Two maps of which each name is in one only. */
function mergeNames(
  what: string,
  before: TreeMember,
  after: TreeMember,
  problems: Problems,
): TreeMember["value"] {
  if (before.value.kind !== "map" || after.value.kind !== "map") return before.value;
  const entries = new Map(before.value.entries);
  for (const [name, member] of after.value.entries) {
    const other = entries.get(name);
    if (other === undefined) entries.set(name, member);
    else twice(`"${name}" of ${what}`, other, member, problems);
  }
  return mapTree(entries, before.value.at);
}

function mergeSection(
  shape: DocumentShape,
  section: string,
  before: TreeMember,
  after: TreeMember,
  problems: Problems,
): TreeMember["value"] {
  if (leafValue(before.value) === null) return after.value;
  if (leafValue(after.value) === null) return before.value;
  if (shape.is !== "section" || before.value.kind !== "map" || after.value.kind !== "map") {
    twice(section, before, after, problems);
    return before.value;
  }
  const { type, noun } = shape.kind;
  const entries = new Map(before.value.entries);
  for (const [name, member] of after.value.entries) {
    const other = entries.get(name);
    if (other === undefined) entries.set(name, member);
    else if (!onlyHolds(other, type) && !onlyHolds(member, type))
      twice(`${noun} "${name}"`, other, member, problems);
    else entries.set(name, { ...other, value: mergeEntry(type, other, member, problems) });
  }
  return mapTree(entries, before.value.at);
}

/** The entry says nothing of itself, it only has sections; `external` goes along with that. */
function onlyHolds({ value }: TreeMember, type: string): boolean {
  const sections = sectionsOf(type);
  return value.kind === "map" && [...value.entries.keys()].every((key) => sections.has(key));
}

function mergeEntry(
  type: string,
  before: TreeMember,
  after: TreeMember,
  problems: Problems,
): TreeMember["value"] {
  if (before.value.kind !== "map" || after.value.kind !== "map")
    return before.value.kind === "map" ? before.value : after.value;
  const entries = new Map(before.value.entries);
  for (const [key, member] of after.value.entries) {
    const other = entries.get(key);
    const kind = sectionsOf(type).get(key);
    if (other === undefined) entries.set(key, member);
    else if (kind)
      entries.set(key, {
        ...other,
        value: mergeSection({ is: "section", kind }, key, other, member, problems),
      });
  }
  return mapTree(entries, before.value.at);
}

function twice(what: string, before: TreeMember, after: TreeMember, problems: Problems): void {
  const message = `${what} is declared twice: also in ${where(before.key)}. Take one of them out, or put them together`;
  problems.add(after.key, "declared-twice", message);
}
