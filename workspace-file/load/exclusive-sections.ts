/** Sections that are an argument of their parent (`exclusive: true` of a group and its members). */
import { isRecord } from "../../diff/structural-diff.js";
import type { DocumentKind } from "../../resources/definition/placement.js";
import type { Definition, Fields } from "../../resources/index.js";
import { getSections } from "../compose/shape.js";

type Step = string | number;

/** Converts a section to the argument: a list of keys, or of maps that contain the key. */
export function getExclusiveArgument(
  { document: { form, keyedBy, scalar } }: DocumentKind,
  section: unknown,
): unknown {
  if (form !== "map" || !isRecord(section)) return section;
  return Object.entries(section).map(([key, value]) => {
    if (isRecord(value)) return { [keyedBy]: key, ...value };
    return { [keyedBy]: key, ...(scalar === undefined || value === null ? {} : { [scalar]: value }) };
  });
}

/** Returns the path in the file of a part of such an argument: by key where the section is a map. */
export function locateInFile(written: Fields, path: readonly Step[]): readonly Step[] {
  const [arg = "", index, ...rest] = path;
  const section = written[arg];
  const key = isRecord(section) ? Object.keys(section)[Number(index)] : undefined;
  return key === undefined ? path : [arg, key, ...rest];
}

/** Reports whether a part of such an argument is the key of an entry in the file. */
export function isKeyOfExclusive(
  { definition, exclusiveSections }: { readonly definition: Definition; readonly exclusiveSections: Fields },
  [arg = "", , field]: readonly Step[],
): boolean {
  const kind = getSections(definition.type).get(String(arg));
  return isRecord(exclusiveSections[arg]) && kind?.document.keyedBy === field;
}
