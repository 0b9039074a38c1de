/** Explains writes that fail with "not found" because their object was deleted after the plan was made. */
import { isServiceError } from "../../client/index.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { ProviderError } from "../../resources/errors.js";
import { refuseRenamed } from "../crud/renamed.js";
import type { Target } from "../crud/target.js";
import { createHiddenError } from "./absence.js";
import { observe } from "./observe.js";

const AGAIN = `run "workspacectl up" again, which reads the workspace first (under plain Pulumi, "pulumi up --refresh")`;

/**
 * The failure of an update: says that the object was deleted meanwhile, if it does not exist any more.
 * @throws always
 */
export async function refuseDeleted(target: Target, error: unknown): Promise<never> {
  if (!isServiceError(error, "not-found", "invalid-url")) throw error;
  const observed = await observe(target);
  if (observed.is === "there") throw error;
  if (observed.is === "hidden") throw createHiddenError(target);
  await refuseRenamed(target, observed.is);
  const { definition, context, state } = target;
  throw new ProviderError(
    "deleted",
    `${getDisplayName(definition, state)} was deleted in workspace ${context.workspace} after this plan was created`,
    `${AGAIN}. That run creates it again; to leave it deleted, remove its declaration`,
    { cause: error },
  );
}

/**
 * The failure of a creation. Keeps the message of the request, since only its path says which object is missing.
 * @throws always
 */
export function refuseWithoutParent(
  definition: Definition,
  context: Context,
  args: Fields,
  error: unknown,
): never {
  if (!isServiceError(error, "not-found")) throw error;
  throw new ProviderError(
    "deleted",
    `${getDisplayName(definition, args)} in workspace ${context.workspace} cannot be created: ${error.message}`,
    `If its parent was deleted after this plan was created, ${AGAIN}`,
    { cause: error },
  );
}
