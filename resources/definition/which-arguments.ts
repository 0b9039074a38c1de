/** Which arguments of a definition identify an object, and which can be read, compared or verified. */
import { hasSecret } from "../../diff/values.js";
import { definitions } from "../registry.js";
import { listApiKeys } from "./api-names.js";
import {
  type Definition,
  type Fields,
  getArgsSchema,
  listManagedArgs,
  type RemoteObject,
} from "./definition.js";
import { listArgsFromParent, listKindsUnder } from "./placement.js";

const identifying = new WeakMap<Definition, ReadonlySet<string>>();

/**
 * The arguments that identify an object, refer to another one, or decide what kind of object it is. They become part of addresses, ids
 * and messages, and every plan shows them. So none of them can be secret.
 */
export function listIdentifyingArgs(definition: Definition): ReadonlySet<string> {
  const known = identifying.get(definition);
  if (known !== undefined) return known;
  const { naturalKey, id, identity, references, variants, clientOnly, document, alwaysShown } = definition;
  const referring = Object.entries(references).flatMap(([arg, { copies = {}, identity: same }]) => [
    ...[arg, ...Object.keys(copies)],
    ...(same === undefined ? [] : [same]),
  ]);
  const placed = document === undefined ? [] : [document.keyedBy, document.numberedBy ?? document.keyedBy];
  const choosing = variants === undefined ? [] : [variants.chosenBy, ...variants.modes];
  const names = ["workspace", ...naturalKey, ...id, identity.state, ...referring, ...placed, ...choosing];
  const all = new Set([...names, ...clientOnly, ...alwaysShown]);
  identifying.set(definition, all);
  return all;
}

/** The arguments of an entry: not those that follow from its parent, or by which it owns a list of objects that can be resources of their own. */
function listEntryArgs(definition: Definition, args: Fields): string[] {
  const owning = listKindsUnder(definitions, definition.type).flatMap(
    ({ document: { section, exclusiveWhen } }) =>
      exclusiveWhen === undefined ? [] : [section, exclusiveWhen],
  );
  const skipped = new Set([...listArgsFromParent(definition), ...owning]);
  return listManagedArgs(definition, args).filter((name) => !skipped.has(name));
}

/** The arguments that the service can show of an object. */
export function listReadableArgs(definition: Definition, args: Fields): string[] {
  const hidden = definition.writeOnly(args);
  return listEntryArgs(definition, args).filter((name) => !hidden.includes(name));
}

/** The arguments by which objects of two workspaces are compared: not those that concern the provider alone. */
export function listComparableArgs(definition: Definition, args: Fields): string[] {
  const hidden = definition.writeOnly(args);
  return listEntryArgs(definition, args).filter(
    (name) =>
      hidden.includes(name) ||
      definition.apiFields[name]?.rest !== undefined ||
      listApiKeys(definition, name, args[name]).length > 0,
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

/**
 * The declared arguments that cannot be verified: the service shows neither the value nor a masked form that would reveal a
 * change.
 * @param outputs the state of the object; `observed` has the masked forms that the service showed
 */
export function listUnverifiable(definition: Definition, args: Fields, outputs: Fields): string[] {
  const observed = (outputs["observed"] ?? {}) as Fields;
  const unseen = [
    ...definition.writeOnly(args),
    ...definition.masked(args).filter((name) => observed[name] === undefined),
  ];
  const own = Object.keys(getArgsSchema(definition, args).shape);
  return own.filter((name) => unseen.includes(name) && args[name] !== undefined && args[name] !== null);
}

/** Whether what names an object, or its parent, is marked as secret, so that no list can be searched for it. */
export function isPlaceHidden({ naturalKey, references }: Definition, state: Fields): boolean {
  return [...naturalKey, ...Object.keys(references)].some((name) => hasSecret(state[name]));
}
