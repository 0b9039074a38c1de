/** Adds names to the ids by which objects refer to each other: `Developer (12)` instead of `12`. */
import type { Definition } from "../../../provider/index.js";
import type { PropertyPath } from "../../../provider/definition/problems.js";
import type { Observed } from "./observed.js";

/** Names by resource type and id. */
export type FindingLabels = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Collects the names of declared and existing objects. */
export function labelsOf(objects: readonly Observed[]): FindingLabels {
  const labels = new Map<string, Map<string, string>>();
  for (const { definition, id, live } of objects) {
    const name = live?.args[definition.document?.keyedBy ?? ""];
    if (typeof name !== "string") continue;
    const ofType = labels.get(definition.type) ?? new Map<string, string>();
    labels.set(definition.type, ofType.set(decodeURIComponent(id.split("/").at(-1) ?? ""), name));
  }
  return labels;
}

/** Finds the names for ids in the values of a property. */
export function labelsIn(
  labels: FindingLabels,
  definition: Definition,
  [argument]: PropertyPath,
  values: readonly unknown[],
): { labels?: Record<string, string> } {
  const reference = definition.references[String(argument)];
  if (reference === undefined) return {};
  const types = [reference.to, ...Object.values(reference.each ?? {}).map(({ to }) => to)];
  const found: Record<string, string> = {};
  const note = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(note);
    else if (typeof value === "object" && value !== null) Object.values(value).forEach(note);
    else if (typeof value === "number")
      for (const type of types) {
        const name = labels.get(type)?.get(String(value));
        if (name !== undefined) found[String(value)] = name;
      }
  };
  values.forEach(note);
  return Object.keys(found).length > 0 ? { labels: found } : {};
}
