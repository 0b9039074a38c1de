/** The sources from which an object can be read: lists, embedding objects, and the object itself. */
import { isServiceError, ServiceError } from "../../client/index.js";
import { convertToSent, createReader, listApiKeys } from "../../resources/definition/api-names.js";
import type { Context } from "../../resources/definition/context.js";
import type {
  Definition,
  Fields,
  ListSource,
  ReadSource,
  RemoteObject,
  SingleSource,
} from "../../resources/definition/definition.js";
import { loadItems } from "../../resources/definition/lists.js";
import { canonicalize, isSameSpelling } from "../../resources/definition/spelling.js";
import { identifyTarget, type Target } from "../crud/target.js";

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

/** Whether other objects may have the natural key of this one, so that it identifies none of them. */
export function isKeyShared({ sharedKey }: Definition, state: Fields): boolean {
  return sharedKey !== undefined && typeof state[sharedKey.key] === "string";
}

/** The objects with the same natural key in the object's list that the declaration may mean. @param isSure proves that there are no others */
export async function findExisting(target: Target, isSure = true): Promise<RemoteObject[]> {
  const { definition, state } = target;
  const number = state[definition.sharedKey?.number ?? ""];
  if (typeof number !== "number") return isKeyShared(definition, state) ? [] : findOfSameKey(target, isSure);
  return (await findOfSameKey(target, isSure)).filter((one) => one[definition.identity.apiName] === number);
}

/**
 * The objects with the same natural key in the object's list. Where one has exactly this key, those in other spellings are others.
 * @param isSure proves that there are no others
 */
export async function findOfSameKey(target: Target, isSure = true): Promise<RemoteObject[]> {
  const { definition, context, state } = target;
  const list = getListSource(target);
  if (list === undefined || definition.naturalKey.length === 0) return [];
  const items = await listRemote(context, list, isSure);
  const hasCanonicalKey = createKeyTest(definition, canonicalizeArgs(definition, state));
  const canonical = getCanonicalItems(definition);
  const found = items.filter((item) => hasCanonicalKey(canonical(item)));
  const exact = found.filter(createKeyTest(definition, state));
  return exact.length > 0 ? exact : found;
}

function createKeyTest(definition: Definition, state: Fields): (remote: RemoteObject) => boolean {
  if (definition.matches) return (remote) => definition.matches!(remote, state);
  const sent = convertToSent(definition, state);
  const readers = definition.naturalKey.map((name) => createReader(definition, name));
  const wanted = definition.naturalKey.map((name) => sent[name]);
  const isEqual = (remote: RemoteObject) => readers.every((read, index) => read(remote) === wanted[index]);
  // Each creation searches the whole list, in which nearly all differ in the first value.
  const [readFirst] = readers;
  return (remote) => readFirst?.(remote) === wanted[0] && isEqual(remote);
}

/** The arguments and outputs with identifying texts in their canonical spelling. */
function canonicalizeArgs(definition: Definition, state: Fields): Fields {
  const spelled = Object.entries(definition.spelling).map(([name, spelling]) => [
    name,
    canonicalize(spelling, state[name]),
  ]);
  return { ...state, ...(Object.fromEntries(spelled) as Fields) };
}

/** Each creation searches the whole list, whose items do not change. */
const canonicalItems = new WeakMap<Definition, WeakMap<RemoteObject, RemoteObject>>();

function getCanonicalItems(definition: Definition): (remote: RemoteObject) => RemoteObject {
  const known = canonicalItems.get(definition) ?? new WeakMap<RemoteObject, RemoteObject>();
  canonicalItems.set(definition, known);
  return (remote) => {
    let item = known.get(remote);
    if (item === undefined) known.set(remote, (item = canonicalizeRemote(definition, remote)));
    return item;
  };
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

/** The items of a list, read once per run. @param isSure proves that there are no others */
export async function listRemote(
  context: Context,
  list: ListSource,
  isSure = false,
): Promise<readonly RemoteObject[]> {
  const items = list.within === undefined ? loadItems(context, list, isSure) : (await list.load()).items;
  return (await items) as readonly RemoteObject[];
}

/** The items of a list whose end is proven, or cannot be. It is read again only if there are more of them. */
export async function listWhole(context: Context, list: ListSource): Promise<readonly RemoteObject[]> {
  const items = await listRemote(context, list);
  if (context.reads.endOf(list.key) !== "assumed") return items;
  if (!(await list.endsAt?.(items.length))) return listRemote(context, list, true);
  context.reads.noteProven(list.key);
  return items;
}

/** Whether the object's list can be read, and does not show it. */
export async function isUnlisted(target: Target): Promise<boolean> {
  return (await findListed(target)) === "unlisted";
}

/** Whether the object's list shows it. */
export async function isListed(target: Target): Promise<boolean> {
  return (await findListed(target)) === "listed";
}

async function findListed(target: Target): Promise<"listed" | "unlisted" | "unreadable"> {
  const list = getListSource(target);
  if (list === undefined) return "unreadable";
  try {
    return (await fromList(target, list)) === undefined ? "unlisted" : "listed";
  } catch (error) {
    if (isServiceError(error)) return "unreadable";
    throw error;
  }
}

/** Whether any source shows the object. */
export async function isReadable(target: Target): Promise<boolean> {
  return (await gather(target, () => true)) !== undefined;
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
    for (const key of read) reads.forgetWritten(key);
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

export function getListSource({ definition, context, state }: Target): ListSource | undefined {
  return definition.list(context, state);
}

export function listSources({ definition, context, state }: Target): readonly ReadSource[] {
  return definition.sources(context, state);
}

function listAllSources(target: Target): ReadSource[] {
  const list = getListSource(target);
  return [...(list ? [list] : []), ...listSources(target)];
}

async function fromList(
  { definition, context, state }: Target,
  source: ListSource,
): Promise<RemoteObject | undefined> {
  const isIt = isSameAs(definition, state);
  try {
    const found = (await listRemote(context, source)).find(isIt);
    if (found !== undefined || context.reads.endOf(source.key) !== "assumed") return found;
    return (await listRemote(context, source, true)).find(isIt);
  } catch (error) {
    // The parent does not exist any more, and neither does its list.
    if (error instanceof ServiceError && error.code === "not-found") return undefined;
    throw error;
  }
}

/** The object from its own path; undefined when the service says that there is none. */
export async function readAlone(context: Context, source: SingleSource): Promise<RemoteObject | undefined> {
  try {
    const { key, load, madeOf } = source;
    return (await (madeOf === undefined ? context.reads.single(key, load) : load())) as RemoteObject;
  } catch (error) {
    // The spec shows no single read for every type: where the service does not know the path, the lists decide.
    if (error instanceof ServiceError && ["not-found", "invalid-url"].includes(error.code)) return undefined;
    throw error;
  }
}
