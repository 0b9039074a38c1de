/**
 * The life of an object of any type: read, update, delete (creation.ts creates). Types differ only in what their
 * definitions declare; nothing here asks for a type's name.
 */
import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "../client/index.js";
import type { Context } from "./context.js";
import { managedArgs, type Definition, type Fields, type Live } from "./definition.js";
import { difference, identityOf, pickArgs, type Difference } from "./diff.js";
import { ProviderError } from "./errors.js";
import { isHeldByOther } from "./holding.js";
import { enterWritten, readLive, standsElsewhere, writing } from "./live.js";
import { resolveReferences } from "./references.js";
import { refuseRenamed, withNewNames } from "./renamed.js";
import { refuseWhileTakingUp } from "./take-up-mode.js";
import { sameValue } from "./values.js";
import { liveOutputs, liveValue, project, sendable, toWire } from "./wire.js";

/** What the state keeps of an object: its arguments, its outputs, and where it lives. */
export interface Kept {
  readonly id: string;
  readonly outs: Fields;
}

/** The object as it is now, on the arguments that are managed; undefined when it is gone. */
export async function read(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<Kept | undefined> {
  const at = withNewNames(definition, context, state);
  const live = await readLive(definition, context, at);
  if (live !== undefined) return keepSeen(definition, context, at, live);
  await refuseRenamed(definition, context, at);
  return undefined;
}

/** Brings the object to the new arguments with a request that carries what changed and what the spec demands. */
export async function update(
  definition: Definition,
  context: Context,
  olds: Fields,
  news: Fields,
): Promise<Kept> {
  refuseWhileTakingUp(definition, "change");
  const change = { olds, news, ...difference(definition, olds, news) };
  const at = await resolved(definition, context, { ...identityOf(definition, olds), ...news });
  const body = patchBody(definition, at, change.changed);
  const needed = Object.keys(body).length > 0;
  const renamed = definition.naturalKey.some((name) => change.changed.includes(name));
  const updated = needed
    ? await writing(definition, context, at, () => definition.update?.(context, body, at, change), renamed)
    : undefined;
  if (updated !== undefined) entered(definition, context, at, updated as Live);
  return keepWritten(definition, context, { ...olds, ...dropArgs(definition, olds, at) }, { ...updated });
}

/** Deletes the object, or only forgets it where the definition says so. A gone object is success. */
export async function remove(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<string | undefined> {
  refuseWhileTakingUp(definition, "delete");
  if (isHeldByOther(definition, context, state))
    return "what it stood in holds the complete list itself now (exclusive: true)";
  if (await standsElsewhere(definition, context, state))
    return "it is no longer where the state says that it stands, and what has its number elsewhere stays";
  const kept = await definition.keepInstead?.(context, state);
  if (kept !== undefined) return kept;
  try {
    await writing(definition, context, state, () => definition.delete(context, state), true);
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

export async function resolved(definition: Definition, context: Context, args: Fields): Promise<Fields> {
  const ids = await resolveReferences(definition.references, context, args);
  return { ...args, ...ids };
}

/** The arguments that describe the object itself. */
export function ownArgs(definition: Definition, args: Fields): string[] {
  return managedArgs(definition, args).filter((name) => name !== "workspace");
}

export function patchBody(definition: Definition, at: Fields, changed: readonly string[]): Fields {
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

/** The state after a read: what the live object says of the declared arguments. */
function keepSeen(definition: Definition, context: Context, at: Fields, live: Live): Kept {
  return keep(definition, context, at, live, (name, seen, outs) => {
    const before = (at["observed"] as Fields | undefined)?.[name];
    // Only a change of the opaque form tells of a change of the value; the form then stands for the unknown value.
    if (before !== undefined && before !== seen) outs[name] = seen;
  });
}

/** The state after a write: what was sent is what is there; its opaque form is remembered. */
export function keepWritten(definition: Definition, context: Context, at: Fields, live: Live): Kept {
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
      outs[name] = seenArg(definition, at, name, seen, outs, live);
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
  live: Live,
): unknown {
  const { into, label } = definition.references[name] ?? {};
  const orderFree = definition.sets.includes(name);
  if (into === undefined) return project(at[name], seen, orderFree);
  const [declared, resolved] = [at[name], at[into]];
  if (sameValue(resolved, seen, orderFree)) return declared;
  outs[into] = seen;
  if (!Array.isArray(seen) || !Array.isArray(declared) || !Array.isArray(resolved)) return seen;
  // Of a list, what is still there stays in the words of the declaration.
  return seen.map((item: unknown) => {
    const index = resolved.findIndex((one) => isDeepStrictEqual(one, item));
    return index < 0 ? (label?.(live, item, at) ?? item) : (declared[index] as unknown);
  });
}

export function idOf(definition: Definition, context: Context, outs: Fields): string {
  return [context.workspace, ...definition.id.map((part) => encodeURIComponent(String(outs[part])))].join(
    "/",
  );
}

/** New arguments, and undefined for the old ones that are declared no longer. */
function dropArgs(definition: Definition, olds: Fields, at: Fields): Fields {
  const gone = Object.keys(pickArgs(definition, olds)).filter((name) => !(name in at));
  return { ...at, ...Object.fromEntries(gone.map((name) => [name, undefined])) };
}

export function withLive(definition: Definition, at: Fields, live: Live): Fields {
  return { ...at, ...liveOutputs(definition, live) };
}

export function entered(definition: Definition, context: Context, at: Fields, live: Live): void {
  enterWritten(definition, context, withLive(definition, at, live), live);
}
