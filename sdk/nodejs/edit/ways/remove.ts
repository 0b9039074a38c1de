import type { Draft, Snapshot } from "../draft.js";
import { isEmpty, isMap, type Normal } from "../normal.js";
import { placeAt } from "../origin.js";
import { at, setAt } from "../paths.js";
import { existing } from "../spot.js";
import { Refusal } from "../types.js";
import { remove } from "../yaml/remove.js";
import type { Plan } from "./way.js";

/** An entry that is taken out, from every file that says something of it. */
export function planRemove(snapshot: Snapshot, name: string): Plan {
  const { path, steps, parent, section, key } = existing(snapshot.tree, name);
  const holders = snapshot.layers.filter((file) => snapshot.draft.file(file).find(steps));
  const [first] = holders;
  if (first === undefined)
    throw new Refusal(
      "shared",
      `${name} comes from a template or an alias (${placeAt(snapshot, path)}): take it out there`,
    );
  const run = (draft: Draft) => {
    for (const file of holders) {
      const slot = draft.file(file).find(steps);
      if (slot) remove(draft.file(file), slot);
    }
  };
  const holder = [...parent.path, section];
  const own = [...holder, placeOf(at(snapshot.normal, holder), key) ?? path.at(-1) ?? key];
  const without = setAt(snapshot.normal, own, undefined);
  const normal = isEmpty(at(without, holder)) ? setAt(without, holder, undefined) : without;
  return { normal, ways: [{ file: first, override: false, run }] };
}

/** The number of an item now: other edits may have moved it since the document was read. */
function placeOf(items: Normal, key: string): number | undefined {
  if (!Array.isArray(items)) return undefined;
  const index = (items as Normal[]).findIndex((item) => (isMap(item) ? item["key"] : item) === key);
  return index < 0 ? undefined : index;
}
