/** Deletes an object. */
import { isServiceError } from "../../client/index.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { refuseWhileImporting } from "../../resources/definition/import-mode.js";
import { createHiddenError, mayBeHidden } from "../existence/absence.js";
import { isAdministrator } from "../existence/caller.js";
import { enterWritten, isInOtherParent, isReadable, runWrite } from "../existence/sources.js";
import { isOwnedByOther } from "./exclusive-ownership.js";
import { refuseRenamed } from "./renamed.js";
import { buildId } from "./state.js";

/**
 * Deletes the object, or releases it where the definition says so. Succeeds when the object does not exist any more.
 * @returns the reason why it was released
 */
export async function deleteObject(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<string | undefined> {
  const target = { definition, context, state };
  refuseWhileImporting(getDisplayName(definition, state), context, "delete");
  // The engine replaces by its own decision (`pulumi state taint`), or a declaration has another logical name.
  if (context.wasAdopted(definition.type, buildId(target)))
    return "another declaration of this run adopted it";
  if (isOwnedByOther(target)) return "its parent owns the complete list now (exclusive: true)";
  if (await isInOtherParent(target)) return "it is no longer in the parent that the state names";
  const reason = await definition.skipDelete?.(context, state);
  if (reason !== undefined) return reason;
  // The service answers such a user as if the object were deleted already.
  const seesAll = definition.ephemeral || (await isAdministrator(context));
  if (!seesAll && (await mayBeHidden(target)) && !(await isReadable(target))) throw createHiddenError(target);
  const existed = await runWrite(target, () => definition.delete(context, state), true).catch(
    (error: unknown) => {
      if (isServiceError(error, "not-found")) return false;
      throw error;
    },
  );
  // Its path contains the name that its project had.
  if (existed === false) await refuseRenamed(target, "gone");
  enterWritten(target, undefined);
  return undefined;
}
