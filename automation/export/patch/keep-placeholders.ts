/** Keeps the placeholders of a list or a map in the file where its other parts have changed in the workspace. */
import { matchCommonItems } from "../../../diff/common-items.js";
import { isPlain } from "../../../diff/values.js";
import { AsWritten } from "../../../workspace-file/edit/edit.js";
import { type LeafTree, listLeavesIn, listPlaceholdersIn, type Tree } from "../../../workspace-file/index.js";
import { openPlaceholders } from "./existing-file.js";

/** A text of the file, whose variables keep their names. */
export class KeptText extends AsWritten {}

/**
 * Returns the value of a new file with the placeholders of the existing one in the places of the values that they stand for.
 * @param fresh the value that a new file would have, with placeholders for its secrets
 * @param live the same value in the workspace
 */
export function keepPlaceholders(part: Tree | undefined, fresh: unknown, live: unknown): unknown {
  if (part === undefined || !listLeavesIn(part).some(hasPlaceholder)) return fresh;
  if (part.kind === "leaf") return standsFor(part, live) ? new KeptText(part.written ?? "") : fresh;
  if (part.kind === "map") {
    if (!isPlain(fresh) || !isPlain(live)) return fresh;
    const entries = Object.entries(fresh);
    return Object.fromEntries(
      entries.map(([key, value]) => [key, keepPlaceholders(part.entries.get(key)?.value, value, live[key])]),
    );
  }
  if (!Array.isArray(fresh) || !Array.isArray(live)) return fresh;
  const { items } = part;
  const values = live as unknown[];
  const pairs = matchCommonItems(items, values, represents);
  // Between the items that are the same, changed ones keep their order.
  const of = new Map(pairs.map(({ old, fresh: index }) => [index, old]));
  let before = -1;
  return (fresh as unknown[]).map((value, index) => {
    const next = pairs.find((pair) => pair.fresh > index)?.old ?? items.length;
    const old = of.get(index) ?? (before + 1 < next ? before + 1 : undefined);
    if (old !== undefined) before = old;
    return old === undefined ? value : keepPlaceholders(items[old], value, values[index]);
  });
}

/** Whether a part of the file has a value, as far as is known. */
export function represents(part: Tree, value: unknown): boolean {
  if (part.kind === "leaf")
    return isOpen(part) ? standsFor(part, value) : Object.is(part.value, value ?? null);
  if (part.kind === "list")
    return (
      Array.isArray(value) &&
      value.length === part.items.length &&
      part.items.every((item, index) => represents(item, value[index]))
    );
  if (!isPlain(value) || Object.keys(value).length !== part.entries.size) return false;
  return [...part.entries].every(([key, { value: inner }]) => represents(inner, value[key]));
}

const hasPlaceholder = (leaf: LeafTree) => listPlaceholdersIn(leaf).length > 0;
const isOpen = (leaf: LeafTree) => openPlaceholders(leaf).length > 0;

/** Whether a text can be the value of a text with placeholders: where they are not known, what stands between them is in it, in order. */
function standsFor(leaf: LeafTree, value: unknown): boolean {
  if (typeof value !== "string") return false;
  if (!isOpen(leaf)) return leaf.value === value;
  const { pieces = [] } = leaf;
  const texts = pieces.map((piece) => (typeof piece === "string" ? piece : undefined));
  let at = 0;
  for (const [index, text] of texts.entries()) {
    if (text === undefined) continue;
    const found = index === texts.length - 1 ? value.length - text.length : value.indexOf(text, at);
    if (found < at || (index === 0 && found > 0) || !value.startsWith(text, found)) return false;
    at = found + text.length;
  }
  return true;
}
