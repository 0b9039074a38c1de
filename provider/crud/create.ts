/** Creates or adopts an object of any type. No object is created twice, even after a run was killed. */
import { ADOPT_VARIABLE, type CreationUnderWay, type Intent } from "../../recovery/journal.js";
import {
  convertToSent,
  readShownValue,
  reduceRemote,
  requestBody,
} from "../../resources/definition/api-names.js";
import { getSpelling } from "../../resources/definition/argument-spelling.js";
import type { Context } from "../../resources/definition/context.js";
import type { Definition, Fields, RemoteObject } from "../../resources/definition/definition.js";
import { getDisplayName } from "../../resources/definition/display-name.js";
import { canonicalize } from "../../resources/definition/spelling.js";
import { PartialCreation, ProviderError } from "../../resources/errors.js";
import {
  awaitCandidates,
  describeCreation,
  describeNamelessCreation,
  describeSpelling,
  findAppeared,
  findHidden,
  formatNumbers,
  isAlreadyExists,
  listHiding,
  refuseUnsettled,
  wasNotCreated,
} from "../existence/candidates.js";
import { refuseWithoutParent } from "../existence/deleted-meanwhile.js";
import { readRemote } from "../existence/observe.js";
import { enterResponse, isKeyShared, runWrite } from "../existence/sources.js";
import { wasGivenUp } from "./exclusive-ownership.js";
import { importObject } from "./import.js";
import { read } from "./read.js";
import { buildId, buildStateAfterWrite, type ObjectState } from "./state.js";
import { identifyTarget, listDeclaredArgs, listOwnArgs, resolveTarget, type Target } from "./target.js";
import { patchBody } from "./update.js";
import { verifyResponse } from "./verify.js";

/** What a checked plan says of a creation. Both throw `not-in-plan`. */
export interface PlannedCreation {
  /** @param sends the arguments that the adoption changes */
  requireAdoption(id: string, sends: readonly string[]): void;
  requireCreation(): void;
}

/** What the engine says of a creation. */
interface CreationOptions {
  /** Absent where the plan does not count. */
  readonly planned?: PlannedCreation | undefined;
  /** Absent where the engine does not say its URN. */
  readonly underWay?: CreationUnderWay | undefined;
}

/** Creates the object. Adopts an existing one instead when `adopt` is set, or when a killed run created it. */
export async function create(
  definition: Definition,
  context: Context,
  args: Fields,
  of: CreationOptions = {},
): Promise<ObjectState> {
  if (context.isImporting) return importObject(definition, context, args);
  return createAlone(definition, context, args, of).catch((error: unknown) =>
    refuseWithoutParent(definition, context, args, error),
  );
}

async function createAlone(
  definition: Definition,
  context: Context,
  args: Fields,
  of: CreationOptions,
): Promise<ObjectState> {
  const target = await resolveTarget(definition, context, args);
  const { state } = target;
  const list = definition.list(context, state)?.key;
  // Of two declarations of the same name in a run, the second one has to find the object of the first. Where objects have no name, those in the
  // same parent are created in their order.
  const names = definition.naturalKey.length > 0 ? definition.naturalKey : definition.id;
  const key = [list, ...names.map((name) => canonicalize(getSpelling(definition, name), state[name]))];
  // Where names are hidden, only the objects that existed before identify the new one: one creation at a time.
  const hidden = await listHiding(definition, context, state);
  const isFoundByIdOnly = hidden.length > 0 || isKeyShared(definition, state);
  return context.oneAtATime(JSON.stringify([definition.type, ...(isFoundByIdOnly ? [list] : key)]), () =>
    createOrAdopt(target, of),
  );
}

/** What is known of an interrupted creation. It has no properties when nothing was found. */
export interface InterruptedCreation {
  /** The state of the object that the killed run created. */
  readonly found?: ObjectState | undefined;
  /** The id of the only object that is new since then. Nothing proves that the killed run created it. */
  readonly maybe?: string;
}

/**
 * Finds the object that a killed run was creating.
 * @param recorded its intent, if the caller has it
 */
export async function findInterrupted(
  definition: Definition,
  context: Context,
  args: Fields,
  recorded?: Intent,
): Promise<InterruptedCreation> {
  const target = await resolveTarget(definition, context, args);
  const { state } = target;
  const subject = describeCreation(definition, context, state);
  const intent = recorded ?? (subject && (await context.journal.openIntent(subject, true)));
  if (intent === undefined && !context.journal.adoptsExisting) return {};
  const [only, second] = await awaitCandidates(definition, context, state, intent);
  if (only === undefined) {
    const added = intent && (await findHidden(definition, context, state, intent));
    return added ? { maybe: String(added[definition.identity.apiName]) } : {};
  }
  if (second !== undefined) return {};
  return { found: await read(definition, context, identifyTarget(target, only).state) };
}

async function createOrAdopt(target: Target, { planned, underWay }: CreationOptions): Promise<ObjectState> {
  const { definition, context, state } = target;
  const { journal } = context;
  const subject =
    describeCreation(definition, context, state) ?? describeNamelessCreation(definition, context);
  const interrupted = await journal.openIntent(subject);

  const existing = await awaitCandidates(definition, context, state, interrupted);
  if (existing.length > 0) {
    await refuseManaged(target, existing);
    const isOurs = interrupted !== undefined || existing.every((remote) => wasGivenUp(target, remote));
    const only = checkAdoptable(target, existing, isOurs);
    // What this stack has created or had in a list is what the plan creates.
    const expected = isOurs ? undefined : planned;
    return adopt(target, only, (id) => journal.adopt(subject, id, underWay), expected);
  }
  planned?.requireCreation();

  refuseUnsettled(definition, context, state);
  const hidden = interrupted?.before ?? (await listHiding(definition, context, state));
  const before = hidden.length > 0 || isKeyShared(definition, state) ? hidden : undefined;
  // Nothing is sent when the engine regards the creation as failed already.
  underWay?.abandoned?.throwIfAborted();
  const intent = await journal.intend(subject, before, underWay);
  const body = requestBody(definition, convertToSent(definition, state), listOwnArgs(target), true);
  let created: RemoteObject;
  try {
    created = (await runWrite(target, () => definition.create(context, body, state))) as RemoteObject;
  } catch (error) {
    const own =
      interrupted && isAlreadyExists(error)
        ? await findAppeared(definition, context, state, interrupted)
        : undefined;
    if (own) return adopt(target, own, (id) => intent.made(id).then(() => intent));
    if (wasNotCreated(error)) intent.close();
    throw error;
  }
  const id = buildId(identifyTarget(target, created));
  if (context.manages(definition.type, id)) {
    // The service returned an existing object whose name it hides.
    intent.close();
    throw createManagedError(target, created);
  }
  context.created(definition.type, id);
  enterResponse(target, created);
  await intent.made(id);
  return complete(target, created).finally(() => intent.handOver());
}

/** Performs the second half of a creation. */
async function complete(target: Target, created: RemoteObject): Promise<ObjectState> {
  const { definition, context } = target;
  let response = created;
  try {
    const here = identifyTarget(target, created);
    const completed = (await runWrite(here, () =>
      definition.afterCreate?.run(context, created, here.state),
    )) as RemoteObject | undefined;
    if (completed !== undefined) enterResponse(target, completed);
    response = { ...created, ...completed };
  } catch (error) {
    throw createPartialCreation(target, created, error as Error);
  }
  return confirmCreation(target, response, listDeclaredArgs(target));
}

/** @throws {PartialCreation} when the object exists, but the response does not show it as it was declared */
function confirmCreation(target: Target, response: RemoteObject, sent: readonly string[]): ObjectState {
  const written = buildStateAfterWrite(target, response, sent);
  const { result, refusal } = verifyResponse(target, sent, response, written, undefined);
  if (refusal !== undefined) throw new PartialCreation(result.id, result.outs, refusal);
  return result;
}

/**
 * The engine creates an object in place of one that it keeps until later, because it was asked to replace it. It asks for no diff then, which
 * would say that the old one has to be deleted first.
 * @throws {ProviderError} `already-managed` when an existing object is in the state already
 */
async function refuseManaged(target: Target, existing: readonly RemoteObject[]): Promise<void> {
  const { definition, context, state } = target;
  const { type } = definition;
  for (const remote of existing) {
    const id = buildId(identifyTarget(target, remote));
    if (await context.isManaged(type, id)) throw createManagedError(target, remote);
    if (context.wasAdopted(type, id) || context.wasCreated(type, id))
      throw new ProviderError(
        "already-managed",
        `${getDisplayName(definition, state)}${formatNumbers(definition, [remote])} is also declared by another entry or resource of this run${describeSpelling(definition, state, remote)}`,
        "remove one of the two declarations, or give it another name",
      );
  }
}

function createManagedError({ definition, context, state }: Target, remote: RemoteObject): ProviderError {
  return new ProviderError(
    "already-managed",
    `${getDisplayName(definition, state)}${formatNumbers(definition, [remote])} in workspace ${context.workspace} is in the state of this stack already, so it is neither adopted nor created again${describeSpelling(definition, state, remote)}`,
    `${REPLACED_REMEDY}. If its declaration has another name now, give it an alias with the former one`,
  );
}

/** What to do about a replacement that the engine decides, where it creates the new object before it deletes the old one. */
export const REPLACED_REMEDY =
  'If Pulumi was asked to replace it, undo that: run "pulumi state untaint", or omit --replace, replacementTrigger or replaceWith. A name exists once, so the new object cannot be created next to the old one. In a program, deleteBeforeReplace: true deletes the old one first, with all that it contains';

/** The existing object, if it may be adopted. */
function checkAdoptable(
  { definition, context, state }: Target,
  existing: readonly RemoteObject[],
  isOurs: boolean,
): RemoteObject {
  const ids = formatNumbers(definition, existing);
  const [first = {}] = existing;
  const what = getDisplayName(definition, state);
  const spelled = describeSpelling(definition, state, first);
  const where = `in workspace ${context.workspace}`;
  if (!isOurs && !mayAdopt(definition, context, state)) {
    throw new ProviderError(
      "already-exists",
      `${what} already exists ${where}${ids}${spelled}`,
      `to manage the existing one, set adopt: true in its declaration. To keep it as it is, remove the declaration or give it another name. Two special cases: if this stack already manages it and Pulumi was asked to replace it, run "pulumi state untaint" with its URN; if a run that was killed on another machine created it, run "workspacectl up --adopt-after-crash" once (or set ${ADOPT_VARIABLE}=1)`,
    );
  }
  const [only, second] = existing;
  if (only === undefined || second !== undefined) {
    throw new ProviderError(
      "ambiguous-name",
      `${what} exists several times ${where}${ids}`,
      definition.sharedKey === undefined
        ? "delete or rename all but one of them in the service"
        : `say which one with "${definition.sharedKey.number}: <number>", or delete or rename all but one of them in the service`,
    );
  }
  return only;
}

/** Whether a declaration may adopt an existing object of its natural key. */
export function mayAdopt(definition: Definition, { journal }: Context, state: Fields): boolean {
  return state["adopt"] === true || definition.adoptsExisting || journal.adoptsExisting;
}

/**
 * Adopts an object with one request that contains the differences and the write-only values; with none if there are none.
 * @param record stores the adoption. Objects that refer to this one may exist as soon as the engine has it
 * @param planned absent where the plan does not count
 */
async function adopt(
  target: Target,
  listed: RemoteObject,
  record: (id: string) => Promise<Intent>,
  planned?: PlannedCreation,
): Promise<ObjectState> {
  const { definition, context, state } = target;
  const here = identifyTarget(target, listed);
  const remote = (await readRemote(here)) ?? listed;
  const differing = listDifferingFrom(target, remote);
  // What has nothing but its natural key is as declared.
  if (differing.length > 0 || !definition.adoptsExisting) planned?.requireAdoption(buildId(here), differing);
  const { body, sent } = patchBody(definition, state, differing, context.behavior);
  const change = {
    olds: identifyTarget({ ...target, state: {} }, remote).state,
    news: state,
    changed: differing,
  };
  const updated =
    Object.keys(body).length === 0
      ? undefined
      : ((await runWrite(here, () => definition.update?.(context, body, here.state, change))) as
          RemoteObject | undefined);
  if (updated !== undefined) enterResponse(here, updated);
  const response = { ...remote, ...updated };
  const id = buildId(identifyTarget(here, response));
  const intent = await record(id);
  context.adopted(definition.type, id);
  try {
    return updated === undefined
      ? buildStateAfterWrite(here, remote, [])
      : confirmCreation(here, response, sent);
  } finally {
    intent.handOver();
  }
}

/** The arguments that an adoption sends: those that differ, and those that the service does not return. */
export function listDifferingFrom(target: Target, remote: RemoteObject): string[] {
  const { definition, state } = target;
  const sent = convertToSent(definition, state);
  const unseen = [...definition.writeOnly(state), ...definition.masked(state)];
  // An omitted argument stays until a plan shows that it differs from its default.
  return listDeclaredArgs(target).filter((name) => {
    if (unseen.includes(name)) return true;
    const shown = readShownValue(definition, remote, name, sent[name]);
    return shown !== undefined && reduceRemote(definition, name, sent[name], shown).value !== sent[name];
  });
}

/** Omits the arguments of the completion from the state, so that the next run sets them. */
function createPartialCreation(target: Target, created: RemoteObject, error: Error): PartialCreation {
  const { definition, state } = target;
  const names = definition.afterCreate?.args ?? [];
  const unset = names.flatMap((name) => [name, definition.references[name]?.idOutput ?? name]);
  const missing = Object.fromEntries(unset.map((name) => [name, undefined]));
  const here = { ...target, state: { ...state, ...missing } };
  const { id, outs } = buildStateAfterWrite(here, created, listDeclaredArgs(here));
  return new PartialCreation(id, outs, error);
}
