import { ServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import type { Definition, Fields } from "../definition/definition.js";
import { isOwnedByOther } from "./exclusive-ownership.js";
import { refuseWhileImporting } from "./import-mode.js";
import { enterWritten, standsElsewhere, writing } from "./remote-object.js";

/**
 * Deletes the object, or only forgets it where the definition says so. An object that does not exist any more is success.
 * @returns the reason why it was only forgotten
 */
export async function deleteObject(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<string | undefined> {
  const target = { definition, context, state };
  refuseWhileImporting(definition, context, "delete");
  if (isOwnedByOther(target)) return "what it stood in holds the complete list itself now (exclusive: true)";
  if (await standsElsewhere(target))
    return "it is no longer where the state says that it stands, and what has its number elsewhere stays";
  const reason = await definition.skipDelete?.(context, state);
  if (reason !== undefined) return reason;
  try {
    await writing(target, () => definition.delete(context, state), true);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "not-found")) throw error;
  }
  enterWritten(target, undefined);
  return undefined;
}
