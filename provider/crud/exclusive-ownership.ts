/**
 * Ownership of lists. Objects in a list (members of a group) are resources of their own, or one resource owns the whole
 * list as an argument. When a declaration changes from one form to the other, the engine updates the owner first, and then
 * deletes or creates the single resources. These find here that only the ownership has changed.
 */
import type { Context, Ownership } from "../../resources/definition/context.js";
import type { Definition, Fields, RemoteObject } from "../../resources/definition/definition.js";
import { getIdentity } from "./diff.js";
import type { Target } from "./target.js";

/** Notes for the rest of the run whether the object owns its list. */
export function noteOwnership(definition: Definition, context: Context, olds: Fields, news: Fields): void {
  const ownership = definition.owns?.(context, { ...getIdentity(definition, olds), ...news });
  if (ownership !== undefined) context.ownerships.set(ownership.list, ownership);
}

/** Whether another resource owns the object now, so that its own resource only releases it. */
export function isOwnedByOther(target: Target): boolean {
  return findOwnership(target)?.isOwned === true;
}

/** Whether another resource owned the object until now, so that its own resource adopts it. */
export function wasGivenUp(target: Target, remote: RemoteObject): boolean {
  const ownership = findOwnership(target);
  const id = remote[target.definition.identity.apiName];
  return ownership?.isOwned === false && ownership.objects.some(({ identity }) => identity === id);
}

function findOwnership({ definition, context, state }: Target): Ownership | undefined {
  const list = definition.list(context, state)?.key;
  return list === undefined ? undefined : context.ownerships.get(list);
}
