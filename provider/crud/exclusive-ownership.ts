/**
 * Objects in a list (members of a group) are resources of their own, or one resource owns the whole list as an argument.
 * When a declaration changes from one to the other, the engine deletes or creates the single resources after the owner was
 * changed: here they learn that only the ownership has changed.
 */
import type { Context, Holding } from "../definition/context.js";
import type { Definition, Fields, RemoteObject } from "../definition/definition.js";
import { identityOf } from "./diff.js";
import type { Target } from "./target.js";

/** Notes for the rest of the run whether the object owns its list. */
export function noteOwnership(definition: Definition, context: Context, olds: Fields, news: Fields): void {
  const holding = definition.holds?.(context, { ...identityOf(definition, olds), ...news });
  if (holding !== undefined) context.holdings.set(holding.list, holding);
}

/** Whether another resource owns the object. Its own resource then only forgets it. */
export function isOwnedByOther(target: Target): boolean {
  return holdingOf(target)?.held === true;
}

/** Whether another resource owned a remote object and gave it up. Its own resource then takes it over. */
export function wasGivenUp(target: Target, remote: RemoteObject): boolean {
  const holding = holdingOf(target);
  const id = remote[target.definition.identity.apiName];
  return holding?.held === false && holding.objects.some(({ identity }) => identity === id);
}

function holdingOf({ definition, context, state }: Target): Holding | undefined {
  const list = definition.list(context, state)?.key;
  return list === undefined ? undefined : context.holdings.get(list);
}
