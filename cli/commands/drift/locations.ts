/** Where in the workspace file a finding belongs. */
import { definitions } from "../../../provider/index.js";
import type { Place } from "../../../workspace-file/index.js";
import type { Declared } from "../../../workspace-file/load/index.js";
import type { Finding } from "./model.js";

/** The line that declares it; of what nobody declared, the section in which it would stand. */
export function placeOfFinding(
  { name, type, pathParts }: Pick<Finding, "name" | "type" | "pathParts">,
  { declarations, placeOf }: Declared,
): Place {
  const own = declarations.find((declaration) => declaration.name === name);
  if (own !== undefined) return placeOf([...own.path, ...pathParts], pathParts.length === 0);
  const above = declarations
    .filter((declaration) => name.startsWith(`${declaration.name}/`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  const section = definitions.find((definition) => definition.type === type)?.document?.section;
  return placeOf([...(above?.path ?? []), ...(section === undefined ? [] : [section])], true);
}
