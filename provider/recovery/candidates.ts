/** What an earlier run may have left behind when it was killed between a creating request and the engine's state. */
import { ServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import type { Definition, Fields, RemoteObject } from "../definition/definition.js";
import { ProviderError } from "../errors.js";
import { intentKey, type Intent, type Subject } from "./create-journal.js";
import { findExisting, listed, readRemote } from "../crud/remote-object.js";
import { apiKeys } from "../definition/api-names.js";
import { idOf } from "../crud/state.js";
import { identified } from "../crud/target.js";

/** Names the creation of an object in the journal: the same for every run that declares it. */
export function creationOf(definition: Definition, context: Context, state: Fields): Subject | undefined {
  const list = definition.list(context, state);
  // Nothing tells an object without a natural key from another of its kind.
  if (list === undefined || definition.naturalKey.length === 0) return undefined;
  const values = definition.naturalKey.map(
    (name) => state[definition.references[name]?.idOutput ?? name] ?? state[name],
  );
  const { address } = context;
  const { type } = definition;
  return { type, address, key: intentKey(address, type, list.key, ...values) };
}

/** The objects that a declaration may mean: the one that the interrupted run made, else those of its natural key. */
export async function candidates(
  definition: Definition,
  context: Context,
  state: Fields,
  left: Intent | undefined,
): Promise<RemoteObject[]> {
  if (left?.id === undefined) return findExisting({ definition, context, state });
  const remote = await readRemote({
    definition,
    context,
    state: { ...partsOf(definition, left.id), ...state },
  });
  if (remote !== undefined) return [remote];
  // Deleted since: what has its name now is somebody else's.
  left.close();
  return findExisting({ definition, context, state });
}

/** Arguments and outputs that an id consists of. */
function partsOf(definition: Definition, id: string): Fields {
  const parts = id.split("/").slice(1).map(decodeURIComponent);
  const named = definition.id.map((name, i) => {
    const schema = definition.outputs[name]?.schema;
    const part = parts[i] ?? "";
    return [name, schema?.safeParse(part).success === false ? Number(part) : part] as const;
  });
  return Object.fromEntries(named);
}

/** Objects of the list that do not show their natural key: nothing but their ids tells old ones from new ones. */
export async function hiding(definition: Definition, context: Context, state: Fields): Promise<string[]> {
  const list = definition.list(context, state);
  const keys = definition.naturalKey.flatMap((name) => apiKeys(definition, name, state[name]));
  if (list === undefined || keys.length === 0) return [];
  const items = await listed(context, list);
  const hidden = items.filter((item) => keys.every((key) => item[key] === undefined || item[key] === null));
  return hidden.map((item) => String(item[definition.identity.apiName]));
}

/**
 * Finds the object that exists according to the service although no list shows its natural key: the only one that did not exist
 * before the interrupted run and that nothing else accounts for.
 */
export async function hiddenOne(
  definition: Definition,
  context: Context,
  state: Fields,
  left: Intent,
): Promise<RemoteObject | undefined> {
  const list = definition.list(context, state);
  if (list === undefined || left.before === undefined) return undefined;
  const before = new Set(left.before);
  const { type } = definition;
  const { address, journal } = context;
  const [only, second] = (await listed(context, list)).filter((item) => {
    if (before.has(String(item[definition.identity.apiName]))) return false;
    const id = idOf(identified({ definition, context, state }, item));
    return !journal.accountsFor({ type, address, id });
  });
  return second === undefined ? only : undefined;
}

/** Is it certain that the creating request did nothing? */
export function surelyNotMade(error: unknown): boolean {
  return error instanceof ServiceError ? !error.mayHaveBeenApplied : error instanceof ProviderError;
}

/** Does the error say that such an object exists? */
export function saysItExists(error: unknown): boolean {
  const code = error instanceof ServiceError || error instanceof ProviderError ? error.code : undefined;
  return code === "already-exists" || code === "conflict";
}
