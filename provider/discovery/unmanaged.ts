/** What is in the workspace and nobody declared: lists of the service, without what the state holds or the file names. */
import type { Context } from "../definition/context.js";
import type { Definition, Fields, RemoteObject } from "../definition/definition.js";
import { ServiceError } from "../../client/index.js";
import { findExisting, listed } from "../crud/remote-object.js";
import { resolveReferences } from "../definition/references.js";
import { definitions } from "../resources/registry.js";
import { maskArgs } from "../definition/secrets/mask.js";
import type { Rename } from "../crud/renames.js";
import type { Session } from "../connection/session.js";
import { remoteOutputs, remoteValue } from "../definition/api-names.js";

/** Parent of what stands in the workspace itself. */
const WORKSPACE = "workspace";

/** An object that the state holds. */
export interface HeldObject {
  readonly type: string;
  /** Logical name. */
  readonly name: string;
  readonly id: string;
  readonly outputs: Fields;
}

/** An object that a declaration names, whether it is managed or not. */
export interface NamedObject {
  readonly type: string;
  /** Its natural name. */
  readonly key: string;
  /** Logical name of the object it stands in; absent in the workspace itself. */
  readonly holder?: string | undefined;
}

export interface Search {
  readonly held: readonly HeldObject[];
  readonly named: readonly NamedObject[];
  /** Whether to look for this kind in objects of another (or in `workspace`). */
  readonly wanted: (type: string, holderType: string) => boolean;
  /** What was renamed outside: what stands in it remembers the old name. */
  readonly renames?: readonly Rename[];
}

/** An object that nobody declared. */
export interface Unmanaged {
  readonly type: string;
  readonly section: string;
  /** What it is called: the key it would have in a workspace file. */
  readonly key: string;
  readonly holder?: string;
  /** What tells it apart at the service. */
  readonly id: string;
  readonly htmlUrl?: string;
  /** What the list shows of it, by argument; no secrets. */
  readonly args: Fields;
}

/** A list that could not be read. */
export interface Unlisted {
  readonly type: string;
  readonly holder?: string;
  readonly reason: string;
}

export interface Searched {
  readonly found: readonly Unmanaged[];
  readonly unlisted: readonly Unlisted[];
}

/** Lists what there is of the wanted kinds, each list once. Writes nothing. */
export async function findUnmanaged(session: Session, search: Search): Promise<Searched> {
  const context = session.context({});
  for (const { from, to } of search.renames ?? []) context.projectRenamed(from, to);
  const places = definitions.flatMap((definition) => placesOf(definition, context, search));
  const all = await Promise.all(places.map((place) => searchIn(place, context, search)));
  return { found: all.flatMap(({ found }) => found), unlisted: all.flatMap(({ unlisted }) => unlisted) };
}

/** A list to look into. */
interface Place {
  readonly definition: Definition;
  readonly holder: HeldObject | undefined;
  readonly state: Fields;
}

function placesOf(definition: Definition, context: Context, { held, wanted }: Search): Place[] {
  const { document } = definition;
  if (document === undefined || definition.ephemeral) return [];
  return Object.entries(document.under)
    .filter(([type]) => wanted(definition.type, type))
    .flatMap(([type, arg]): Place[] => {
      if (type === WORKSPACE || arg === null) return [{ definition, holder: undefined, state: {} }];
      // Where an object holds its list itself, an addition is a change of that object.
      const own = held.filter(
        ({ type: of, outputs }) => of === type && outputs[document.heldWhen ?? ""] !== true,
      );
      return own.map((holder) => ({ definition, holder, state: inside(definition, arg, holder) }));
    })
    .filter(({ state }) => listsSiblings(definition, context, state));
}

/** The arguments that lead to what stands in an object. */
export function inside(
  definition: Definition,
  arg: string,
  { id, outputs }: Pick<HeldObject, "id" | "outputs">,
): Fields {
  const reference = definition.references[arg];
  const last = decodeURIComponent(id.split("/").at(-1) ?? "");
  const { property, idOutput, copies = {} } = reference ?? {};
  const value = property === undefined ? Number(last) : (outputs[property] ?? last);
  const carried: Fields = Object.fromEntries(
    Object.entries(copies).map(([to, from]) => [to, from === "id" ? id : outputs[from]]),
  );
  return { [arg]: value, ...(idOutput === undefined ? {} : { [idOutput]: value }), ...carried };
}

/** Some lists show one object only (a file): they depend on its name. */
export function listsSiblings(definition: Definition, context: Context, state: Fields): boolean {
  const keyOf = (name: string) =>
    definition.list(context, { ...state, [definition.document?.keyedBy ?? ""]: name })?.key;
  return keyOf("1") !== undefined && keyOf("1") === keyOf("2");
}

async function searchIn(place: Place, context: Context, search: Search): Promise<Searched> {
  const { definition, holder, state } = place;
  const { type } = definition;
  const within = holder === undefined ? {} : { holder: holder.name };
  const list = definition.list(context, state);
  if (list === undefined) return { found: [], unlisted: [] };
  try {
    const items = await listed(context, list);
    const { identity } = definition;
    const known = new Set(
      search.held
        .filter((object) => object.type === type)
        .filter(({ outputs }) => definition.list(context, outputs)?.key === list.key)
        .map(({ outputs }) => outputs[identity.state]),
    );
    const named = await namedIn(place, context, search);
    const found: Unmanaged[] = [];
    for (const item of items) {
      if (known.has(item[identity.apiName]) || named.has(item)) continue;
      if ((await definition.ignoreUnmanaged?.(context, item, state)) !== undefined) continue;
      found.push({ ...(await described(place, context, item)), ...within });
    }
    return { found, unlisted: [] };
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    // What it stands in is gone, and that is told already.
    if (error.code === "not-found") return { found: [], unlisted: [] };
    return { found: [], unlisted: [{ type, ...within, reason: error.message }] };
  }
}

/** The objects of a list that a declaration names: external ones, and those that are still to be taken over. */
async function namedIn({ definition, holder, state }: Place, context: Context, { named }: Search) {
  const items = new Set<RemoteObject>();
  const keyedBy = definition.document?.keyedBy ?? "";
  for (const { type, key, holder: name } of named) {
    if (type !== definition.type || name !== holder?.name) continue;
    const args = { ...state, [keyedBy]: key };
    const ids = await resolveReferences(definition.references, context, args).catch((error: unknown) => {
      if (error instanceof ServiceError) throw error;
      return undefined; // what it refers to is not there yet, and neither is it
    });
    if (ids === undefined) continue;
    for (const item of await findExisting({ definition, context, state: { ...args, ...ids } }))
      items.add(item);
  }
  return items;
}

async function described(
  { definition, state }: Place,
  context: Context,
  remote: RemoteObject,
): Promise<Unmanaged> {
  const { document, identity, type } = definition;
  const keyedBy = document?.keyedBy ?? "";
  const names = Object.keys(definition.args.shape).filter((name) => !(name in state));
  const values = names.map((name) => [name, remoteValue(definition, remote, name)] as const);
  const args = Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
  const shown = maskArgs(definition, args);
  const { htmlUrl } = remoteOutputs(definition, remote);
  return {
    type,
    section: document?.section ?? "",
    key: await keyOf(definition, context, state, remote, args[keyedBy]),
    id: String(remote[identity.apiName]),
    ...(typeof htmlUrl === "string" ? { htmlUrl } : {}),
    args: shown,
  };
}

/** A name says more than a number. */
async function keyOf(
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
