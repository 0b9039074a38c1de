/** Determines what a workspace file can represent of an object, and in which order. */
import {
  definitions,
  holdsHalf,
  mapReferences,
  type Definition,
  type Fields,
  type DiscoveredObject,
} from "../../../provider/index.js";

const FORBIDDEN = "__proto__";

/** The reason why a part of a value is missing. */
export const UNREPRESENTABLE = `a file cannot contain a key "${FORBIDDEN}" or an unpaired surrogate (half of a character)`;

/** Sections whose entries have keys in the file. */
export const keyedSections: ReadonlySet<string> = new Set(
  definitions.flatMap(({ document }) => (document?.form === "map" ? [document.section] : [])),
);

/** Explains why a file cannot represent an object at all. */
export function findUnrepresentablePart({ definition, name, args }: DiscoveredObject): string | undefined {
  const steps = name.split("/");
  const isKey = steps.some((step, index) => step === FORBIDDEN && keyedSections.has(steps[index - 1] ?? ""));
  if (isKey || refersTo(definition, args, FORBIDDEN))
    return `skipped: no key of a file may be "${FORBIDDEN}": rename the object`;
  return undefined;
}

function refersTo({ references }: Definition, args: Fields, key: string): boolean {
  let found = false;
  for (const [arg, reference] of Object.entries(references))
    mapReferences(reference, args[arg], ({ to }, value) => {
      found ||=
        value === key && definitions.some(({ type, document }) => type === to && document?.form === "map");
      return value;
    });
  return found;
}

/** Reduces a value to what a file can represent. */
export function makeRepresentable(value: unknown): unknown {
  if (!holdsIt(value)) return value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  return Object.fromEntries(
    Object.entries(value as Fields).filter(([key, inner]) => !holdsIt({ [key]: inner })),
  );
}

/** Sorts the keys of all maps in a value. */
export function sortKeysDeep(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeysDeep);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]): [string, unknown] => [key, sortKeysDeep(inner)]);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function holdsIt(value: unknown): boolean {
  if (typeof value === "string") return holdsHalf(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([key, inner]) => key === FORBIDDEN || holdsHalf(key) || holdsIt(inner));
}
