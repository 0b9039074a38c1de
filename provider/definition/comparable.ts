/** The arguments by which objects of two workspaces are compared. */
import { argsFromParent, kindsUnder } from "./placement.js";
import { managedArgs, type Definition, type Fields, type RemoteObject } from "./definition.js";
import { definitions } from "../resources/registry.js";
import { apiKeys } from "./api-names.js";

/** Arguments by which an object owns a list whose objects can be resources of their own. */
export function ownableArgs({ type }: Definition): string[] {
  return kindsUnder(definitions, type).flatMap(({ document: { section, exclusiveWhen } }) =>
    exclusiveWhen === undefined ? [] : [section, exclusiveWhen],
  );
}

/** All arguments except those that follow from the parent, that have resources of their own, or that concern the provider. */
export function comparableArgs(definition: Definition, args: Fields): string[] {
  const skipped = new Set([...argsFromParent(definition), ...ownableArgs(definition)]);
  const hidden = definition.writeOnly(args);
  return managedArgs(definition, args).filter(
    (name) =>
      !skipped.has(name) &&
      (hidden.includes(name) ||
        definition.apiFields[name]?.rest !== undefined ||
        apiKeys(definition, name, args[name]).length > 0),
  );
}

/** Arguments that the service should have shown and did not. An object with variants only shows what it was given. */
export function unseenArgs(definition: Definition, remote: RemoteObject, args: Fields): string[] {
  if (definition.variants !== undefined) return [];
  const hidden = definition.writeOnly(args);
  return comparableArgs(definition, args).filter(
    (name) => !hidden.includes(name) && !apiKeys(definition, name, undefined).every((key) => key in remote),
  );
}
