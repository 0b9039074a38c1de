/** Reads one object with as few requests as possible, and tells gone from unreadable. */
import { ServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import {
  managedArgs,
  type Definition,
  type Fields,
  type ListSource,
  type Live,
  type SingleSource,
  type Source,
} from "../definition/definition.js";
import { remoteDefaults } from "../definition/server-defaults.js";
import { liveValue, sendable, wireKeys } from "../definition/api-names.js";

/** What was read of an object. */
export interface Seen {
  readonly live: Live;
  /** The object was read by itself, where the service leaves out no field: what is not there is not set. */
  readonly whole: boolean;
}

/**
 * The live object, or undefined when it is certainly gone: no list shows it and a read by itself is answered 404.
 * Reading stops at the first source after which every managed argument is there.
 */
export async function readLive(
  definition: Definition,
  context: Context,
  at: Fields,
): Promise<Live | undefined> {
  return (await readSeen(definition, context, at))?.live;
}

/** The same, with how much of it is known. */
export async function readSeen(
  definition: Definition,
  context: Context,
  at: Fields,
): Promise<Seen | undefined> {
  const read = new Set<Source>();
  const wanted = wantedKeys(definition, at);
  const isEnough = (live: Live) => wanted.every((key) => key in live);
  const live = await gather(definition, context, at, isEnough, undefined, read);
  if (live === undefined) return undefined;
  const more = await withDefaults(definition, context, at, live, read);
  const whole = [...read].some((source) => source.kind === "single" && source.madeOf === undefined);
  return { live: more, whole };
}

/** Arguments with a default are compared though nobody declares them, as far as the token may see them. */
async function withDefaults(
  definition: Definition,
  context: Context,
  at: Fields,
  live: Live,
  read: Set<Source>,
): Promise<Live> {
  const wanted = Object.keys(remoteDefaults(definition, at))
    .filter((name) => at[name] === undefined)
    .flatMap((name) => wireKeys(definition, name, undefined));
  const isEnough = (seen: Live) => wanted.every((key) => key in seen);
  if (isEnough(live)) return live;
  try {
    return (await gather(definition, context, at, isEnough, live, read)) ?? live;
  } catch (error) {
    if (error instanceof ServiceError && error.code === "denied") return live;
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
  at: Fields,
  isEnough: (live: Live) => boolean,
  known?: Live,
  read: Set<Source> = new Set(),
): Promise<Live | undefined> {
  let live = known;
  for (const source of definition.sources(context, at)) {
    if (live !== undefined && isEnough(live)) break;
    // By its number alone it is found wherever it stands: that it is there, only its list says.
    if (live === undefined && source.kind === "single" && source.anywhere) continue;
    const seen =
      source.kind === "list" ? await fromList(definition, context, at, source) : await alone(context, source);
    if (seen === undefined) continue;
    live = { ...live, ...seen };
    read.add(source);
  }
  return live;
}

/**
 * Is an object that requests find by its number alone, wherever it stands, missing where the state says that it stands? Then
 * what has the number is not the one that was declared.
 */
export async function standsElsewhere(
  definition: Definition,
  context: Context,
  at: Fields,
): Promise<boolean> {
  const sources = definition.sources(context, at);
  if (!sources.some((source) => source.kind === "single" && source.anywhere)) return false;
  const list = definition.list(context, at);
  return list !== undefined && (await fromList(definition, context, at, list)) === undefined;
}

/** The objects of the list in which this one would appear that have its natural key. */
export async function findExisting(definition: Definition, context: Context, at: Fields): Promise<Live[]> {
  const list = definition.list(context, at);
  if (list === undefined || definition.naturalKey.length === 0) return [];
  const items = await listed(context, list);
  const sent = sendable(definition, at);
  return items.filter((item) =>
    definition.matches
      ? definition.matches(item, at)
      : definition.naturalKey.every((name) => liveValue(definition, item, name) === sent[name]),
  );
}

export function isSameAs(definition: Definition, at: Fields): (item: object) => boolean {
  const { wire, state } = definition.identity;
  return (item) => (item as Live)[wire] === at[state];
}

/** The items of a list, read once per run. */
export function listed(context: Context, { key, load, within }: ListSource): Promise<readonly Live[]> {
  return (within === undefined ? context.reads.list(key, load) : load()) as Promise<readonly Live[]>;
}

/** After a write: lists that were read show it (`undefined`: gone), and what was read alone is read again. */
export function enterWritten(
  definition: Definition,
  context: Context,
  at: Fields,
  written: Live | undefined,
): void {
  const { reads } = context;
  const isIt = isSameAs(definition, at);
  for (const source of placesOf(definition, context, at)) {
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
  at: Fields,
  write: () => T,
  shifts: boolean = false,
): Promise<Awaited<T>> {
  const read = placesOf(definition, context, at).map(
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

function placesOf(definition: Definition, context: Context, at: Fields): Source[] {
  const list = definition.list(context, at);
  return [...(list ? [list] : []), ...definition.sources(context, at)];
}

/** Keys of a live object that a refresh has to see: those of the managed arguments that the service shows at all. */
function wantedKeys(definition: Definition, at: Fields): string[] {
  const unseen = definition.writeOnly(at);
  return managedArgs(definition, at)
    .filter((name) => at[name] !== undefined && name !== "workspace" && !unseen.includes(name))
    .flatMap((name) => wireKeys(definition, name, at[name]));
}

async function fromList(
  definition: Definition,
  context: Context,
  at: Fields,
  source: ListSource,
): Promise<Live | undefined> {
  try {
    return (await listed(context, source)).find(isSameAs(definition, at));
  } catch (error) {
    // The parent is gone, and its list with it.
    if (error instanceof ServiceError && error.code === "not-found") return undefined;
    throw error;
  }
}

async function alone(context: Context, source: SingleSource): Promise<Live | undefined> {
  try {
    const { key, load, madeOf } = source;
    return (await (madeOf === undefined ? context.reads.single(key, load) : load())) as Live;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The spec shows no single read for every kind: where the service does not know the path, the lists have the word.
    if (error.code === "not-found" || error.code === "invalid-url") return undefined;
    throw error;
  }
}
