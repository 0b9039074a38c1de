/** Checks, before the work begins, which types of objects a token may not read. */
import { ServiceError } from "../../client/index.js";
import { readRemote } from "../crud/remote-object.js";
import { definitionOf } from "../resources/registry.js";
import type { Session } from "../connection/session.js";
import type { HeldObject } from "./unmanaged.js";

/** A type whose objects cannot be read. */
export interface Unreadable {
  readonly type: string;
  readonly reason: string;
}

/**
 * Reads the first object of each type.
 * @returns the types that the service denies
 */
export async function checkReadPermissions(
  session: Session,
  held: readonly HeldObject[],
): Promise<Unreadable[]> {
  const first = new Map(held.toReversed().map((object) => [object.type, object]));
  const tried = await Promise.all(
    [...first.values()].map(async ({ type, outputs }): Promise<Unreadable[]> => {
      try {
        const definition = definitionOf(type);
        await readRemote({ definition, context: session.context(outputs), state: outputs });
        return [];
      } catch (error) {
        if (error instanceof ServiceError && error.code === "denied")
          return [{ type, reason: error.message }];
        return []; // the work itself will report any other error
      }
    }),
  );
  return tried.flat();
}
