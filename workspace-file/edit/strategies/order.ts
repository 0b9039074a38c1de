import type { Draft, DraftSnapshot } from "../draft.js";
import { isMap, type Canonical } from "../canonical-form.js";
import { at, pathNow, setAt } from "../paths.js";
import { existing } from "../locate.js";
import { Refusal } from "../types.js";
import { reorder } from "../yaml/reorder.js";
import type { EditPlan } from "./strategy.js";

export interface Order {
  readonly name: string;
  readonly section: string;
  readonly keys: readonly string[];
}

/** Plans to reorder an ordered section. */
export function planOrder(snapshot: DraftSnapshot, { name, section, keys }: Order): EditPlan {
  const location = existing(snapshot.tree, name);
  const path = [...pathNow(snapshot.normal, location.path, name), section];
  const items = at(snapshot.normal, path);
  const list = Array.isArray(items) ? (items as Canonical[]) : [];
  const order = keys.map((key) => list.findIndex((item) => (isMap(item) ? item["key"] : item) === key));
  if (order.includes(-1) || new Set(order).size !== list.length || keys.length !== list.length)
    throw new Refusal("not-there", `${name} has other ${section} than those that are to be put in order`);
  const steps = [...location.steps, { key: section }];
  const holders = snapshot.layers.filter((file) => snapshot.draft.file(file).find(steps));
  if (holders.length === 0)
    throw new Refusal("shared", `the ${section} of ${name} come from a template: which defines their order`);
  const run = (file: string) => (draft: Draft) => {
    const slot = draft.file(file).find(steps);
    if (slot) reorder(draft.file(file), slot, order);
  };
  return {
    normal: setAt(
      snapshot.normal,
      path,
      order.map((index) => list[index]),
    ),
    ways: holders.map((file) => ({ file, override: false, run: run(file) })),
  };
}
