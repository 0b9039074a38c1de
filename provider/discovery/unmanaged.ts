/** What is in the workspace and nobody declared: lists of the service, without what the state holds or the file names. */
import type { Context } from "../definition/context.js";
import type { Definition, Fields, Live } from "../definition/definition.js";
import { ServiceError } from "../../client/index.js";
import { findExisting, listed } from "../crud/remote-object.js";
import { resolveReferences } from "../definition/references.js";
import { definitions } from "../resources/registry.js";
import { maskArgs } from "../definition/secrets/mask.js";
import type { Rename } from "../crud/renames.js";
import type { Session } from "../connection/session.js";
import { liveOutputs, liveValue } from "../definition/api-names.js";

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
  readonly at: Fields;
}

function placesOf(definition: Definition, context: Context, { held, wanted }: Search): Place[] {
  const { document } = definition;
  if (document === undefined || definition.oneShot) return [];
  return Object.entries(document.under)
    .filter(([type]) => wanted(definition.type, type))
    .flatMap(([type, arg]): Place[] => {
      if (type === WORKSPACE || arg === null) return [{ definition, holder: undefined, at: {} }];
      // Where an object holds its list itself, an addition is a change of that object.
      const own = held.filter(
        ({ type: of, outputs }) => of === type && outputs[document.heldWhen ?? ""] !== true,
      );
      return own.map((holder) => ({ definition, holder, at: inside(definition, arg, holder) }));
    })
    .filter(({ at }) => listsSiblings(definition, context, at));
}

/** The arguments that lead to what stands in an object. */
export function inside(
  definition: Definition,
  arg: string,
  { id, outputs }: Pick<HeldObject, "id" | "outputs">,
): Fields {
  const reference = definition.references[arg];
  const last = decodeURIComponent(id.split("/").at(-1) ?? "");
  const { takes, into, carries = {} } = reference ?? {};
  const value = takes === undefined ? Number(last) : (outputs[takes] ?? last);
  const carried: Fields = Object.fromEntries(
    Object.entries(carries).map(([to, from]) => [to, from === "id" ? id : outputs[from]]),
  );
  return { [arg]: value, ...(into === undefined ? {} : { [into]: value }), ...carried };
}

/** Some lists show one object only (a file): they depend on its name. */
export function listsSiblings(definition: Definition, context: Context, at: Fields): boolean {
  const keyOf = (name: string) =>
    definition.list(context, { ...at, [definition.document?.keyedBy ?? ""]: name })?.key;
  return keyOf("1") !== undefined && keyOf("1") === keyOf("2");
}

async function searchIn(place: Place, context: Context, search: Search): Promise<Searched> {
  const { definition, holder, at } = place;
  const { type } = definition;
  const within = holder === undefined ? {} : { holder: holder.name };
  const list = definition.list(context, at);
  if (list === undefined) return { found: [], unlisted: [] };
  try {
    const items = await listed(context, list);
    const { state, wire } = definition.identity;
    const known = new Set(
      search.held
        .filter((object) => object.type === type)
        .filter(({ outputs }) => definition.list(context, outputs)?.key === list.key)
        .map(({ outputs }) => outputs[state]),
    );
    const named = await namedIn(place, context, search);
    const found: Unmanaged[] = [];
    for (const item of items) {
      if (known.has(item[wire]) || named.has(item)) continue;
      if ((await definition.undeclared?.(context, item, at)) !== undefined) continue;
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
async function namedIn({ definition, holder, at }: Place, context: Context, { named }: Search) {
  const items = new Set<Live>();
  const keyedBy = definition.document?.keyedBy ?? "";
  for (const { type, key, holder: name } of named) {
    if (type !== definition.type || name !== holder?.name) continue;
    const args = { ...at, [keyedBy]: key };
    const ids = await resolveReferences(definition.references, context, args).catch((error: unknown) => {
      if (error instanceof ServiceError) throw error;
      return undefined; // what it refers to is not there yet, and neither is it
    });
    if (ids === undefined) continue;
    for (const item of await findExisting(definition, context, { ...args, ...ids })) items.add(item);
  }
  return items;
}

async function described({ definition, at }: Place, context: Context, live: Live): Promise<Unmanaged> {
  const { document, identity, type } = definition;
  const keyedBy = document?.keyedBy ?? "";
  const names = Object.keys(definition.args.shape).filter((name) => !(name in at));
  const values = names.map((name) => [name, liveValue(definition, live, name)] as const);
  const args = Object.fromEntries(values.filter(([, value]) => value !== undefined && value !== null));
  const shown = maskArgs(definition, args);
  const { htmlUrl } = liveOutputs(definition, live);
  return {
    type,
    section: document?.section ?? "",
    key: await keyOf(definition, context, at, live, args[keyedBy]),
    id: String(live[identity.wire]),
    ...(typeof htmlUrl === "string" ? { htmlUrl } : {}),
    args: shown,
  };
}

/** A name says more than a number. */
async function keyOf(
  definition: Definition,
  context: Context,
  at: Fields,
  live: Live,
  value: unknown,
): Promise<string> {
  const lookup = definition.references[definition.document?.keyedBy ?? ""]?.lookup;
  const candidates = (await lookup?.(context, at).catch(() => [])) ?? [];
  const name = candidates.find(({ id }) => id === value)?.name;
  return String(name ?? value ?? live["email"] ?? live["name"] ?? live[definition.identity.wire]);
}
