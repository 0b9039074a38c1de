/** The arguments by which objects of two workspaces can be compared. */
import { argsFromPlace, kindsUnder } from "./placement.js";
import { managedArgs, type Definition, type Fields, type RemoteObject } from "./definition.js";
import { definitions } from "../resources/registry.js";
import { apiKeys } from "./api-names.js";

/** All but those that follow from the parent, those with resources of their own, and those of the provider. */
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

/** Arguments that the service should have shown and did not. Objects with variants only show what they were given. */
export function unseenArgs(definition: Definition, remote: RemoteObject, args: Fields): string[] {
  if (definition.variants !== undefined) return [];
  const hidden = definition.writeOnly(args);
  return comparableArgs(definition, args).filter(
    (name) => !hidden.includes(name) && !apiKeys(definition, name, undefined).every((key) => key in remote),
  );
}
