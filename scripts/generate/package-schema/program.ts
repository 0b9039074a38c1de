/** The model of an example program. */
import type { Fields } from "../../../provider/index.js";

/** A resource of an example program. */
export interface Declared {
  readonly name: string;
  readonly type: string;
  /** Arguments, with a `Reference` for each reference. */
  readonly args: Fields;
}

/** Returns a value with something else in the place of each reference. */
export function mapValues(value: unknown, replace: (reference: Reference) => unknown): unknown {
  if (value instanceof Reference) return replace(value);
  if (Array.isArray(value)) return value.map((item) => mapValues(item, replace));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, mapValues(inner, replace)]));
}

/** Reference to a property of another resource of the program. */
export class Reference {
  constructor(
    readonly resource: string,
    readonly property: string,
  ) {}
}
