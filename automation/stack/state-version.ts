/** Identifies a state by its objects, so that a plan is applied only to the state that it was made from. */
import { hashSha256 } from "../../diff/digest.js";
import { retryBriefly } from "../../recovery/bucket.js";
import { AutomationError } from "../errors.js";
import type { Port } from "../port.js";
import { formatOwner, releaseDeadLocks } from "./locks.js";
import { createLockedError, formatLocked, type PulumiCli } from "./pulumi.js";
import type { Deployment, StackLocation } from "./state.js";
import { readDeployment } from "./state-check.js";
import { parseDeployment, readStateText } from "./state-store.js";

/** A digest of the objects of a state. A run that changes none of them writes another time, and the same version. */
export type StateVersion = string;

/** @returns the version of a state that no other run is writing */
export async function readStateVersion(cli: PulumiCli, name: string): Promise<StateVersion> {
  const { location } = cli;
  // A stack that does not exist yet is planned on an empty, temporary state.
  if (location === undefined) return identifyState({});
  return identifyState(await retryBriefly(() => readDeployment({ ...location, name, cli })));
}

export function identifyState({ resources, pending_operations: pending }: Deployment): StateVersion {
  return hashSha256(JSON.stringify([resources ?? [], pending ?? []]));
}

/** Code of the error, for programs. */
export const STATE_CHANGED = "state-changed";

/** @param name the stack */
export function createStateChangedError(name: string): AutomationError {
  return new AutomationError(
    `the state of stack ${name} has changed since the plan: another run has ended meanwhile. Nothing was written`,
    "run the command again, which plans from the present state",
    { code: STATE_CHANGED },
  );
}

/**
 * Finds out whether another run explains why a plan must not be applied, such as with objects that already exist.
 * @param madeFrom the state that the plan was made from; undefined where only a lock shows another run
 * @returns the error that says so
 */
export async function findOtherRun(
  {
    location,
    cli,
    name,
  }: { readonly location: StackLocation; readonly cli: PulumiCli; readonly name: string },
  madeFrom: StateVersion | undefined,
  io: Port,
): Promise<AutomationError | undefined> {
  const held = await releaseDeadLocks(location, cli.env, io);
  if (held !== undefined) return createLockedError(formatLocked(formatOwner(held.lock)));
  if (madeFrom === undefined) return undefined;
  // The plan of a new stack is made on a temporary state, and another run may have created the stack meanwhile.
  const now = parseDeployment(await readStateText(location, cli.env));
  return now === undefined || identifyState(now) === madeFrom ? undefined : createStateChangedError(name);
}

export function isStateChanged(error: unknown): boolean {
  return error instanceof AutomationError && error.code === STATE_CHANGED;
}
