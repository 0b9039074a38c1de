/** Finds the twins of new objects. The service has no lock: another run may create an object of the same name at the same moment. */
import type { Definition, Fields } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { isPlaceHidden } from "../../resources/definition/which-arguments.js";
import type { Connection } from "../connection/connection.js";
import { type ReadingOptions, Session } from "../connection/session.js";
import { isKeyUnique } from "../existence/candidates.js";
import { findExisting, isSameAs } from "../existence/sources.js";

/** An object that a run has created. */
export interface NewObject {
  readonly definition: Definition;
  /** Arguments and outputs. */
  readonly state: Fields;
}

/** A new object, and others of the same name. */
export interface Twins {
  /** Its display name: `group "QA"`. */
  readonly called: string;
  readonly id: string;
  readonly others: readonly string[];
}

/** Whether the service may have several objects with the natural key of this one. Where the state hides it, they cannot be found. */
export function mayHaveTwin({ definition, state }: NewObject): boolean {
  const { naturalKey, ephemeral } = definition;
  const mayRepeat = naturalKey.length > 0 && !isKeyUnique(definition, state);
  return mayRepeat && !ephemeral && !isPlaceHidden(definition, state);
}

/** Reads the list of each parent once more. */
export async function findTwins(
  connection: Connection,
  objects: readonly NewObject[],
  options: ReadingOptions = {},
): Promise<Twins[]> {
  const possible = objects.filter(mayHaveTwin);
  if (possible.length === 0) return [];
  // Without the cached reads of the run.
  const session = new Session(connection, options);
  try {
    const found = await Promise.all(possible.map((one) => findTwinsOf(session, one)));
    return found.filter(({ others }) => others.length > 0);
  } finally {
    await session.close();
  }
}

async function findTwinsOf(session: Session, { definition, state }: NewObject): Promise<Twins> {
  const target = { definition, context: session.context(state), state };
  const isIt = isSameAs(definition, state);
  const { identity } = definition;
  const others = (await findExisting(target)).filter((one) => !isIt(one));
  return {
    called: getDisplayName(definition, state),
    id: String(state[identity.state]),
    others: others.map((one) => String(one[identity.apiName])),
  };
}
