import type { Draft, DraftSnapshot } from "../draft.js";
import { isEmpty } from "../canonical-form.js";
import { formatLocation } from "../origin.js";
import { at, pathNow, setAt } from "../paths.js";
import { existing } from "../locate.js";
import { Refusal } from "../types.js";
import { removeNode } from "../yaml/remove.js";
import type { EditPlan } from "./strategy.js";

/** Plans to remove an entry from every file that contains it. */
export function planRemove(snapshot: DraftSnapshot, name: string): EditPlan {
  const { path, steps } = existing(snapshot.tree, name);
  const holders = snapshot.layers.filter((file) => snapshot.draft.file(file).find(steps));
  const [first] = holders;
  if (first === undefined)
    throw new Refusal(
      "shared",
      `${name} comes from a template or an alias (${formatLocation(snapshot, path)}): remove it there`,
    );
  const run = (draft: Draft) => {
    for (const file of holders) {
      const slot = draft.file(file).find(steps);
      if (slot) removeNode(draft.file(file), slot);
    }
  };
  const own = pathNow(snapshot.normal, path, name);
  const holder = own.slice(0, -1);
  const without = setAt(snapshot.normal, own, undefined);
  const normal = isEmpty(at(without, holder)) ? setAt(without, holder, undefined) : without;
  return { normal, ways: [{ file: first, override: false, run }] };
}
