/**
 * Imports existing objects into a state without changing them (`workspacectl import`). In such a run the engine creates
 * objects, and the provider returns the existing ones. It refuses any other operation.
 */
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields, RemoteObject } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { ProviderError } from "../../resources/errors.js";
import { formatNumbers, listHiding } from "../existence/candidates.js";
import { readRemote } from "../existence/observe.js";
import { findExisting, isKeyShared } from "../existence/sources.js";
import { buildStateAfterWrite, type ObjectState } from "./state.js";
import { identifyTarget, resolveTarget, type Target } from "./target.js";

/**
 * The state of the object with the same natural key. It has the values that the service shows. A value that it does not show is the
 * declared one.
 * @throws {ProviderError} when there is no such object, or several
 */
export async function importObject(
  definition: Definition,
  context: Context,
  args: Fields,
): Promise<ObjectState> {
  const target = await resolveTarget(definition, context, args);
  const found = await readExisting(target);
  const here = identifyTarget(target, found);
  const imported = buildStateAfterWrite(here, (await readRemote(here)) ?? found, []);
  context.adopted(definition.type, imported.id);
  return imported;
}

const CREATE_INSTEAD =
  'Correct its name. If it is to be created, remove its import: "workspacectl up" (or "pulumi up") creates it';

async function readExisting(target: Target): Promise<RemoteObject> {
  const { definition, context, state } = target;
  const { noun, ephemeral, naturalKey, identity, document, sharedKey } = definition;
  const what = getDisplayName(definition, state);
  const where = `in workspace ${context.workspace}`;
  // An object without a name is found by its parent.
  if (!ephemeral && naturalKey.length === 0 && state[identity.state] !== undefined) {
    const remote = await readRemote(target);
    if (remote !== undefined) return remote;
    throw new ProviderError(
      "not-there",
      `there is no ${what} ${where} for the number ${String(state[identity.state])} of the import`,
      CREATE_INSTEAD.replace("its name", "the number"),
    );
  }
  if (ephemeral || naturalKey.length === 0) {
    throw new ProviderError(
      "not-there",
      `${what} cannot be imported: no argument distinguishes one ${noun} from another`,
      'remove its import: "workspacectl up" (or "pulumi up") creates it',
    );
  }
  const [only, ...others] = await findExisting(target);
  if (only === undefined) {
    const hidden = await listHiding(definition, context, state);
    const [arg = ""] = naturalKey;
    const hint =
      hidden.length === 0 ? "" : `, as far as the service shows: it hides the ${arg} of ${hidden.length}`;
    const number = document?.numberedBy ?? (isKeyShared(definition, state) ? sharedKey?.number : undefined);
    const remedy =
      (hint === "" && document?.numberedBy === number) || number === undefined
        ? CREATE_INSTEAD
        : `Select one with "${number}: <number>"`;
    throw new ProviderError("not-there", `there is no ${what} ${where}${hint}`, remedy);
  }
  if (others.length === 0) return only;
  const ids = formatNumbers(definition, [only, ...others]);
  throw new ProviderError(
    "ambiguous-name",
    `${what} exists several times ${where}${ids}`,
    sharedKey === undefined
      ? "rename all but one of them in the service"
      : `say which one with "${sharedKey.number}: <number>", or rename all but one of them in the service`,
  );
}
