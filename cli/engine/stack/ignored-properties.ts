/** Lists the objects of which `ignoreChanges` names properties: from a workspace file, or from the state of a program. */
import type { NotWatched } from "../../../diff/ignored-changes.js";
import type { LoadedFile } from "../../../workspace-file/load/index.js";
import { findDefinitionAt, parseIdentity } from "../urn.js";
import type { Deployment } from "./state.js";

export function listNotWatchedIn({ declarations }: Pick<LoadedFile, "declarations">): NotWatched[] {
  return declarations
    .filter(({ ignoreChanges }) => ignoreChanges.length > 0)
    .map(({ definition, name, ignoreChanges }) => ({
      type: definition.type,
      name,
      paths: [...ignoreChanges],
    }));
}

/** The engine records the paths of a program with each object. */
export function listNotWatchedInState({ resources = [] }: Deployment): NotWatched[] {
  return resources.flatMap((one) =>
    one.ignoreChanges !== undefined && findDefinitionAt(one) !== undefined
      ? { ...parseIdentity(one), paths: [...one.ignoreChanges] }
      : [],
  );
}
