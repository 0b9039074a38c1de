/** Arguments that are a section in the file (`exclusive: true` of a group or project and its members). */
import { isPlain } from "../../diff/values.js";
import { isExclusive } from "../../resources/definition/placement.js";
import type { PropertyPath } from "../../resources/definition/problems.js";
import { getSections } from "../compose/shape.js";
import { type Canonical, getCanonicalAt, toCanonicalMap } from "./canonical-form.js";
import type { EntryLocation } from "./locate.js";

export interface InFile {
  readonly path: PropertyPath;
  readonly value: unknown;
}

/** Converts a property and its value to the form of the file, where such a section may be a map by key. */
export function toFileForm(
  { kind }: EntryLocation,
  entry: Canonical,
  path: PropertyPath,
  value: unknown,
): InFile {
  const [arg, index, ...rest] = path;
  const section = getSections(kind.type).get(String(arg));
  if (!section || section.document.form !== "map" || !isPlain(entry) || !isExclusive(section, entry))
    return { path, value };
  const { keyedBy } = section.document;
  if (index === undefined) {
    if (!Array.isArray(value)) return { path, value };
    return { path, value: toCanonicalMap((value as unknown[]).map((item) => toKeyed(item, keyedBy))) };
  }
  const entries = getCanonicalAt(entry, [String(arg)]);
  const key = isPlain(entries) && typeof index === "number" ? Object.keys(entries)[index] : undefined;
  if (key === undefined) return { path, value };
  return { path: [String(arg), key, ...rest], value: rest.length === 0 ? toKeyed(value, keyedBy)[1] : value };
}

function toKeyed(item: unknown, keyedBy: string): [string, unknown] {
  if (!isPlain(item)) return [String(item), {}];
  const { [keyedBy]: key, ...others } = item;
  return [String(key), others];
}
