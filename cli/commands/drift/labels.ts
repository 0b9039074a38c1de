/** Names for the numbers by which objects refer to each other: `12` says nothing, `Developer (12)` does. */
import type { Definition } from "../../../provider/index.js";
import type { PropertyPath } from "../../../provider/definition/problems.js";
import type { Observed } from "./observed.js";

/** Names by resource type and number. */
export type Labels = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** The names of what is declared and there. */
export function labelsOf(objects: readonly Observed[]): Labels {
  const labels = new Map<string, Map<string, string>>();
  for (const { definition, id, live } of objects) {
    const name = live?.args[definition.document?.keyedBy ?? ""];
    if (typeof name !== "string") continue;
    const ofType = labels.get(definition.type) ?? new Map<string, string>();
    labels.set(definition.type, ofType.set(decodeURIComponent(id.split("/").at(-1) ?? ""), name));
  }
  return labels;
}

/** The names of the numbers in values of a property. */
export function labelsIn(
  labels: Labels,
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
