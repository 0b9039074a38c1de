/** Which arguments say something of an object itself, so that two objects in two places can be compared by them. */
import { argsFromPlace, kindsUnder } from "./placement.js";
import { managedArgs, type Definition, type Fields, type RemoteObject } from "./definition.js";
import { definitions } from "../resources/registry.js";
import { apiKeys } from "./api-names.js";

/** All but what follows from where the object stands, what has objects of its own, and what only tells us how to manage it. */
export function comparableArgs(definition: Definition, args: Fields): string[] {
  const held = kindsUnder(definitions, definition.type)
    .filter(({ document }) => document.heldWhen !== undefined)
    .flatMap(({ document }) => [document.section, document.heldWhen]);
  const left = new Set([...argsFromPlace(definition), ...held]);
  const hidden = definition.writeOnly(args);
  return managedArgs(definition, args).filter(
    (name) =>
      !left.has(name) &&
      (hidden.includes(name) ||
        definition.apiFields[name]?.rest !== undefined ||
        apiKeys(definition, name, args[name]).length > 0),
  );
}

/** Arguments that the service was to show of this object, and did not. Of many kinds in one list, each shows what it was given. */
export function unseenArgs(definition: Definition, remote: RemoteObject, args: Fields): string[] {
  if (definition.variants !== undefined) return [];
  const hidden = definition.writeOnly(args);
  return comparableArgs(definition, args).filter(
    (name) => !hidden.includes(name) && !apiKeys(definition, name, undefined).every((key) => key in remote),
  );
}
