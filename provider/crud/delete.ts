import { ServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import type { Definition, Fields } from "../definition/definition.js";
import { isOwnedByOther } from "./exclusive-ownership.js";
import { refuseWhileImporting } from "./import-mode.js";
import { enterWritten, standsElsewhere, writing } from "./remote-object.js";

/** Deletes the object, or only forgets it where the definition says so. A gone object is success. */
export async function deleteObject(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<string | undefined> {
  refuseWhileImporting(definition, context, "delete");
  if (isOwnedByOther(definition, context, state))
    return "what it stood in holds the complete list itself now (exclusive: true)";
  if (await standsElsewhere(definition, context, state))
    return "it is no longer where the state says that it stands, and what has its number elsewhere stays";
  const kept = await definition.skipDelete?.(context, state);
  if (kept !== undefined) return kept;
  try {
    await writing(definition, context, state, () => definition.delete(context, state), true);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "not-found")) throw error;
  }
  enterWritten(definition, context, state, undefined);
  return undefined;
}
