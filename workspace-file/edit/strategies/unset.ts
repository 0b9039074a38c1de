import type { Draft, DraftSnapshot } from "../draft.js";
import { inFile } from "../exclusive-sections.js";
import { at, pathNow, setAt } from "../paths.js";
import { existing } from "../locate.js";
import type { Property } from "../types.js";
import { keepsPlaceholders } from "../merged-value.js";
import { ownPart } from "../write.js";
import { removeNode } from "../yaml/remove.js";
import { replaceWhole } from "../yaml/replace.js";
import { holdersOf, propertyLocation, type EditPlan } from "./strategy.js";
import { waysToWrite } from "./set.js";

/** Plans to remove a property. Where a template or defaults set it, the entry sets `null`. */
export function planUnset(snapshot: DraftSnapshot, edit: Property): EditPlan {
  const found = existing(snapshot.tree, edit.name);
  const location = { ...found, path: pathNow(snapshot.normal, found.path, edit.name) };
  const { path } = inFile(location, at(snapshot.normal, location.path), edit.path, undefined);
  const whole = [...location.path, ...path];
  const before = at(snapshot.normal, whole);
  keepsPlaceholders(before);
  const target = propertyLocation(location, path);
  const holders = holdersOf(snapshot, target);
  const takeOut = (files: readonly string[]) => (draft: Draft) => {
    for (const file of files) {
      const raw = draft.file(file);
      const own = ownPart(raw, target);
      const slot = own && raw.find(own);
      if (own === target.entry) replaceWhole(raw, own, {});
      else if (slot) removeNode(raw, slot);
    }
  };
  const [first] = holders;
  const sets = first === undefined ? [] : [[first], holders];
  const removals = sets.map((files) => ({ file: first ?? "", override: false, run: takeOut(files) }));
  return {
    normal: setAt(snapshot.normal, whole, undefined),
    ways: [...removals, ...waysToWrite(snapshot, location, path, before, null)],
  };
}
