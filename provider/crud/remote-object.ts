/** Reads one object with as few requests as possible, and tells gone from unreadable. */
import { ServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import {
  managedArgs,
  type Definition,
  type Fields,
  type ListSource,
  type RemoteObject,
  type SingleSource,
  type ReadSource,
} from "../definition/definition.js";
import { remoteDefaults } from "../definition/server-defaults.js";
import { remoteValue, sendable, apiKeys } from "../definition/api-names.js";

/** What was read of an object. */
export interface ObservedObject {
  readonly remote: RemoteObject;
  /** The object was read by itself, where the service leaves out no field: what is not there is not set. */
  readonly whole: boolean;
}

/**
 * The remote object, or undefined when it is certainly gone: no list shows it and a read by itself is answered 404.
 * Reading stops at the first source after which every managed argument is there.
 */
export async function readRemote(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<RemoteObject | undefined> {
  return (await readSeen(definition, context, state))?.remote;
}

/** The same, with how much of it is known. */
export async function readSeen(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<ObservedObject | undefined> {
  const read = new Set<ReadSource>();
  const wanted = wantedKeys(definition, state);
  const isEnough = (remote: RemoteObject) => wanted.every((key) => key in remote);
  const found = await gather(definition, context, state, isEnough, undefined, read);
  if (found === undefined) return undefined;
  const remote = await withDefaults(definition, context, state, found, read);
  const whole = [...read].some((source) => source.kind === "single" && source.madeOf === undefined);
  return { remote, whole };
}

/** Arguments with a default are compared though nobody declares them, as far as the token may see them. */
async function withDefaults(
  definition: Definition,
  context: Context,
  state: Fields,
  remote: RemoteObject,
  read: Set<ReadSource>,
): Promise<RemoteObject> {
  const wanted = Object.keys(remoteDefaults(definition, state))
    .filter((name) => state[name] === undefined)
    .flatMap((name) => apiKeys(definition, name, undefined));
  const isEnough = (seen: RemoteObject) => wanted.every((key) => key in seen);
  if (isEnough(remote)) return remote;
  try {
    return (await gather(definition, context, state, isEnough, remote, read)) ?? remote;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "denied") return remote;
    throw error;
  }
}

/**
 * What the sources show of an object, the cheapest first, until it is enough.
 * @param read the sources that showed it are added to it
 */
export async function gather(
  definition: Definition,
  context: Context,
  state: Fields,
  isEnough: (remote: RemoteObject) => boolean,
  known?: RemoteObject,
  read: Set<ReadSource> = new Set(),
): Promise<RemoteObject | undefined> {
  let remote = known;
  for (const source of definition.sources(context, state)) {
    if (remote !== undefined && isEnough(remote)) break;
    // By its number alone it is found wherever it stands: that it is there, only its list says.
    if (remote === undefined && source.kind === "single" && source.anywhere) continue;
    const seen =
      source.kind === "list"
        ? await fromList(definition, context, state, source)
        : await alone(context, source);
    if (seen === undefined) continue;
    remote = { ...remote, ...seen };
    read.add(source);
  }
  return remote;
}

/**
 * Is an object that requests find by its number alone, wherever it stands, missing where the state says that it stands? Then
 * what has the number is not the one that was declared.
 */
export async function standsElsewhere(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<boolean> {
  const sources = definition.sources(context, state);
  if (!sources.some((source) => source.kind === "single" && source.anywhere)) return false;
  const list = definition.list(context, state);
  return list !== undefined && (await fromList(definition, context, state, list)) === undefined;
}

/** The objects of the list in which this one would appear that have its natural key. */
export async function findExisting(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<RemoteObject[]> {
  const list = definition.list(context, state);
  if (list === undefined || definition.naturalKey.length === 0) return [];
  const items = await listed(context, list);
  const sent = sendable(definition, state);
  return items.filter((item) =>
    definition.matches
      ? definition.matches(item, state)
      : definition.naturalKey.every((name) => remoteValue(definition, item, name) === sent[name]),
  );
}

export function isSameAs({ identity }: Definition, state: Fields): (item: object) => boolean {
  return (item) => (item as RemoteObject)[identity.apiName] === state[identity.state];
}

/** The items of a list, read once per run. */
export function listed(
  context: Context,
  { key, load, within }: ListSource,
): Promise<readonly RemoteObject[]> {
  return (within === undefined ? context.reads.list(key, load) : load()) as Promise<readonly RemoteObject[]>;
}

/** After a write: lists that were read show it (`undefined`: gone), and what was read alone is read again. */
export function enterWritten(
  definition: Definition,
  context: Context,
  state: Fields,
  written: RemoteObject | undefined,
): void {
  const { reads } = context;
  const isIt = isSameAs(definition, state);
  for (const source of placesOf(definition, context, state)) {
    if (source.kind === "single") {
      if (source.madeOf !== undefined) reads.forget(source.madeOf);
      else if (written === undefined) reads.forgetBelow(source.key);
      else reads.forget(source.key);
    } else if (source.within === undefined) reads.enter(source.key, isIt, written);
    else reads.enterWithin(source.within.key, source.within.part, isIt, written);
  }
}

/**
 * A write. One that failed may have been made all the same, or half of it: what was read before it is read again.
 * @param shifts whether the object leaves its place in lists
 */
export async function writing<T>(
  definition: Definition,
  context: Context,
  state: Fields,
  write: () => T,
  shifts: boolean = false,
): Promise<Awaited<T>> {
  const read = placesOf(definition, context, state).map(
    (source) => (source.kind === "list" ? source.within?.key : source.madeOf) ?? source.key,
  );
  const ended = shifts ? context.reads.shift(read) : () => {};
  try {
    return await write();
  } catch (error) {
    for (const key of read) context.reads.forget(key);
    throw error;
  } finally {
    ended();
  }
}

function placesOf(definition: Definition, context: Context, state: Fields): ReadSource[] {
  const list = definition.list(context, state);
  return [...(list ? [list] : []), ...definition.sources(context, state)];
}

/** Keys of a remote object that a refresh has to see: those of the managed arguments that the service shows at all. */
function wantedKeys(definition: Definition, state: Fields): string[] {
  const unseen = definition.writeOnly(state);
  return managedArgs(definition, state)
    .filter((name) => state[name] !== undefined && name !== "workspace" && !unseen.includes(name))
    .flatMap((name) => apiKeys(definition, name, state[name]));
}

async function fromList(
  definition: Definition,
  context: Context,
  state: Fields,
  source: ListSource,
): Promise<RemoteObject | undefined> {
  try {
    return (await listed(context, source)).find(isSameAs(definition, state));
  } catch (error) {
    // The parent is gone, and its list with it.
    if (error instanceof ServiceError && error.code === "not-found") return undefined;
    throw error;
  }
}

async function alone(context: Context, source: SingleSource): Promise<RemoteObject | undefined> {
  try {
    const { key, load, madeOf } = source;
    return (await (madeOf === undefined ? context.reads.single(key, load) : load())) as RemoteObject;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The spec shows no single read for every kind: where the service does not know the path, the lists have the word.
    if (error.code === "not-found" || error.code === "invalid-url") return undefined;
    throw error;
  }
}
