/**
 * Objects that stand in a list (members of a group) are resources of their own, or one resource holds the whole list as
 * an argument. When a declaration changes from one to the other, the engine deletes or makes the single resources after
 * the holder was changed: here they learn that the objects themselves have only changed hands.
 */
import type { Context, Holding } from "../definition/context.js";
import type { Definition, Fields, RemoteObject } from "../definition/definition.js";
import { identityOf } from "./diff.js";

/** Notes for the rest of the run whether the object holds its list. */
export function noteOwnership(definition: Definition, context: Context, olds: Fields, news: Fields): void {
  const holding = definition.holds?.(context, { ...identityOf(definition, olds), ...news });
  if (holding !== undefined) context.holdings.set(holding.list, holding);
}

/** Is an object held by another resource? Its own resource then only forgets it. */
export function isOwnedByOther(definition: Definition, context: Context, state: Fields): boolean {
  return holdingOf(definition, context, state)?.held === true;
}

/** Was a remote object held by another resource that gave it up? Its own resource then takes it over. */
export function wasGivenUp(
  definition: Definition,
  context: Context,
  state: Fields,
  remote: RemoteObject,
): boolean {
  const holding = holdingOf(definition, context, state);
  return (
    holding?.held === false &&
    holding.objects.some(({ identity }) => identity === remote[definition.identity.apiName])
  );
}

function holdingOf(definition: Definition, context: Context, state: Fields): Holding | undefined {
  const list = definition.list(context, state)?.key;
  return list === undefined ? undefined : context.holdings.get(list);
}
