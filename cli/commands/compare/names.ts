/** What objects are called: other names for them, in all that speaks of them. */
import type { Fields } from "../../../provider/index.js";
import { Named, Sensitive, Unknown, type Side, type SideObject, type Step } from "./object.js";

/** Another name for an object; undefined where it keeps its own. */
export type Rename = (
  to: string,
  key: string,
) => { readonly key: string; readonly known: boolean; readonly own?: string | undefined } | undefined;

export function mapNames(side: Side, rename: Rename): Side {
  const object = (one: SideObject): SideObject => ({
    ...one,
    steps: one.steps.map((step) => renamedStep(step, rename)),
    args: mapValue(one.args, rename) as Fields,
  });
  return { ...side, objects: side.objects.map(object), omitted: side.omitted.map(object) };
}

function renamedStep(step: Step, rename: Rename): Step {
  const found = rename(step.to ?? step.type, step.key);
  return found === undefined ? step : { ...step, key: found.key };
}

function mapValue(value: unknown, rename: Rename): unknown {
  if (value instanceof Named) {
    const found = rename(value.to, value.key);
    return found === undefined ? value : new Named(value.to, found.key, found.known, found.own);
  }
  if (value instanceof Unknown || value instanceof Sensitive) return value;
  if (Array.isArray(value)) return value.map((item) => mapValue(item, rename));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapValue(inner, rename)]));
}
