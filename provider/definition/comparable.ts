/** The arguments by which objects of two workspaces are compared. */
import { listArgsFromParent, listKindsUnder } from "./placement.js";
import { listManagedArgs, type Definition, type Fields, type RemoteObject } from "./definition.js";
import { definitions } from "../resources/registry.js";
import { listApiKeys } from "./api-names.js";

/** Arguments by which an object owns a list whose objects can be resources of their own. */
export function listOwnableArgs({ type }: Definition): string[] {
  return listKindsUnder(definitions, type).flatMap(({ document: { section, exclusiveWhen } }) =>
    exclusiveWhen === undefined ? [] : [section, exclusiveWhen],
  );
}

/** All arguments except those that follow from the parent, that have resources of their own, or that concern the provider. */
export function listComparableArgs(definition: Definition, args: Fields): string[] {
  const skipped = new Set([...listArgsFromParent(definition), ...listOwnableArgs(definition)]);
  const hidden = definition.writeOnly(args);
  return listManagedArgs(definition, args).filter(
    (name) =>
      !skipped.has(name) &&
      (hidden.includes(name) ||
        definition.apiFields[name]?.rest !== undefined ||
        listApiKeys(definition, name, args[name]).length > 0),
  );
}

/** Arguments that the service should have shown and did not. An object with variants only shows what it was given. */
export function listUnseenArgs(definition: Definition, remote: RemoteObject, args: Fields): string[] {
  if (definition.variants !== undefined) return [];
  const hidden = definition.writeOnly(args);
  return listComparableArgs(definition, args).filter(
    (name) =>
      !hidden.includes(name) && !listApiKeys(definition, name, undefined).every((key) => key in remote),
  );
}
