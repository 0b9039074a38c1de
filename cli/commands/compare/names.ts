/** Renames objects, in their keys and in everything that refers to them. */
import { mapDeep } from "../../../diff/values.js";
import type { Fields } from "../../../provider/index.js";
import { ReferenceValue, type ComparedSource, type SourceObject } from "./object.js";
import type { Mapping } from "../replicate/mapping-file.js";
import { areOne } from "./workspaces.js";

/** Returns the new name of an object; undefined where it keeps its own. */
export type MappedName = (
  to: string,
  key: string,
) => { readonly key: string; readonly known: boolean; readonly own?: string | undefined } | undefined;

export function mapNames(side: ComparedSource, rename: MappedName): ComparedSource {
  const reference = (value: unknown) => {
    const found = value instanceof ReferenceValue ? rename(value.to, value.key) : undefined;
    return found
      ? new ReferenceValue((value as ReferenceValue).to, found.key, found.known, found.own)
      : value;
  };
  const object = (one: SourceObject): SourceObject => ({
    ...one,
    steps: one.steps.map((step) => ({
      ...step,
      key: rename(step.to ?? step.type, step.key)?.key ?? step.key,
    })),
    args: mapDeep(one.args, reference) as Fields,
  });
  return { ...side, objects: side.objects.map(object), omitted: side.omitted.map(object) };
}

/**
 * Applies the mapping file to the left source. Within one workspace, names are the same. Where that is unknown, because a file
 * need not name its workspace, an object may have either name.
 */
export function withMapping(left: ComparedSource, right: ComparedSource, mapping: Mapping): ComparedSource {
  const one = areOne(left.facts, right.facts);
  if (one === true) return left;
  const { integrations, integrationIdentifiers } = mapping;
  const own = (key: string) => (one === undefined ? { own: key } : {});
  const renamed = mapNames(left, (to, key) => {
    const found = to === "integration" ? integrations.get(key.replace(/^#/, "")) : undefined;
    if (found === undefined) return undefined;
    return { key: typeof found === "number" ? `#${found}` : found, known: true, ...own(key) };
  });
  const objects = renamed.objects.map((object) => {
    const { integrationIdentifier: identifier } = object.args;
    const other = typeof identifier === "string" ? integrationIdentifiers.get(identifier) : undefined;
    if (typeof identifier !== "string" || other === undefined) return object;
    const named = new ReferenceValue("integration", other, true, own(identifier).own);
    return { ...object, args: { ...object.args, integrationIdentifier: named } };
  });
  return { ...renamed, objects };
}
