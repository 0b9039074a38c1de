/** Reads an object. */
import { isServiceError } from "../../client/index.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { listMissingParts } from "../../resources/definition/import-id.js";
import { ProviderError } from "../../resources/errors.js";
import { createElsewhereError, createHiddenError } from "../existence/absence.js";
import { observe } from "../existence/observe.js";
import { refuseRenamed, withNewNames } from "./renamed.js";
import { buildStateAfterRead, type ReadState } from "./state.js";
import type { Target } from "./target.js";

/**
 * The current state of the object's managed arguments; undefined when it certainly does not exist any more.
 * @throws {ProviderError} `perhaps-hidden` or `unreadable` when that cannot be known
 */
export async function read(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<ReadState | undefined> {
  const target = withNewNames({ definition, context, state });
  const observed = await observe(target).catch((error: unknown) => {
    if (isServiceError(error, "invalid-value")) refuseIncompleteState(target, error);
    throw error;
  });
  if (observed.is === "there") return buildStateAfterRead(target, observed);
  refuseIncompleteState(target);
  await refuseRenamed(target, observed.is);
  if (observed.is === "hidden") throw createHiddenError(target);
  if (observed.is === "elsewhere") throw createElsewhereError(target);
  return undefined;
}

/**
 * Without every part of its path, nobody knows whether an object is deleted.
 * @throws {ProviderError} when the state lacks one
 */
function refuseIncompleteState({ definition, context, state }: Target, cause?: unknown): void {
  const missing = listMissingParts(definition, state);
  if (missing.length === 0) return;
  throw new ProviderError(
    "unreadable",
    `${getDisplayName(definition, state)} in workspace ${context.workspace}: it cannot be read, because the stack's state does not contain its ${missing.join(" and ")}`,
    'remove it from the state with "pulumi state delete URN", and add it again with "workspacectl import"',
    { cause },
  );
}
