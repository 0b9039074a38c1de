/** Reads an object. */
import type { Context } from "../definition/context.js";
import type { Definition, Fields } from "../definition/definition.js";
import { observe } from "./remote-object.js";
import { refuseRenamed, withNewNames } from "./renamed.js";
import { buildStateAfterRead, type ReadState } from "./state.js";

/** The current state of the object's managed arguments; undefined when it does not exist any more. */
export async function read(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<ReadState | undefined> {
  const target = withNewNames({ definition, context, state });
  const observed = await observe(target);
  if (observed !== undefined) return buildStateAfterRead(target, observed);
  await refuseRenamed(target);
  return undefined;
}
