/**
 * Separates the template keywords of an overlay from the rest. They apply before templates are expanded. The rest applies afterwards,
 * because the entries that it changes do not exist before.
 */
import { type MapTree, mapTree, type Tree, type TreeMember, withMembers } from "../syntax/tree.js";
import type { Problems } from "./diagnostics.js";
import { applyOverlay } from "./overlay.js";
import { DOCUMENT, type DocumentShape, getSections, getShapeUnder } from "./shape.js";

const AT_THE_TOP = ["templates", "defaults"];
const OF_AN_ENTRY = ["template", "with"];

/** Applies the template keywords of an overlay to the base. Returns both. */
export function applyOverlayKeywords(
  base: MapTree,
  patch: MapTree,
  problems: Problems,
): { base: MapTree; rest: MapTree } {
  const top = pickMembers(patch, AT_THE_TOP);
  const under = applyOverlay(base, top, DOCUMENT, problems) as MapTree;
  return applyInEntry(under, without(patch, AT_THE_TOP), DOCUMENT);
}

function applyInEntry(base: MapTree, patch: MapTree, shape: DocumentShape): { base: MapTree; rest: MapTree } {
  const changed: Record<string, Tree> = {};
  const rest: Record<string, Tree> = {};
  const type = shape.is === "entry" ? shape.kind?.type : undefined;
  for (const section of getSections(type).keys()) {
    const [under, over] = [base.entries.get(section)?.value, patch.entries.get(section)?.value];
    if (under?.kind !== "map" || over?.kind !== "map") continue;
    const result = applyInSection(under, over, getShapeUnder(shape, section, false));
    [changed[section], rest[section]] = [result.base, result.rest];
  }
  const [words, before] = [pickMembers(patch, OF_AN_ENTRY), pickMembers(base, OF_AN_ENTRY)];
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

function applyInSection(
  base: MapTree,
  patch: MapTree,
  shape: DocumentShape,
): { base: MapTree; rest: MapTree } {
  const [changed, rest] = [new Map(base.entries), new Map(patch.entries)];
  for (const [key, member] of patch.entries) {
    const under = base.entries.get(key);
    if (under?.value.kind !== "map" || member.value.kind !== "map") continue;
    const result = applyInEntry(under.value, member.value, getShapeUnder(shape, key, false));
    changed.set(key, { ...under, value: result.base });
    rest.set(key, { ...member, value: result.rest });
  }
  return { base: mapTree(changed, base.at), rest: mapTree(rest, patch.at) };
}

function pickMembers(tree: MapTree, keys: readonly string[]): MapTree {
  return mapTree(new Map(listMembers(tree).filter(([key]) => keys.includes(key))), tree.at);
}

function without(tree: MapTree, keys: readonly string[]): MapTree {
  return mapTree(new Map(listMembers(tree).filter(([key]) => !keys.includes(key))), tree.at);
}

function listMembers(tree: MapTree): [string, TreeMember][] {
  return [...tree.entries];
}
