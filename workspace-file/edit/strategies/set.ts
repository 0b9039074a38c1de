import type { PropertyPath } from "../../../provider/definition/problems.js";
import type { Draft, DraftSnapshot } from "../draft.js";
import { inFile } from "../exclusive-sections.js";
import { Filled, type Canonical } from "../canonical-form.js";
import { at, changedParts, pathNow, setAt, type ChangedPart } from "../paths.js";
import { existing, type EntryLocation } from "../locate.js";
import type { Property } from "../types.js";
import { fileInConflict, mergedValue } from "../merged-value.js";
import { ownPart, writeBelow, writeProperty } from "../write.js";
import { removeNode } from "../yaml/remove.js";
import type { RawText } from "../yaml/raw.js";
import {
  holdersOf,
  layersTo,
  propertyLocation,
  type PropertyHolder,
  type EditPlan,
  type Strategy,
} from "./strategy.js";

/** Plans to set a property. */
export function planSet(
  snapshot: DraftSnapshot,
  edit: Property & { readonly value: unknown },
  writeFiles: boolean,
): EditPlan {
  const found = existing(snapshot.tree, edit.name);
  const location = { ...found, path: pathNow(snapshot.normal, found.path, edit.name) };
  const { path, value } = inFile(location, at(snapshot.normal, location.path), edit.path, edit.value);
  const whole = [...location.path, ...path];
  const before = at(snapshot.normal, whole);
  let after: Canonical;
  try {
    after = mergedValue(before ?? null, value);
  } catch (error) {
    const named = writeFiles && typeof value === "string" ? fileInConflict(error) : undefined;
    if (named === undefined || !(before instanceof Filled)) throw error;
    const normal = setAt(snapshot.normal, whole, new Filled(before.written, value, before.leaf));
    const run = (draft: Draft) => draft.setValue(named.path, named.from, value as string);
    return { normal, ways: [{ file: named.path, override: false, run }] };
  }
  return {
    normal: setAt(snapshot.normal, whole, after),
    ways: waysToWrite(snapshot, location, path, before, after),
  };
}

/** Returns the ways to write a property: only the difference or the whole, in the file that sets it or in any file with the entry. */
export function waysToWrite(
  snapshot: DraftSnapshot,
  location: PropertyHolder,
  path: PropertyPath,
  before: Canonical,
  after: Canonical,
): Strategy[] {
  const entry = at(snapshot.normal, location.path);
  const top = path.slice(0, 1);
  const parts = changedParts(before ?? null, after, path);
  const all = [{ path: top, before: at(entry, top), after: at(setAt(entry, path, after), top) }];
  const [own] = holdersOf(snapshot, propertyLocation(location, path));
  const layers = [...new Set([...(own === undefined ? [] : [own]), ...layersTo(snapshot, location.steps)])];
  return layers.flatMap((file) =>
    [parts, all].map((changes) => ({
      file,
      override: file !== own && before !== undefined,
      run: (draft: Draft) => {
        const raw = draft.file(file);
        keepKey(raw, location, path);
        for (const change of changes) writePart(raw, location, change, entry);
      },
    })),
  );
}

function writePart(
  raw: RawText,
  location: PropertyHolder,
  { path, before, after }: ChangedPart,
  entry: Canonical,
): void {
  const target = propertyLocation(location, path);
  const own = after === undefined ? ownPart(raw, target) : undefined;
  const slot = own && raw.find(own);
  if (slot) removeNode(raw, slot);
  else writeProperty(raw, target, before, after ?? null, entry);
}

/** Keeps the key of a list item whose name changes. */
function keepKey(raw: RawText, { kind, steps, key }: EntryLocation, [first]: PropertyPath): void {
  if (kind.document.form !== "list" || first !== kind.document.keyedBy || !raw.find(steps)) return;
  const own = [...steps, { key: "key" }];
  if (raw.find(own) === undefined) writeBelow(raw, own, key);
}
