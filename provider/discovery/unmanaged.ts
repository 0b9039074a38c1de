/** Finds unmanaged objects: those in lists of the service that neither the state contains nor the file names. */
import { ServiceError } from "../../client/index.js";
import { readRemoteOutputs, readRemoteValue } from "../../resources/definition/api-names.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields, RemoteObject } from "../../resources/definition/definition.js";
import { chooseOwnKeys, LogicalName } from "../../resources/definition/logical-name.js";
import { WORKSPACE } from "../../resources/definition/placement.js";
import { resolveReferences } from "../../resources/definition/references.js";
import type { Rename } from "../../resources/definition/renames.js";
import { maskArgs } from "../../resources/definition/secrets/mask.js";
import { isPlaceHidden } from "../../resources/definition/which-arguments.js";
import { definitions } from "../../resources/registry.js";
import type { Session } from "../connection/session.js";
import { findExisting, listRemote, listWhole } from "../existence/sources.js";

/** An object in the state. */
export interface ManagedObject {
  readonly type: string;
  /** Logical name. */
  readonly name: string;
  readonly id: string;
  readonly outputs: Fields;
}

/** An object that a declaration names, whether it is managed or not. */
interface NamedObject {
  readonly type: string;
  readonly key: string;
  /** Logical name of its parent; absent in the workspace itself. */
  readonly parent?: string | undefined;
  /** Further arguments that identify it. */
  readonly args?: Fields;
}

export interface Search {
  readonly managed: readonly ManagedObject[];
  readonly named: readonly NamedObject[];
  /** Objects that a program only reads. Like external ones of a file, they are managed elsewhere, and so is what they contain. */
  readonly external?: readonly ManagedObject[];
  /** Whether to look for objects of a type in parents of another (or in `workspace`). */
  readonly includes: (type: string, holderType: string) => boolean;
  /** Whether to read a list, by its logical name such as `projects/web/variables`. Default: every one. */
  readonly reads?: (list: string) => boolean;
  /** Outside renames of parents. The state of their children has the old names. */
  readonly renames?: readonly Rename[];
}

/** An object that is not declared. */
interface Unmanaged {
  readonly type: string;
  readonly section: string;
  /** The key that it would have in a workspace file. */
  readonly key: string;
  readonly parent?: string;
  /** Its id in the service. */
  readonly id: string;
  readonly htmlUrl?: string;
  /** The arguments that the list shows, without secrets. */
  readonly args: Fields;
}

/** A list that could not be read, or not completely. */
interface Unlisted {
  readonly type: string;
  readonly parent?: string;
  readonly reason: string;
}

export interface Searched {
  readonly found: readonly Unmanaged[];
  readonly unlisted: readonly Unlisted[];
}

/** Reads each list of the selected types once. Writes nothing. */
export async function findUnmanaged(session: Session, search: Search): Promise<Searched> {
  const context = session.context({});
  for (const { from, to } of search.renames ?? []) context.projectRenamed(from, to);
  const lists = definitions.flatMap((definition) => findSearchedLists(definition, context, search));
  const read = await Promise.all(lists.map((list) => orUnlisted(list, () => countItems(list, context))));
  const longest = Math.max(...read.map((one) => (typeof one === "number" ? one : 0)));
  const all = await Promise.all(
    lists.map(async (list, index) => {
      const length = read[index];
      if (typeof length !== "number") return { found: [], unlisted: length ?? [] };
      const searched = await orUnlisted(list, () => searchIn(list, context, search, length === longest));
      return Array.isArray(searched) ? { found: [], unlisted: searched } : searched;
    }),
  );
  return { found: all.flatMap(({ found }) => found), unlisted: all.flatMap(({ unlisted }) => unlisted) };
}

/** Why a section may lack objects. */
export const UNSETTLED =
  'its pages do not fit together, so it may not be complete: it changed each time while it was read, or the service does not return the pages that are requested. Read it again later; "workspacectl probe" shows what the service does';

/** A list to search. */
interface SearchedList {
  readonly definition: Definition;
  readonly parent: ManagedObject | undefined;
  readonly state: Fields;
}

function findSearchedLists(
  definition: Definition,
  context: Context,
  { managed, includes, reads = () => true }: Search,
): SearchedList[] {
  const { document } = definition;
  if (document === undefined || definition.ephemeral) return [];
  return Object.entries(document.under)
    .filter(([type]) => includes(definition.type, type))
    .flatMap(([type, arg]): SearchedList[] => {
      if (type === WORKSPACE || arg === null) return [{ definition, parent: undefined, state: {} }];
      // Where an object owns its list, an addition is a change of that object.
      const own = managed.filter(
        ({ type: of, outputs }) => of === type && outputs[document.exclusiveWhen ?? ""] !== true,
      );
      return own.map((parent) => ({ definition, parent, state: locateInside(definition, arg, parent) }));
    })
    .filter(({ parent }) => reads([...(parent ? [parent.name] : []), document.section].join("/")))
    .filter(({ state }) => listsSiblings(definition, context, state));
}

/** The arguments that refer to the parent of an object. */
export function locateInside(
  definition: Definition,
  arg: string,
  { id, outputs }: Pick<ManagedObject, "id" | "outputs">,
): Fields {
  const reference = definition.references[arg];
  const last = decodeURIComponent(id.split("/").at(-1) ?? "");
  const { property, idOutput, copies = {} } = reference ?? {};
  const value = property === undefined ? Number(last) : (outputs[property] ?? last);
  const copied: Fields = Object.fromEntries(
    Object.entries(copies).map(([to, from]) => [to, from === "id" ? id : outputs[from]]),
  );
  return { [arg]: value, ...(idOutput === undefined ? {} : { [idOutput]: value }), ...copied };
}

/** Whether a list shows all objects of a parent. The list of a file, whose key depends on the name, shows only that file. */
export function listsSiblings(definition: Definition, context: Context, state: Fields): boolean {
  const keyOf = (name: string) =>
    definition.list(context, { ...state, [definition.document?.keyedBy ?? ""]: name })?.key;
  return keyOf("1") !== undefined && keyOf("1") === keyOf("2");
}

/** Reads a list, or says why that is not possible. */
async function orUnlisted<T>(
  { definition, parent }: SearchedList,
  read: () => Promise<T>,
): Promise<T | Unlisted[]> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // The parent does not exist any more, which is reported by itself.
    if (error.code === "not-found") return [];
    return [createUnlisted(definition, parent, error.message)];
  }
}

function createUnlisted({ type }: Definition, parent: ManagedObject | undefined, reason: string): Unlisted {
  return { type, ...(parent === undefined ? {} : { parent: parent.name }), reason };
}

async function countItems({ definition, state }: SearchedList, context: Context): Promise<number> {
  const list = definition.list(context, state);
  return list === undefined ? 0 : (await listRemote(context, list)).length;
}

/** @param isLongest none of the other lists is longer, so its length may be the largest page of the service */
async function searchIn(
  searched: SearchedList,
  context: Context,
  search: Search,
  isLongest: boolean,
): Promise<Searched> {
  const { definition, parent, state } = searched;
  const { type, identity } = definition;
  const list = definition.list(context, state);
  if (list === undefined) return { found: [], unlisted: [] };
  const items = await (isLongest ? listWhole : listRemote)(context, list);
  const known = new Set(
    [...search.managed, ...(search.external ?? [])]
      .filter((object) => object.type === type)
      // The id alone says so where a program has marked the parent as secret.
      .filter(
        ({ outputs }) =>
          isPlaceHidden(definition, outputs) || definition.list(context, outputs)?.key === list.key,
      )
      .map(({ outputs }) => outputs[identity.state]),
  );
  const named = await listNamedIn(searched, context, search);
  const found: Unmanaged[] = [];
  for (const item of items) {
    if (known.has(item[identity.apiName]) || named.has(item)) continue;
    if ((await definition.ignoreUnmanaged?.(context, item, state)) !== undefined) continue;
    const described = await describeUnmanaged(searched, context, item);
    found.push({ ...described, ...(parent === undefined ? {} : { parent: parent.name }) });
  }
  const isWhole = context.reads.endOf(list.key) !== "unsettled";
  return {
    found: withFreeKeys(searched, found, search),
    unlisted: isWhole ? [] : [createUnlisted(definition, parent, UNSETTLED)],
  };
}

/** Where a list may have several objects of a name, gives each a key that no object in the state has. */
function withFreeKeys(
  { definition, parent }: SearchedList,
  found: readonly Unmanaged[],
  { managed }: Search,
): readonly Unmanaged[] {
  if (definition.sharedKey === undefined) return found;
  const siblings = managed
    .map(({ name }) => new LogicalName(name))
    .filter((one) => one.parent === parent?.name);
  const keys = chooseOwnKeys(
    found.map(({ key }) => key),
    siblings.map(({ key }) => key),
  );
  const { number } = definition.sharedKey;
  return found.map((one, index) => {
    const key = keys[index]!;
    if (key === one.key) return one;
    return { ...one, key, args: { ...one.args, [number]: Number(one.id) } };
  });
}

/** The objects of a list that a declaration names: external ones, and those that will be adopted. */
async function listNamedIn({ definition, parent, state }: SearchedList, context: Context, { named }: Search) {
  const items = new Set<RemoteObject>();
  const keyedBy = definition.document?.keyedBy ?? "";
  for (const { type, key, parent: name, args: identifying } of named) {
    if (type !== definition.type || name !== parent?.name) continue;
    const args = { ...state, ...identifying, [keyedBy]: key };
    const ids = await resolveReferences(definition.references, context, args).catch((error: unknown) => {
      if (error instanceof ServiceError) throw error;
      return undefined; // a referenced object does not exist yet, so neither does this one
    });
    if (ids === undefined) continue;
    for (const item of await findExisting({ definition, context, state: { ...args, ...ids } }, false))
      items.add(item);
  }
  return items;
}

async function describeUnmanaged(
  { definition, state }: SearchedList,
  context: Context,
  remote: RemoteObject,
): Promise<Unmanaged> {
  const { document, identity, type } = definition;
  const keyedBy = document?.keyedBy ?? "";
  const names = Object.keys(definition.args.shape).filter(
    (name) => !(name in state) && !definition.clientOnly.includes(name),
  );
  const values = names.map((name) => [name, readRemoteValue(definition, remote, name)] as const);
  const args = Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
  const shown = maskArgs(definition, args);
  const { htmlUrl } = readRemoteOutputs(definition, remote);
  return {
    type,
    section: document?.section ?? "",
    key: await buildKey(definition, context, state, remote, args[keyedBy]),
    id: String(remote[identity.apiName]),
    ...(typeof htmlUrl === "string" ? { htmlUrl } : {}),
    args: shown,
  };
}

/** The key of an object, by name where possible. */
async function buildKey(
  definition: Definition,
  context: Context,
  state: Fields,
  remote: RemoteObject,
  value: unknown,
): Promise<string> {
  const lookup = definition.references[definition.document?.keyedBy ?? ""]?.lookup;
  const candidates = (await lookup?.(context, state).catch(() => [])) ?? [];
  const name = candidates.find(({ id }) => id === value)?.name;
  return String(name ?? value ?? remote["email"] ?? remote["name"] ?? remote[definition.identity.apiName]);
}
