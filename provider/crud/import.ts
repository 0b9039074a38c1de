/**
 * Taking existing objects into a state without a request that could change them (`workspacectl import`). In such a run the
 * engine creates, and the provider answers with what it finds; nothing else is possible in it.
 */
import { displayName } from "../definition/display-name.js";
import type { Context } from "../definition/context.js";
import { hiding } from "../recovery/candidates.js";
import type { Definition, Fields, RemoteObject } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { resolved, withRemote } from "./arguments.js";
import { keepWritten, type Kept } from "./state.js";
import { findExisting, readRemote } from "./remote-object.js";

/**
 * The object of the same natural key, as the state holds it: what the service shows, and for values that it keeps to itself
 * what is declared, with the masked form that is shown of it.
 * @throws {ProviderError} when there is no such object, or several
 */
export async function importObject(definition: Definition, context: Context, args: Fields): Promise<Kept> {
  const state = await resolved(definition, context, args);
  const found = await existing(definition, context, state);
  const here = withRemote(definition, state, found);
  const remote = (await readRemote(definition, context, here)) ?? found;
  const kept = keepWritten(definition, context, here, remote, []);
  context.adopted(definition.type, kept.id);
  return kept;
}

async function existing(definition: Definition, context: Context, state: Fields): Promise<RemoteObject> {
  const { noun, ephemeral, naturalKey, identity, document } = definition;
  const what = displayName(definition, state);
  const where = `in workspace ${context.workspace}`;
  // What has no name of its own is found by what it belongs to.
  if (!ephemeral && naturalKey.length === 0 && state[identity.state] !== undefined) {
    const remote = await readRemote(definition, context, state);
    if (remote !== undefined) return remote;
    throw new ProviderError("not-there", `there is no ${what} ${where}`);
  }
  if (ephemeral || naturalKey.length === 0) {
    throw new ProviderError(
      "not-there",
      `${what}: nothing tells one ${noun} from another, so none can be imported`,
    );
  }
  const [only, ...others] = await findExisting(definition, context, state);
  if (only === undefined) {
    const hidden = await hiding(definition, context, state);
    const [arg = ""] = naturalKey;
    const hint =
      hidden.length === 0 ? "" : `, as far as the service shows: it hides the ${arg} of ${hidden.length}`;
    const number = document?.numberedBy;
    const remedy = hint === "" || number === undefined ? "" : `. Say which it is with "${number}: <number>"`;
    throw new ProviderError("not-there", `there is no ${what} ${where}${hint}${remedy}`);
  }
  if (others.length === 0) return only;
  const ids = [only, ...others].map((remote) => String(remote[identity.apiName])).join(", ");
  throw new ProviderError(
    "ambiguous-name",
    `${what} exists several times ${where} (${ids}): rename all but one`,
  );
}
