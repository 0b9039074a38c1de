/** Composes the trees of files into one: merges them, applies overlays, expands templates and defaults. */
import type { Diagnostic } from "../syntax/diagnostics.js";
import { type MapTree, mapTree, type Tree } from "../syntax/tree.js";
import { applyDefaults } from "./defaults.js";
import { Problems } from "./diagnostics.js";
import { mergeDocuments } from "./merge.js";
import { applyOverlay } from "./overlay.js";
import { applyOverlayKeywords } from "./overlay-keywords.js";
import { DOCUMENT } from "./shape.js";
import { createTemplateExpander } from "./templates.js";

/** Properties at the top that control the composition and are not part of the result. */
const INSTRUCTIONS = ["include"];

/**
 * Composes a document.
 * @param documents the file and its includes, which must not declare anything twice
 * @param overlays overlays in the order in which they are applied
 */
export function compose(
  documents: readonly MapTree[],
  overlays: readonly MapTree[],
): { tree: MapTree; problems: readonly Diagnostic[] } {
  const problems = new Problems();
  let base = mergeDocuments(documents.map(withoutInstructions), problems);
  const rests = overlays.map((patch) => {
    const split = applyOverlayKeywords(base, withoutInstructions(patch), problems);
    base = split.base;
    return split.rest;
  });
  const expand = createTemplateExpander(base, problems);
  const over = (below: Tree, patch: Tree) => applyOverlay(below, patch, DOCUMENT, problems);
  // Entries of overlays may use templates too.
  const whole = expand(rests.reduce<Tree>(over, expand(base)) as MapTree);
  return { tree: applyDefaults(whole, problems), problems: dropRepeated(problems.all) };
}

function withoutInstructions(document: MapTree): MapTree {
  const entries = [...document.entries].filter(
    ([key]) => !INSTRUCTIONS.includes(key) && !key.startsWith("x-"),
  );
  return mapTree(new Map(entries), document.at);
}

/** Removes repeated problems: a part that is used several times may have the same problem each time. */
export function dropRepeated(problems: readonly Diagnostic[]): Diagnostic[] {
  const byText = new Map(problems.map((p) => [JSON.stringify([p.place, p.message]), p]));
  return [...byText.values()];
}
