/** Replaces a value in a YAML text and changes only the parts that differ. */
import { isMap, isSeq } from "yaml";
import { matchCommonItems } from "../../../diff/common-items.js";
import { isPlain } from "../../../diff/values.js";
import type { MapForm } from "../../format/format.js";
import { type Canonical, isSameCanonical } from "../canonical-form.js";
import type { LocationStep } from "../locate.js";
import { insertItem, insertKey } from "./insert.js";
import type { RawText } from "./raw.js";
import { removeNode } from "./remove.js";
import { replaceSlot } from "./replace-slot.js";

/**
 * Changes the value at the steps, which must exist.
 * @param before canonical form of the value, and `after` that of the new one
 */
export function replaceAt(
  raw: RawText,
  steps: readonly LocationStep[],
  before: Canonical,
  after: Canonical,
  form?: MapForm,
): void {
  if (isSameCanonical(before, after)) return;
  const slot = raw.find(steps);
  if (slot === undefined) throw new TypeError("there is nothing to replace");
  const { node } = slot;
  if (isMap(node) && isPlain(before) && isPlain(after) && ownsAll(node, before))
    return replaceMap(raw, steps, before, after, form);
  if (isSeq(node) && Array.isArray(before) && Array.isArray(after) && node.items.length === before.length)
    return replaceList(raw, steps, before, after);
  replaceWhole(raw, steps, after);
}

/** Reports whether all members are written in the map itself, so that none is merged into it. */
function ownsAll(node: { items: readonly unknown[] }, before: Readonly<Record<string, Canonical>>): boolean {
  return node.items.length === Object.keys(before).length;
}

function replaceMap(
  raw: RawText,
  steps: readonly LocationStep[],
  before: Readonly<Record<string, Canonical>>,
  after: Readonly<Record<string, Canonical>>,
  form?: MapForm,
): void {
  for (const [key, value] of Object.entries(after)) {
    if (!Object.hasOwn(before, key)) continue;
    replaceAt(raw, [...steps, { key }], before[key], value);
  }
  for (const [key, value] of Object.entries(after)) {
    const map = raw.find(steps);
    if (!Object.hasOwn(before, key) && map) insertKey(raw, map, key, value, form);
  }
  for (const key of Object.keys(before)) {
    const slot = Object.hasOwn(after, key) ? undefined : raw.find([...steps, { key }]);
    if (slot) removeNode(raw, slot);
  }
}

/** Changes the items that differ, in place where possible. */
function replaceList(
  raw: RawText,
  steps: readonly LocationStep[],
  before: readonly Canonical[],
  after: readonly Canonical[],
): void {
  const shared = matchCommonItems(before, after, isSameCanonical);
  const gaps = [...shared, { old: before.length, fresh: after.length }].toReversed();
  const insert = (index: number, value: Canonical) => {
    const list = raw.find(steps);
    if (list) insertItem(raw, list, index, value);
  };
  // From the end, so that the indexes of earlier items stay valid.
  gaps.forEach(({ old, fresh }, at) => {
    const previous = gaps[at + 1] ?? { old: -1, fresh: -1 };
    const [olds, news] = [old - previous.old - 1, fresh - previous.fresh - 1];
    const common = Math.min(olds, news);
    for (let i = news - 1; i >= common; i -= 1)
      insert(previous.old + 1 + common, after[previous.fresh + 1 + i]);
    for (let i = olds - 1; i >= common; i -= 1) {
      const slot = raw.find([...steps, { index: previous.old + 1 + i }]);
      if (slot) removeNode(raw, slot);
    }
    for (let i = 0; i < common; i += 1) {
      const index = previous.old + 1 + i;
      replaceAt(raw, [...steps, { index }], before[index], after[previous.fresh + 1 + i]);
    }
  });
}

/** Replaces the whole value at the steps, which must exist. */
export function replaceWhole(raw: RawText, steps: readonly LocationStep[], value: unknown): void {
  const slot = raw.find(steps);
  if (slot === undefined) throw new TypeError("there is nothing to replace");
  replaceSlot(raw, slot, value);
}
