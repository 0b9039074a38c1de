/** Observes one object with as few requests as possible, and decides whether it exists. */
import { isServiceError, ServiceError } from "../../client/index.js";
import { listApiKeys } from "../../resources/definition/api-names.js";
import {
  listManagedArgs,
  type ReadSource,
  type RemoteObject,
} from "../../resources/definition/definition.js";
import { listRemoteDefaults } from "../../resources/definition/server-defaults.js";
import type { Target } from "../crud/target.js";
import { type Absence, createHiddenError, judgeAbsence } from "./absence.js";
import { gather, isUnlisted } from "./sources.js";

/** An object that exists. */
export interface ObservedObject {
  readonly remote: RemoteObject;
  /** Whether the object was read by itself, where the service omits no field, so that a missing field is not set. */
  readonly whole: boolean;
}

/** The object, or why no source shows it. */
export type Observation = ({ readonly is: "there" } & ObservedObject) | { readonly is: Absence };

/**
 * The remote object, or undefined when it certainly does not exist where the state says.
 * @throws {ProviderError} `perhaps-hidden` when that cannot be known
 */
export async function readRemote(target: Target): Promise<RemoteObject | undefined> {
  const seen = await observe(target);
  if (seen.is === "hidden") throw createHiddenError(target);
  return seen.is === "there" ? seen.remote : undefined;
}

/** Reading stops at the first source after which every managed argument is known. */
export async function observe(target: Target): Promise<Observation> {
  const read = new Set<ReadSource>();
  const needed = listNeededKeys(target);
  const isEnough = (remote: RemoteObject) => needed.every((key) => key in remote);
  const found = await gather(target, isEnough, undefined, read).catch(async (error: unknown) => {
    throw await explainDenied(target, error);
  });
  if (found === undefined) return { is: await judgeAbsence(target) };
  const remote = await withDefaults(target, found, read);
  const whole = [...read].some((source) => source.kind === "single" && source.madeOf === undefined);
  return { is: "there", remote, whole };
}

/** The refusal to read an object, with the other possible cause if its list does not show it. */
async function explainDenied(target: Target, error: unknown): Promise<unknown> {
  if (!isServiceError(error, "denied") || !(await isUnlisted(target))) return error;
  const { code, method, path, status, serviceMessages, remedy } = error;
  return new ServiceError({
    ...{ code, method, path, status, serviceMessages },
    remedy: `${remedy} Its list does not show the object either, so perhaps it was deleted: some services deny access to what does not exist. "workspacectl probe" finds out whether this one does (missing-status). If it was deleted, remove it from the state with "pulumi state delete".`,
    cause: error,
  });
}

/** Adds the omitted arguments that have a default, which are compared too, as far as the token may read them. */
async function withDefaults(
  target: Target,
  remote: RemoteObject,
  read: Set<ReadSource>,
): Promise<RemoteObject> {
  const { definition, state } = target;
  const needed = Object.keys(listRemoteDefaults(definition, state))
    .filter((name) => state[name] === undefined)
    .flatMap((name) => listApiKeys(definition, name, undefined));
  const isEnough = (shown: RemoteObject) => needed.every((key) => key in shown);
  try {
    return (await gather(target, isEnough, remote, read)) ?? remote;
  } catch (error) {
    if (isServiceError(error, "denied")) return remote;
    throw error;
  }
}

/** The API names of the declared arguments that the service shows. */
function listNeededKeys({ definition, state }: Target): string[] {
  const unseen = definition.writeOnly(state);
  return listManagedArgs(definition, state)
    .filter((name) => state[name] !== undefined && name !== "workspace" && !unseen.includes(name))
    .flatMap((name) => listApiKeys(definition, name, state[name]));
}
