/**
 * The life of an object of any type: read, update, delete (creation.ts creates). Types differ only in what their
 * definitions declare; nothing here asks for a type's name.
 */
import { ServiceError } from "../../client/index.js";
import type { Context } from "../definition/context.js";
import { remoteDefaults } from "../definition/server-defaults.js";
import { managedArgs, type Definition, type Fields, type RemoteObject } from "../definition/definition.js";
import { difference, identityOf, pickArgs, type ResourceDiff } from "./diff.js";
import { refuseDeleted } from "./deleted.js";
import { PartialUpdate, ProviderError } from "../errors.js";
import { isOwnedByOther } from "./exclusive-ownership.js";
import { enterWritten, readSeen, standsElsewhere, writing } from "./remote-object.js";
import { resolveReferences } from "../definition/references.js";
import { refuseRenamed, withNewNames } from "./renamed.js";
import { keepSeen, keepWritten, type Kept, type KeptSeen } from "./state.js";
import { refuseWhileImporting } from "./import-mode.js";
import { verified } from "./verify.js";
import { remoteOutputs, sendable, requestBody } from "../definition/api-names.js";

/** The object as it is now, on the arguments that are managed; undefined when it is gone. */
export async function read(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<KeptSeen | undefined> {
  const current = withNewNames(definition, context, state);
  const seen = await readSeen(definition, context, current);
  if (seen !== undefined) return keepSeen(definition, context, current, seen);
  await refuseRenamed(definition, context, current);
  return undefined;
}

/** Brings the object to the new arguments with a request that carries what changed and what the spec demands. */
export async function update(
  definition: Definition,
  context: Context,
  olds: Fields,
  news: Fields,
): Promise<Kept> {
  refuseWhileImporting(definition, context, "change");
  const change = { olds, news, ...difference(definition, olds, news) };
  const state = await resolved(definition, context, { ...identityOf(definition, olds), ...news });
  const { body, sent } = patchBody(definition, state, change.sent);
  const needed = Object.keys(body).length > 0;
  const renamed = definition.naturalKey.some((name) => change.changed.includes(name));
  const updated = needed
    ? await writing(
        definition,
        context,
        state,
        () => definition.update?.(context, body, state, change),
        renamed,
      ).catch((error: unknown) => refuseDeleted(definition, context, { ...olds, ...state }, error))
    : undefined;
  if (updated !== undefined) entered(definition, context, state, updated as RemoteObject);
  const here = { ...olds, ...dropArgs(definition, olds, state) };
  const answer = { ...updated } as RemoteObject;
  const written = keepWritten(definition, context, here, answer, updated === undefined ? [] : sent);
  if (updated === undefined) return written;
  const { kept, refusal } = verified(definition, here, sent, answer, written, olds);
  if (refusal !== undefined) throw new PartialUpdate(kept.id, kept.outs, refusal);
  return kept;
}

/** Deletes the object, or only forgets it where the definition says so. A gone object is success. */
export async function deleteObject(
  definition: Definition,
  context: Context,
  state: Fields,
): Promise<string | undefined> {
  refuseWhileImporting(definition, context, "delete");
  if (isOwnedByOther(definition, context, state))
    return "what it stood in holds the complete list itself now (exclusive: true)";
  if (await standsElsewhere(definition, context, state))
    return "it is no longer where the state says that it stands, and what has its number elsewhere stays";
  const kept = await definition.skipDelete?.(context, state);
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
export function plan(definition: Definition, olds: Fields, news: Fields): ResourceDiff {
  const result = difference(definition, olds, news);
  const refused = definition.validateChange({ olds, news, changed: result.sent });
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

/** The body of a change, and the arguments that it carries. */
export function patchBody(
  definition: Definition,
  state: Fields,
  changed: readonly string[],
): { readonly body: Fields; readonly sent: readonly string[] } {
  const names = changed.filter((name) => name !== "workspace");
  // What is declared no longer becomes what it is without a declaration.
  const whole = { ...remoteDefaults(definition, state), ...definedIn(sendable(definition, state)) };
  const body = requestBody(definition, whole, names, false);
  if (Object.keys(body).length === 0) return { body, sent: [] };
  const always = definition
    .alwaysSend(state)
    .filter((name) => state[name] !== undefined && !changed.includes(name));
  return { body: { ...requestBody(definition, whole, always, false), ...body }, sent: [...names, ...always] };
}

function definedIn(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

/** New arguments, and undefined for the old ones that are declared no longer. */
function dropArgs(definition: Definition, olds: Fields, state: Fields): Fields {
  const gone = Object.keys(pickArgs(definition, olds)).filter((name) => !(name in state));
  return { ...state, ...Object.fromEntries(gone.map((name) => [name, undefined])) };
}

export function withRemote(definition: Definition, state: Fields, remote: RemoteObject): Fields {
  return { ...state, ...remoteOutputs(definition, remote) };
}

export function entered(definition: Definition, context: Context, state: Fields, remote: RemoteObject): void {
  enterWritten(definition, context, withRemote(definition, state, remote), remote);
}
