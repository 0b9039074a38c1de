/** Reads one object with as few requests as possible, and distinguishes a deleted object from an unreadable one. */
import { ServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import {
  listManagedArgs,
  type Definition,
  type Fields,
  type ListSource,
  type ReadSource,
  type RemoteObject,
  type SingleSource,
} from "../definition/definition.js";
import { listApiKeys, readRemoteValue, convertToSent } from "../definition/api-names.js";
import { listRemoteDefaults } from "../definition/server-defaults.js";
import { canonicalize, isSameSpelling } from "../definition/spelling.js";
import { identifyTarget, type Target } from "./target.js";

/** The result of a read. */
export interface ObservedObject {
  readonly remote: RemoteObject;
  /** Whether the object was read by itself, where the service omits no field, so that a missing field is not set. */
  readonly whole: boolean;
}

/**
 * The remote object, or undefined when it certainly does not exist: no list shows it and its own path responds with 404.
 * Reading stops at the first source after which every managed argument is known.
 */
export async function readRemote(target: Target): Promise<RemoteObject | undefined> {
  return (await observe(target))?.remote;
}

/** The same, with how much of the object is known. */
export async function observe(target: Target): Promise<ObservedObject | undefined> {
  const read = new Set<ReadSource>();
  const needed = listNeededKeys(target);
  const isEnough = (remote: RemoteObject) => needed.every((key) => key in remote);
  const found = await gather(target, isEnough, undefined, read);
  if (found === undefined) return undefined;
  const remote = await withDefaults(target, found, read);
  const whole = [...read].some((source) => source.kind === "single" && source.madeOf === undefined);
  return { remote, whole };
}

/** Adds the omitted arguments that have a default, which are compared too, as far as the token may read them. */
async function withDefaults(
  target: Target,
  remote: RemoteObject,
  read: Set<ReadSource>,
): Promise<RemoteObject> {
  const { definition, state } = target;
  const needed = Object.keys(listRemoteDefaults(definition, state))
    .filter((name) => state[name] === undefined)
    .flatMap((name) => listApiKeys(definition, name, undefined));
  const isEnough = (shown: RemoteObject) => needed.every((key) => key in shown);
  if (isEnough(remote)) return remote;
  try {
    return (await gather(target, isEnough, remote, read)) ?? remote;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "denied") return remote;
    throw error;
  }
}

/**
 * Reads an object from its sources, the cheapest first, until enough is known.
 * @param read receives the sources that showed the object
 */
export async function gather(
  target: Target,
  isEnough: (remote: RemoteObject) => boolean,
  start?: RemoteObject,
  read: Set<ReadSource> = new Set(),
): Promise<RemoteObject | undefined> {
  let remote = start;
  for (const source of listSources(target)) {
    if (remote !== undefined && isEnough(remote)) break;
    // Such a source finds the object in any parent. Only the list proves that it is in this one.
    if (remote === undefined && source.kind === "single" && source.anywhere) continue;
    const shown =
      source.kind === "list" ? await fromList(target, source) : await readAlone(target.context, source);
    if (shown === undefined) continue;
    remote = { ...remote, ...shown };
    read.add(source);
  }
  return remote;
}

/**
 * Whether the parent in the state does not contain the object, where requests find it by its id in any parent. The object
 * with that id is not the declared one then.
 */
export async function isInOtherParent(target: Target): Promise<boolean> {
  if (!listSources(target).some((source) => source.kind === "single" && source.anywhere)) return false;
  const list = getListSource(target);
  return list !== undefined && (await fromList(target, list)) === undefined;
}

/** The objects with the same natural key in the object's list. Where one has exactly this key, those in other spellings are others. */
export async function findExisting(target: Target): Promise<RemoteObject[]> {
  const { definition, context, state } = target;
  const list = getListSource(target);
  if (list === undefined || definition.naturalKey.length === 0) return [];
  const items = await listRemote(context, list);
  const exact = items.filter((item) => hasNaturalKey(definition, item, state));
  if (exact.length > 0) return exact;
  const canonical = canonicalizeArgs(definition, state);
  return items.filter((item) => hasNaturalKey(definition, canonicalizeRemote(definition, item), canonical));
}

function hasNaturalKey(definition: Definition, remote: RemoteObject, state: Fields): boolean {
  if (definition.matches) return definition.matches(remote, state);
  const sent = convertToSent(definition, state);
  return definition.naturalKey.every((name) => readRemoteValue(definition, remote, name) === sent[name]);
}

/** The arguments and outputs with identifying texts in their canonical spelling. */
function canonicalizeArgs(definition: Definition, state: Fields): Fields {
  const spelled = Object.entries(definition.spelling).map(([name, spelling]) => [
    name,
    canonicalize(spelling, state[name]),
  ]);
  return { ...state, ...(Object.fromEntries(spelled) as Fields) };
}

function canonicalizeRemote(definition: Definition, remote: RemoteObject): RemoteObject {
  const spelled = Object.entries(definition.spelling).flatMap(([name, spelling]) =>
    listApiKeys(definition, name, undefined).map((key) => [key, canonicalize(spelling, remote[key])]),
  );
  return { ...remote, ...(Object.fromEntries(spelled) as Fields) };
}

export function isSameAs({ identity, spelling }: Definition, state: Fields): (item: object) => boolean {
  const { apiName, state: name } = identity;
  return (item) => isSameSpelling(spelling[name], (item as RemoteObject)[apiName], state[name]);
}

/** The items of a list, read once per run. */
export function listRemote(
  context: Context,
  { key, load, within }: ListSource,
): Promise<readonly RemoteObject[]> {
  return (within === undefined ? context.reads.list(key, load) : load()) as Promise<readonly RemoteObject[]>;
}

/** Enters a response into the cached lists. */
export function enterResponse(target: Target, remote: RemoteObject): void {
  enterWritten(identifyTarget(target, remote), remote);
}

/** Updates the cached lists after a write (`undefined`: deleted). Single objects are read again. */
export function enterWritten(target: Target, written: RemoteObject | undefined): void {
  const { definition, context, state } = target;
  const { reads } = context;
  const isIt = isSameAs(definition, state);
  for (const source of listAllSources(target)) {
    if (source.kind === "single") {
      if (source.madeOf !== undefined) reads.forget(source.madeOf);
      else if (written === undefined) reads.forgetBelow(source.key);
      else reads.forget(source.key);
    } else if (source.within === undefined) reads.enter(source.key, isIt, written);
    else reads.enterWithin(source.within.key, source.within.part, isIt, written);
  }
}

/**
 * Sends a write. A failed write may have been applied in full or in part, so the object is read again.
 * @param shifts whether the object changes its position in lists
 */
export async function runWrite<T>(target: Target, write: () => T, shifts = false): Promise<Awaited<T>> {
  const { reads } = target.context;
  const read = listReadKeys(target);
  const ended = shifts ? reads.shift(read) : () => {};
  try {
    return await write();
  } catch (error) {
    for (const key of read) reads.forget(key);
    throw error;
  } finally {
    ended();
  }
}

/** Makes the next read of an object fetch it again. */
export function forgetReads(target: Target): void {
  for (const key of listReadKeys(target)) target.context.reads.forget(key);
}

function listReadKeys(target: Target): string[] {
  return listAllSources(target).map(
    (source) => (source.kind === "list" ? source.within?.key : source.madeOf) ?? source.key,
  );
}

function getListSource({ definition, context, state }: Target): ListSource | undefined {
  return definition.list(context, state);
}

function listSources({ definition, context, state }: Target): readonly ReadSource[] {
  return definition.sources(context, state);
}

function listAllSources(target: Target): ReadSource[] {
  const list = getListSource(target);
  return [...(list ? [list] : []), ...listSources(target)];
}

/** The API names of the declared arguments that the service shows. */
function listNeededKeys({ definition, state }: Target): string[] {
  const unseen = definition.writeOnly(state);
  return listManagedArgs(definition, state)
    .filter((name) => state[name] !== undefined && name !== "workspace" && !unseen.includes(name))
    .flatMap((name) => listApiKeys(definition, name, state[name]));
}

async function fromList(
  { definition, context, state }: Target,
  source: ListSource,
): Promise<RemoteObject | undefined> {
  try {
    return (await listRemote(context, source)).find(isSameAs(definition, state));
  } catch (error) {
    // The parent does not exist any more, and neither does its list.
    if (error instanceof ServiceError && error.code === "not-found") return undefined;
    throw error;
  }
}

async function readAlone(context: Context, source: SingleSource): Promise<RemoteObject | undefined> {
  try {
    const { key, load, madeOf } = source;
    return (await (madeOf === undefined ? context.reads.single(key, load) : load())) as RemoteObject;
  } catch (error) {
    // The spec shows no single read for every type: where the service does not know the path, the lists decide.
    if (error instanceof ServiceError && ["not-found", "invalid-url"].includes(error.code)) return undefined;
    throw error;
  }
}
