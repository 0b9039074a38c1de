/** What is called otherwise on the right side (`replicate-mapping.yaml`), applied to the left. */
import type { Mapping } from "../replicate/mapping-file.js";
import { mapNames } from "./names.js";
import { Named, type Side } from "./object.js";
import { areOne } from "./workspaces.js";

/**
 * Within one workspace nothing is called otherwise. Where nobody can tell whether it is one (a file need not say which it is
 * for), an object may have either name.
 */
export function mapped(left: Side, right: Side, mapping: Mapping): Side {
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
    const named = new Named("integration", other, true, own(identifier).own);
    return { ...object, args: { ...object.args, integrationIdentifier: named } };
  });
  return { ...renamed, objects };
}
