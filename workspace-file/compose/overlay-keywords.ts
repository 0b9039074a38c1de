/**
 * Separates the template keywords of an overlay from the rest. They apply before templates are expanded. The rest applies afterwards,
 * because the entries that it changes do not exist before.
 */
import { mapTree, withMembers, type MapTree, type TreeMember, type Tree } from "../syntax/tree.js";
import { overlay } from "./overlay.js";
import type { Problems } from "./diagnostics.js";
import { DOCUMENT, sectionsOf, shapeUnder, type DocumentShape } from "./shape.js";

const AT_THE_TOP = ["templates", "defaults"];
const OF_AN_ENTRY = ["template", "with"];

/** Applies the template keywords of an overlay to the base. Returns both. */
export function overlayWords(
  base: MapTree,
  patch: MapTree,
  problems: Problems,
): { base: MapTree; rest: MapTree } {
  const top = only(patch, AT_THE_TOP);
  const under = overlay(base, top, DOCUMENT, problems) as MapTree;
  return inEntry(under, without(patch, AT_THE_TOP), DOCUMENT);
}

function inEntry(base: MapTree, patch: MapTree, shape: DocumentShape): { base: MapTree; rest: MapTree } {
  const changed: Record<string, Tree> = {};
  const rest: Record<string, Tree> = {};
  const type = shape.is === "entry" ? shape.kind?.type : undefined;
  for (const section of sectionsOf(type).keys()) {
    const [under, over] = [base.entries.get(section)?.value, patch.entries.get(section)?.value];
    if (under?.kind !== "map" || over?.kind !== "map") continue;
    const result = inSection(under, over, shapeUnder(shape, section, false));
    [changed[section], rest[section]] = [result.base, result.rest];
  }
  const [words, before] = [only(patch, OF_AN_ENTRY), only(base, OF_AN_ENTRY)];
  for (const [word, { value }] of before.entries.size > 0 ? words.entries : []) {
    const given = base.entries.get(word)?.value;
    changed[word] =
      given?.kind === "map" && value.kind === "map"
        ? mapTree(new Map([...given.entries, ...value.entries]), given.at)
        : value;
  }
  return {
    base: withMembers(base, changed),
    rest: withMembers(before.entries.size > 0 ? without(patch, OF_AN_ENTRY) : patch, rest),
  };
}

function inSection(base: MapTree, patch: MapTree, shape: DocumentShape): { base: MapTree; rest: MapTree } {
  const [changed, rest] = [new Map(base.entries), new Map(patch.entries)];
  for (const [key, member] of patch.entries) {
    const under = base.entries.get(key);
    if (under?.value.kind !== "map" || member.value.kind !== "map") continue;
    const result = inEntry(under.value, member.value, shapeUnder(shape, key, false));
    changed.set(key, { ...under, value: result.base });
    rest.set(key, { ...member, value: result.rest });
  }
  return { base: mapTree(changed, base.at), rest: mapTree(rest, patch.at) };
}

function only(tree: MapTree, keys: readonly string[]): MapTree {
  return mapTree(new Map(members(tree).filter(([key]) => keys.includes(key))), tree.at);
}

function without(tree: MapTree, keys: readonly string[]): MapTree {
  return mapTree(new Map(members(tree).filter(([key]) => !keys.includes(key))), tree.at);
}

function members(tree: MapTree): [string, TreeMember][] {
  return [...tree.entries];
}
