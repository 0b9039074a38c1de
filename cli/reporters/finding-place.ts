/** Locates findings in the workspace file. */
import type { Finding } from "../../diff/finding.js";
import { definitions } from "../../provider/index.js";
import type { Location } from "../../workspace-file/index.js";
import type { LoadedFile } from "../../workspace-file/load/index.js";

/** Locates the declaration of a finding; for an unmanaged object, the section where it would be declared. */
export function placeOfFinding(
  { name, type, pathParts }: Pick<Finding, "name" | "type" | "pathParts">,
  { declarations, placeOf }: LoadedFile,
): Location {
  const own = declarations.find((declaration) => declaration.name === name);
  if (own !== undefined) return placeOf([...own.path, ...pathParts], pathParts.length === 0);
  const above = declarations
    .filter((declaration) => name.startsWith(`${declaration.name}/`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  const section = definitions.find((definition) => definition.type === type)?.document?.section;
  return placeOf([...(above?.path ?? []), ...(section === undefined ? [] : [section])], true);
}
