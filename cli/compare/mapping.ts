/** What is called otherwise on the right side (`replicate-mapping.yaml`), applied to the left. */
import type { Mapping } from "../mapping/file.js";
import { mapNames } from "./names.js";
import type { Side } from "./object.js";

export function mapped(left: Side, mapping: Mapping): Side {
  const { integrations, integrationIdentifiers } = mapping;
  const renamed = mapNames(left, (to, key) => {
    const found = to === "integration" ? integrations.get(key.replace(/^#/, "")) : undefined;
    if (found === undefined) return undefined;
    return { key: typeof found === "number" ? `#${found}` : found, known: true };
  });
  const objects = renamed.objects.map((object) => {
    const { integrationIdentifier: identifier } = object.args;
    const other = typeof identifier === "string" ? integrationIdentifiers.get(identifier) : undefined;
    return other === undefined
      ? object
      : { ...object, args: { ...object.args, integrationIdentifier: other } };
  });
  return { ...renamed, objects };
}
