import type { Context } from "../definition/context.js";
import type { Definition, Fields } from "../definition/definition.js";
import { readSeen } from "./remote-object.js";
import { refuseRenamed, withNewNames } from "./renamed.js";
import { keepSeen, type KeptSeen } from "./state.js";

/** The object as it is now, on the arguments that are managed; undefined when it is gone. */
export async function read(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<KeptSeen | undefined> {
  const current = withNewNames(definition, context, state);
  const seen = await readSeen(definition, context, current);
  if (seen !== undefined) return keepSeen(definition, context, current, seen);
  await refuseRenamed(definition, context, current);
  return undefined;
}
