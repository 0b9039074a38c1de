/** The locations of references in an argument: the argument itself, the items of a list, or fields of its items. */
import type { Reference } from "./definition.js";

export type ReferencePath = readonly (string | number)[];

/** Replaces each reference in a value. `path` leads to it from the argument. */
export function mapReferences(
  reference: Reference,
  value: unknown,
  replace: (reference: Reference, value: unknown, path: ReferencePath) => unknown,
): unknown {
  if (!reference.list) return replace(reference, value, []);
  if (!Array.isArray(value)) return value;
  return value.map((item: unknown, index) => {
    if (!reference.each) return replace(reference, item, [index]);
    if (typeof item !== "object" || item === null) return item;
    const fields: Record<string, unknown> = { ...item };
    for (const [name, inner] of Object.entries(reference.each)) {
      if (name in fields) fields[name] = replace(inner, fields[name], [index, name]);
    }
    return fields;
  });
}
