/** How an object of any type comes to be: made, or taken over, so that no run, not even a killed one, makes it twice. */
import { displayName } from "../definition/display-name.js";
import type { Context } from "../definition/context.js";
import {
  candidates,
  creationOf,
  hiddenOne,
  hiding,
  saysItExists,
  surelyNotMade,
} from "../recovery/candidates.js";
import type { Definition, Fields, RemoteObject } from "../definition/definition.js";
import { refuseWithoutParent } from "./deleted.js";
import { PartialCreation, ProviderError } from "../errors.js";
import { wasGivenUp } from "./exclusive-ownership.js";
import { ADOPT_VARIABLE, type Intent } from "../recovery/create-journal.js";
import { enterResponse, ownArgs, resolved, withRemote } from "./arguments.js";
import { read } from "./read.js";
import { patchBody } from "./update.js";
import { idOf, keepWritten, type Kept } from "./state.js";
import { readRemote, writing } from "./remote-object.js";
import { importObject } from "./import.js";
import { verified } from "./verify.js";
import { projectRemote, sendable, shownValue, requestBody } from "../definition/api-names.js";

/** Makes the object, or takes over the one that is there when `adopt` is set or a killed run left it. */
export async function create(definition: Definition, context: Context, args: Fields): Promise<Kept> {
  if (context.takingUp) return importObject(definition, context, args);
  return make(definition, context, args).catch((error: unknown) =>
    refuseWithoutParent(definition, context, args, error),
  );
}

async function make(definition: Definition, context: Context, args: Fields): Promise<Kept> {
  const state = await resolved(definition, context, args);
  const list = definition.list(context, state)?.key;
  // Two declarations of one name in the same run: the second has to see what the first made.
  const key = [list, ...definition.naturalKey.map((name) => state[name])];
  // Where names are hidden, only what was there before tells which object is the new one: one after the other.
  const hidden = await hiding(definition, context, state);
  return context.oneAtATime(JSON.stringify([definition.type, ...(hidden.length > 0 ? [list] : key)]), () =>
    createOrAdopt(definition, context, args, state),
  );
}

/** What a killed run left of a creation; nothing at all when it certainly made nothing. */
export interface Left {
  /** The object, as the state should hold it. */
  readonly kept?: Kept | undefined;
  /** Its number, perhaps: the only object that has come since, and nothing proves that it was that run which made it. */
  readonly maybe?: string;
}

/** Looks for the object that a killed run was creating. */
export async function leftByCrash(definition: Definition, context: Context, args: Fields): Promise<Left> {
  const state = await resolved(definition, context, args);
  const subject = creationOf(definition, context, state);
  const left = subject === undefined ? undefined : await context.journal.left(subject, true);
  if (left === undefined && !context.journal.adoptsExisting) return {};
  const [only, second] = await candidates(definition, context, state, left);
  if (only === undefined) {
    const newcomer = left && (await hiddenOne(definition, context, state, left));
    return newcomer ? { maybe: String(newcomer[definition.identity.apiName]) } : {};
  }
  if (second !== undefined) return {};
  return { kept: await read(definition, context, withRemote(definition, state, only)) };
}

async function createOrAdopt(
  definition: Definition,
  context: Context,
  args: Fields,
  state: Fields,
): Promise<Kept> {
  const subject = creationOf(definition, context, state);
  const left = subject === undefined ? undefined : await context.journal.left(subject);
  const existing = await candidates(definition, context, state, left);
  if (existing.length > 0) {
    const ours =
      left !== undefined || existing.every((remote) => wasGivenUp(definition, context, state, remote));
    const mine = theOne(definition, context, state, existing, ours);
    return takeOver(definition, context, state, mine, left);
  }

  const hidden = left?.before ?? (await hiding(definition, context, state));
  const before = hidden.length > 0 ? hidden : undefined;
  const intent = subject === undefined ? undefined : context.journal.intend(subject, before);
  const body = requestBody(definition, sendable(definition, state), ownArgs(definition, args), true);
  let created: RemoteObject;
  try {
    created = (await writing(definition, context, state, () =>
      definition.create(context, body, state),
    )) as RemoteObject;
  } catch (error) {
    const mine = left && saysItExists(error) ? await hiddenOne(definition, context, state, left) : undefined;
    if (mine) return takeOver(definition, context, state, mine, intent);
    if (surelyNotMade(error)) intent?.close();
    throw error;
  }
  enterResponse(definition, context, state, created);
  intent?.made(idOf(definition, context, withRemote(definition, state, created)));
  return complete(definition, context, state, created).finally(() => intent?.handOver());
}

/** The second half of a creation. */
async function complete(
  definition: Definition,
  context: Context,
  state: Fields,
  created: RemoteObject,
): Promise<Kept> {
  let answer = created;
  try {
    const here = withRemote(definition, state, created);
    const completed = (await writing(definition, context, here, () =>
      definition.completion?.run(context, created, here),
    )) as RemoteObject | undefined;
    if (completed !== undefined) enterResponse(definition, context, state, completed);
    answer = { ...created, ...completed };
  } catch (error) {
    throw partial(definition, context, state, created, error as Error);
  }
  return asAsked(definition, context, state, answer, declaredArgs(definition, state));
}

/** @throws {PartialCreation} when the object is there, but its answer shows something else than was asked for */
function asAsked(
  definition: Definition,
  context: Context,
  state: Fields,
  answer: RemoteObject,
  sent: readonly string[],
): Kept {
  const written = keepWritten(definition, context, state, answer, sent);
  const { kept, refusal } = verified(definition, state, sent, answer, written, undefined);
  if (refusal !== undefined) throw new PartialCreation(kept.id, kept.outs, refusal);
  return kept;
}

function declaredArgs(definition: Definition, state: Fields): string[] {
  return ownArgs(definition, state).filter((name) => state[name] !== undefined);
}

async function takeOver(
  definition: Definition,
  context: Context,
  state: Fields,
  mine: RemoteObject,
  left: Intent | undefined,
): Promise<Kept> {
  const kept = await adopt(definition, context, state, mine);
  left?.made(kept.id);
  left?.handOver();
  context.adopted(definition.type, kept.id);
  return kept;
}

/** The existing object that may be taken over. */
function theOne(
  definition: Definition,
  context: Context,
  state: Fields,
  existing: readonly RemoteObject[],
  ours: boolean,
): RemoteObject {
  const ids = existing.map((remote) => String(remote[definition.identity.apiName])).join(", ");
  const what = displayName(definition, state);
  const where = `in workspace ${context.workspace}`;
  if (!ours && state["adopt"] !== true && !context.journal.adoptsExisting) {
    throw new ProviderError(
      "already-exists",
      `${what} exists already ${where} (${ids}): set adopt: true to bring it under this declaration, or choose another name. ` +
        `If a run that was killed on another machine made it, run "workspacectl up --adopt-after-crash" ` +
        `(or set ${ADOPT_VARIABLE}=1) once`,
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
async function adopt(
  definition: Definition,
  context: Context,
  state: Fields,
  listed: RemoteObject,
): Promise<Kept> {
  const here = withRemote(definition, state, listed);
  const remote = (await readRemote(definition, context, here)) ?? listed;
  const differing = differingFrom(definition, state, remote);
  const { body, sent: asked } = patchBody(definition, state, differing);
  const change = { olds: withRemote(definition, {}, remote), news: state, changed: differing };
  if (Object.keys(body).length === 0) return keepWritten(definition, context, here, remote, []);
  const updated = (await writing(definition, context, here, () =>
    definition.update?.(context, body, here, change),
  )) as RemoteObject | undefined;
  if (updated === undefined) return keepWritten(definition, context, here, remote, []);
  enterResponse(definition, context, here, updated);
  return asAsked(definition, context, here, { ...remote, ...updated }, asked);
}

/** The arguments that an adoption sends: those that differ, and those that cannot be seen. */
export function differingFrom(definition: Definition, state: Fields, remote: RemoteObject): string[] {
  const sent = sendable(definition, state);
  const unseen = [...definition.writeOnly(state), ...definition.masked(state)];
  // What is not declared stays until a plan shows that it differs from its default.
  return declaredArgs(definition, state).filter((name) => {
    if (unseen.includes(name)) return true;
    const seen = shownValue(definition, remote, name, sent[name]);
    return seen !== undefined && projectRemote(definition, name, sent[name], seen).value !== sent[name];
  });
}

/** What the completion should have set is not known to be there, so the next run finds it missing. */
function partial(
  definition: Definition,
  context: Context,
  state: Fields,
  created: RemoteObject,
  error: Error,
): PartialCreation {
  const names = definition.completion?.args ?? [];
  const unset = names.flatMap((name) => [name, definition.references[name]?.idOutput ?? name]);
  const missing = Object.fromEntries(unset.map((name) => [name, undefined]));
  const known = { ...state, ...missing };
  const { id, outs } = keepWritten(definition, context, known, created, declaredArgs(definition, known));
  return new PartialCreation(id, outs, error);
}
