/** Locates findings in the workspace file. */
import type { Finding } from "../../diff/finding.js";
import { findDefinition } from "../../provider/index.js";
import type { Location } from "../../workspace-file/index.js";
import { findPartAt } from "../../workspace-file/syntax/tree.js";
import type { LoadedFile } from "../../workspace-file/load/index.js";

/**
 * Locates the declaration of a finding. An object that the file does not declare is at the section where it would be, else at
 * what would contain it. Returns undefined where the file has neither, since any line would be wrong.
 */
export function findPlaceOfFinding(
  { name, type, pathParts }: Pick<Finding, "name" | "type" | "pathParts">,
  { declarations, locate, tree }: LoadedFile,
): Location | undefined {
  const own = declarations.find((declaration) => declaration.name === name);
  if (own !== undefined) return locate([...own.path, ...pathParts], pathParts.length === 0);
  const above = declarations
    .filter((declaration) => name.startsWith(`${declaration.name}/`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
  const parent = above?.path ?? [];
  const section = findDefinition(type)?.document?.section;
  if (section !== undefined && findPartAt(tree, [...parent, section]))
    return locate([...parent, section], true);
  return above === undefined ? undefined : locate(parent, true);
}
