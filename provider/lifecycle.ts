/**
 * The life of an object of any type: create, read, update, delete. Types differ only in what their definitions
 * declare; nothing here asks for a type's name.
 */
import { ServiceError } from "../client/index.js";
import type { Context } from "./context.js";
import { managedArgs, type Definition, type Fields, type Live } from "./definition.js";
import { difference, pickArgs, type Difference } from "./diff.js";
import { PartialCreation, ProviderError } from "./errors.js";
import { enterWritten, findExisting, readLive } from "./live.js";
import { resolveReferences } from "./references.js";
import { sameValue } from "./values.js";
import { liveOutputs, liveValue, project, sendable, toWire } from "./wire.js";

/** What the state keeps of an object: its arguments, its outputs, and where it lives. */
export interface Kept {
  readonly id: string;
  readonly outs: Fields;
}

/** Makes the object, or takes over the one that is there when `adopt` is set. */
export async function create(definition: Definition, context: Context, args: Fields): Promise<Kept> {
  const at = await resolved(definition, context, args);
  // Two declarations of one name in the same run: the second has to see what the first made.
  const key = [definition.list(context, at)?.key, ...definition.naturalKey.map((name) => at[name])];
  return context.oneAtATime(JSON.stringify([definition.type, ...key]), () =>
    createOrAdopt(definition, context, args, at),
  );
}

async function createOrAdopt(
  definition: Definition,
  context: Context,
  args: Fields,
  at: Fields,
): Promise<Kept> {
  const existing = await findExisting(definition, context, at);
  if (existing.length > 0) return adopt(definition, context, at, theOne(definition, context, at, existing));

  const body = toWire(definition, sendable(definition, at), ownArgs(definition, args), true);
  const created = (await definition.create(context, body, at)) as Live;
  entered(definition, context, at, created);
  try {
    const completed = (await definition.completion?.run(
      context,
      created,
      withLive(definition, at, created),
    )) as Live | undefined;
    if (completed !== undefined) entered(definition, context, at, completed);
    return keepWritten(definition, context, at, { ...created, ...completed });
  } catch (error) {
    throw partial(definition, context, at, created, error as Error);
  }
}

/** The object as it is now, on the arguments that are managed; undefined when it is gone. */
export async function read(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<Kept | undefined> {
  const at = { ...state };
  const live = await readLive(definition, context, at);
  return live === undefined ? undefined : keepSeen(definition, context, at, live);
}

/** Brings the object to the new arguments with a request that carries what changed and what the spec demands. */
export async function update(
  definition: Definition,
  context: Context,
  olds: Fields,
  news: Fields,
): Promise<Kept> {
  const change = { olds, news, ...difference(definition, olds, news) };
  const at = await resolved(definition, context, { ...identityOf(definition, olds), ...news });
  const body = patchBody(definition, at, change.changed);
  const needed = Object.keys(body).length > 0;
  const updated = needed ? await definition.update?.(context, body, at, change) : undefined;
  if (updated !== undefined) entered(definition, context, at, updated as Live);
  return keepWritten(definition, context, { ...olds, ...dropArgs(definition, olds, at) }, { ...updated });
}

/** Deletes the object, or only forgets it where the definition says so. A gone object is success. */
export async function remove(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<string | undefined> {
  const kept = await definition.keepInstead?.(context, state);
  if (kept !== undefined) return kept;
  try {
    await definition.delete(context, state);
  } catch (error) {
    if (!(error instanceof ServiceError && error.code === "not-found")) throw error;
  }
  enterWritten(definition, context, state, undefined);
  return undefined;
}

/** What a change means, and the reason why it must not be planned. */
export function plan(definition: Definition, olds: Fields, news: Fields): Difference {
  const result = difference(definition, olds, news);
  const refused = definition.refuse({ olds, news, changed: result.changed });
  if (refused !== undefined) throw new ProviderError("refused", refused);
  return result;
}

async function resolved(definition: Definition, context: Context, args: Fields): Promise<Fields> {
  const ids = await resolveReferences(definition.references, context, args);
  return { ...args, ...ids };
}

/** The arguments that describe the object itself. */
function ownArgs(definition: Definition, args: Fields): string[] {
  return managedArgs(definition, args).filter((name) => name !== "workspace");
}

function patchBody(definition: Definition, at: Fields, changed: readonly string[]): Fields {
  const body = toWire(
    definition,
    sendable(definition, at),
    changed.filter((n) => n !== "workspace"),
    false,
  );
  if (Object.keys(body).length === 0) return body;
  const always = definition
    .patchAlways(at)
    .filter((name) => at[name] !== undefined && !changed.includes(name));
  return { ...toWire(definition, sendable(definition, at), always, false), ...body };
}

/** The existing object that may be taken over. */
function theOne(definition: Definition, context: Context, at: Fields, existing: readonly Live[]): Live {
  const key = definition.naturalKey.map((name) => `"${String(at[name])}"`).join(" ");
  const ids = existing.map((live) => String(live[definition.identity.wire])).join(", ");
  const what = `${definition.noun} ${key}`;
  const where = `in workspace ${context.workspace}`;
  if (at["adopt"] !== true) {
    throw new ProviderError(
      "already-exists",
      `${what} exists already ${where} (${ids}): set adopt: true to bring it under this declaration, or choose another name`,
    );
  }
  const [only, second] = existing;
  if (only === undefined || second !== undefined) {
    throw new ProviderError(
      "ambiguous-name",
      `${what} exists several times ${where} (${ids}): delete or rename all but one`,
    );
  }
  return only;
}

/** One request for what differs, none when nothing does. What cannot be seen is sent, to be sure of it. */
async function adopt(definition: Definition, context: Context, at: Fields, listed: Live): Promise<Kept> {
  const here = withLive(definition, at, listed);
  const live = (await readLive(definition, context, here)) ?? listed;
  const sent = sendable(definition, at);
  const unseen = [...definition.writeOnly(at), ...definition.opaque(at)];
  const differing = ownArgs(definition, at).filter((name) => {
    if (at[name] === undefined) return false;
    if (unseen.includes(name)) return true;
    const seen = liveValue(definition, live, name, sent[name]);
    return (
      seen !== undefined && !sameValue(sent[name], project(sent[name], seen, definition.sets.includes(name)))
    );
  });
  const body = patchBody(definition, at, differing);
  const needed = Object.keys(body).length > 0;
  const change = { olds: withLive(definition, {}, live), news: at, changed: differing };
  const updated = needed
    ? ((await definition.update?.(context, body, here, change)) as Live | undefined)
    : undefined;
  if (updated !== undefined) entered(definition, context, here, updated);
  return keepWritten(definition, context, here, { ...live, ...updated });
}

/** The state after a read: what the live object says of the declared arguments. */
function keepSeen(definition: Definition, context: Context, at: Fields, live: Live): Kept {
  return keep(definition, context, at, live, (name, seen, outs) => {
    const before = (at["observed"] as Fields | undefined)?.[name];
    // Only a change of the opaque form tells of a change of the value; the form then stands for the unknown value.
    if (before !== undefined && before !== seen) outs[name] = seen;
  });
}

/** The state after a write: what was sent is what is there; its opaque form is remembered. */
function keepWritten(definition: Definition, context: Context, at: Fields, live: Live): Kept {
  return keep(definition, context, at, live, () => {});
}

function keep(
  definition: Definition,
  context: Context,
  at: Fields,
  live: Live,
  opaqueSeen: (name: string, seen: unknown, outs: Record<string, unknown>) => void,
): Kept {
  const outs: Record<string, unknown> = { ...at, ...liveOutputs(definition, live) };
  const observed: Record<string, unknown> = { ...(at["observed"] as Fields | undefined) };
  const unseen = definition.writeOnly(at);
  const opaque = definition.opaque(at);
  for (const name of Object.keys(pickArgs(definition, at))) {
    const seen = at[name] === undefined ? undefined : liveValue(definition, live, name, at[name]);
    if (seen === undefined || unseen.includes(name)) continue;
    if (opaque.includes(name) && isMask(seen)) {
      opaqueSeen(name, seen, outs);
      observed[name] = seen;
    } else {
      outs[name] = seenArg(definition, at, name, seen, outs);
    }
  }
  if (Object.keys(observed).length > 0) outs["observed"] = observed;
  outs["address"] = context.address;
  const known = Object.fromEntries(Object.entries(outs).filter(([, value]) => value !== undefined));
  return { id: idOf(definition, context, known), outs: known };
}

/** The form in which the service shows a value that it keeps encrypted (spec, Environment variable). */
function isMask(value: unknown): boolean {
  return typeof value === "string" && value.startsWith("secure!");
}

function seenArg(
  definition: Definition,
  at: Fields,
  name: string,
  seen: unknown,
  outs: Record<string, unknown>,
): unknown {
  const into = definition.references[name]?.into;
  if (into === undefined) return project(at[name], seen, definition.sets.includes(name));
  if (seen === at[into]) return at[name];
  outs[into] = seen;
  return seen;
}

function idOf(definition: Definition, context: Context, outs: Fields): string {
  return [context.workspace, ...definition.id.map((part) => encodeURIComponent(String(outs[part])))].join(
    "/",
  );
}

/** Outputs that tell which object it is; they stay when its arguments change. */
function identityOf(definition: Definition, olds: Fields): Fields {
  const args = Object.keys(pickArgs(definition, olds));
  return Object.fromEntries(Object.entries(olds).filter(([name]) => !args.includes(name)));
}

/** New arguments, and undefined for the old ones that are declared no longer. */
function dropArgs(definition: Definition, olds: Fields, at: Fields): Fields {
  const gone = Object.keys(pickArgs(definition, olds)).filter((name) => !(name in at));
  return { ...at, ...Object.fromEntries(gone.map((name) => [name, undefined])) };
}

function withLive(definition: Definition, at: Fields, live: Live): Fields {
  return { ...at, ...liveOutputs(definition, live) };
}

function entered(definition: Definition, context: Context, at: Fields, live: Live): void {
  enterWritten(definition, context, withLive(definition, at, live), live);
}

/** What the completion should have set is not known to be there, so the next run finds it missing. */
function partial(
  definition: Definition,
  context: Context,
  at: Fields,
  created: Live,
  error: Error,
): PartialCreation {
  const names = definition.completion?.args ?? [];
  const unset = names.flatMap((name) => [name, definition.references[name]?.into ?? name]);
  const missing = Object.fromEntries(unset.map((name) => [name, undefined]));
  const { id, outs } = keepWritten(definition, context, { ...at, ...missing }, created);
  return new PartialCreation(id, outs, error);
}
