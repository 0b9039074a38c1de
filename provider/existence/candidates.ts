/** Finds the objects that a declaration may mean, including one whose creation was interrupted by the death of the process. */
import { randomUUID } from "node:crypto";
import { ServiceError } from "../../client/index.js";
import { NAMELESS } from "../../recovery/intents.js";
import { buildIntentKey, type Intent, type Subject } from "../../recovery/journal.js";
import { pause } from "../../recovery/lease.js";
import { listApiKeys, readRemoteValue } from "../../resources/definition/api-names.js";
import { getSpelling } from "../../resources/definition/argument-spelling.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields, RemoteObject } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { canonicalize, formatVisibly } from "../../resources/definition/spelling.js";
import { ProviderError } from "../../resources/errors.js";
import { buildId } from "../crud/state.js";
import { identifyTarget } from "../crud/target.js";
import { readRemote } from "./observe.js";
import { findExisting, findOfSameKey, forgetReads, isKeyShared, listRemote } from "./sources.js";

/** Identifies the creation of an object in the journal. The same declaration has the same subject in every run, if it has a natural key. */
export function describeCreation(
  definition: Definition,
  context: Context,
  state: Fields,
): Subject | undefined {
  const list = definition.list(context, state);
  // Without a natural key, nothing distinguishes two objects of the same type.
  if (list === undefined || definition.naturalKey.length === 0) return undefined;
  const values = definition.naturalKey.map((name) =>
    canonicalize(
      getSpelling(definition, name),
      state[definition.references[name]?.idOutput ?? name] ?? state[name],
    ),
  );
  const { address } = context;
  const { type, sharedKey } = definition;
  const shared = sharedKey !== undefined && isKeyShared(definition, state) ? [state[sharedKey.key]] : [];
  return { type, address, key: buildIntentKey(address, type, list.key, ...values, ...shared) };
}

/** Identifies the creation of an object that nothing but its id distinguishes from others. */
export function describeNamelessCreation({ type }: Definition, { address }: Context): Subject {
  return { type, address, key: `${NAMELESS}${randomUUID()}` };
}

/** Pauses between two looks at the service, in milliseconds. The last one is repeated. */
const PAUSES = [250, 500, 1000, 2000, 4000, 8000];

/** The clock of the machine that wrote the journal may be wrong. */
const MOST_WAIT_MS = 60_000;

/**
 * The object that the interrupted run created, or else the objects with the natural key. Waits while the service may still be creating the
 * one that the run abandoned.
 */
export async function awaitCandidates(
  definition: Definition,
  context: Context,
  state: Fields,
  intent: Intent | undefined,
): Promise<RemoteObject[]> {
  const begun = Date.now();
  for (let look = 0; ; look++) {
    const found = await listCandidates(definition, context, state, intent);
    if (found.length > 0 || intent === undefined) return found;
    const left = Math.min(intent.mayAppearUntil, begun + MOST_WAIT_MS) - Date.now();
    if (left <= 0) return found;
    if (look === 0)
      context.journal.print(
        `${getDisplayName(definition, state)}: the run before was stopped while the service was creating it; looking for it for ${Math.ceil(left / 1000)} s`,
      );
    await pause(Math.min(left, PAUSES[look] ?? PAUSES.at(-1)!));
    forgetReads({ definition, context, state });
  }
}

/** The object that the interrupted run created, or else the objects with the natural key. */
export async function listCandidates(
  definition: Definition,
  context: Context,
  state: Fields,
  intent: Intent | undefined,
): Promise<RemoteObject[]> {
  if (intent?.id === undefined) {
    const found = await findExisting({ definition, context, state });
    if (found.length > 0 || intent === undefined || !isKeyShared(definition, state)) return found;
    const appeared = await findHidden(definition, context, state, intent);
    return appeared === undefined ? [] : [appeared];
  }
  const remote = await readRemote({
    definition,
    context,
    state: { ...parseId(definition, intent.id), ...state },
  });
  if (remote !== undefined) return [remote];
  // The object was deleted since. Another object with its name is not ours.
  intent.close();
  return findExisting({ definition, context, state });
}

/** Whether no two objects of the service can have the same natural key, because it is their identity. */
export function isKeyUnique(definition: Definition, state: Fields): boolean {
  const { naturalKey, identity } = definition;
  return naturalKey.some((arg) => listApiKeys(definition, arg, state[arg]).includes(identity.apiName));
}

/**
 * Refuses a creation whose object may already exist, because nobody knows all objects of its list.
 * @throws {ProviderError} `unreadable`
 */
export function refuseUnsettled(definition: Definition, context: Context, state: Fields): void {
  const key = definition.list(context, state)?.key;
  if (definition.naturalKey.length === 0 || isKeyUnique(definition, state)) return;
  if (key === undefined || context.reads.endOf(key) !== "unsettled") return;
  throw new ProviderError(
    "unreadable",
    `${getDisplayName(definition, state)} in workspace ${context.workspace} was not created, because it may already exist: the list in which it would be could not be read to the end. Others change it all the time, or the service does not return the pages that are requested`,
    'run the command again later; "workspacectl probe" shows what the service does',
  );
}

/** The arguments and outputs in an id. */
function parseId(definition: Definition, id: string): Fields {
  const parts = id.split("/").slice(1).map(decodeURIComponent);
  const named = definition.id.map((name, i) => {
    const schema = definition.outputs[name]?.schema;
    const part = parts[i] ?? "";
    return [name, schema?.safeParse(part).success === false ? Number(part) : part] as const;
  });
  return Object.fromEntries(named);
}

/**
 * The ids of objects in the list that do not show their natural key, or share it. Only their ids distinguish old ones from new ones.
 */
export async function listHiding(definition: Definition, context: Context, state: Fields): Promise<string[]> {
  const { apiName } = definition.identity;
  if (isKeyShared(definition, state))
    return (await findOfSameKey({ definition, context, state })).map((item) => String(item[apiName]));
  const list = definition.list(context, state);
  const keys = definition.naturalKey.flatMap((name) => listApiKeys(definition, name, state[name]));
  if (list === undefined || keys.length === 0) return [];
  const items = await listRemote(context, list, true);
  const isUnset = (value: unknown) => value === undefined || value === null;
  const [first = ""] = keys;
  const hidden = items.filter((item) => isUnset(item[first]) && keys.every((key) => isUnset(item[key])));
  return hidden.map((item) => String(item[apiName]));
}

/**
 * Finds the object that exists according to the service although no list shows its natural key: the only one that did not exist
 * before the interrupted run and that nothing else accounts for.
 */
export async function findHidden(
  definition: Definition,
  context: Context,
  state: Fields,
  intent: Intent,
): Promise<RemoteObject | undefined> {
  const list = definition.list(context, state);
  if (list === undefined || intent.before === undefined) return undefined;
  const before = new Set(intent.before);
  const { type } = definition;
  const { address, journal } = context;
  const added: RemoteObject[] = [];
  const items = isKeyShared(definition, state)
    ? await findOfSameKey({ definition, context, state })
    : await listRemote(context, list, true);
  for (const item of items) {
    if (before.has(String(item[definition.identity.apiName]))) continue;
    const id = buildId(identifyTarget({ definition, context, state }, item));
    if (!(await journal.accountsFor({ type, address, id }))) added.push(item);
  }
  return added.length === 1 ? added[0] : undefined;
}

/** Finds the object that appeared after this run had looked for it. */
export async function findAppeared(
  definition: Definition,
  context: Context,
  state: Fields,
  intent: Intent,
): Promise<RemoteObject | undefined> {
  const hidden = await findHidden(definition, context, state, intent);
  if (hidden !== undefined) return hidden;
  const [only, second] = await findExisting({ definition, context, state });
  return second === undefined ? only : undefined;
}

/** Whether the creating request certainly had no effect. */
export function wasNotCreated(error: unknown): boolean {
  return error instanceof ServiceError ? !error.mayHaveBeenApplied : error instanceof ProviderError;
}

/** Whether the error says that such an object exists. */
export function isAlreadyExists(error: unknown): boolean {
  const code = error instanceof ServiceError || error instanceof ProviderError ? error.code : undefined;
  return code === "already-exists" || code === "conflict";
}

/** Says how the service spells the name of an object, where that is not the declared spelling; otherwise empty. */
export function describeSpelling(definition: Definition, state: Fields, remote: RemoteObject): string {
  const other = Object.keys(definition.spelling)
    .map((name) => ({ name, shown: readRemoteValue(definition, remote, name) }))
    .find(({ name, shown }) => typeof shown === "string" && shown !== state[name]);
  if (other === undefined) return "";
  return `; the service spells it ${formatVisibly(other.shown)}, and the declaration ${formatVisibly(state[other.name])}`;
}

/** The numbers of objects, unless it is their name that identifies them. */
export function formatNumbers({ identity }: Definition, remotes: readonly RemoteObject[]): string {
  const numbers = remotes.map((remote) => remote[identity.apiName]).filter((id) => typeof id === "number");
  if (numbers.length === 0) return "";
  return ` (${numbers.length === 1 ? "number" : "numbers"} ${numbers.join(", ")})`;
}
