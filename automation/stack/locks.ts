/** Releases the locks of lost runs, and waits for those of others. */
import { readFileSync, rmSync } from "node:fs";
import { hostname as getHostname } from "node:os";
import { join } from "node:path";
import { belongsToLock } from "../../recovery/lease.js";
import type { Lock, LockStore } from "../../recovery/lock-store.js";
import { type Held, releaseLocksOfEnded, waitForLocks, type Watching } from "../../recovery/lost-locks.js";
import { openLocks } from "../../recovery/open-locks.js";
import { isRunning } from "../../recovery/parent-watchdog.js";
import { processHasEnded } from "../../recovery/process-owner.js";
import { listNamesIn } from "../../recovery/stores.js";
import { formatTimeSince } from "../../text/clock.js";
import { note, type Port } from "../port.js";
import { showSigns, withSigns } from "../signs-of-life.js";
import { giveTurn, takeTurn } from "./fleet-turn.js";
import { findPulumiFolder, lockFolder, type StackLocation } from "./state.js";

/** The locks of a stack; undefined where only Pulumi can read them. */
export function openLocksOf(location: StackLocation, env: NodeJS.ProcessEnv): Promise<LockStore | undefined> {
  return openLocks(location.backendUrl, location, env);
}

/**
 * Releases the locks of processes that have certainly ended.
 * @returns the lock of another run
 */
export async function releaseDeadLocks(
  location: StackLocation,
  env: NodeJS.ProcessEnv,
  io: Port,
): Promise<Held | undefined> {
  const store = await openLocksOf(location, env);
  return store && releaseLocksOfEnded(store, startWatching(location, io));
}

/**
 * Waits for the run that has the lock, and releases the lock of one that is lost. Meanwhile, a fleet runs other workspaces.
 * @returns a lock that only a person can judge
 */
export async function waitForRun(
  location: StackLocation,
  env: NodeJS.ProcessEnv,
  io: Port,
): Promise<Held | undefined> {
  const store = await openLocksOf(location, env);
  if (store === undefined) return undefined;
  for (;;) {
    let endSigns: (() => void) | undefined;
    const watching = startWatching(location, io);
    const onWait = (lock: Lock) => {
      watching.onWait?.(lock);
      endSigns = showSigns(io, `Waiting for the run that has the lock${formatCreator(lock)}`);
      giveTurn(io.env);
    };
    const held = await waitForLocks(store, { ...watching, onWait }).finally(() => endSigns?.());
    if (endSigns === undefined) return held;
    await takeTurn(io.env);
    // Until then, another run may have got the lock.
  }
}

/**
 * Releases the locks of lost runs.
 * @returns the lock of a run that lives, or that only a person can judge
 */
export async function releaseLostLocks(
  location: StackLocation,
  env: NodeJS.ProcessEnv,
  io: Port,
  { uniqueHostname }: Pick<Watching, "uniqueHostname"> = {},
): Promise<Held | undefined> {
  const store = await openLocksOf(location, env);
  const watching = { ...startWatching(location, io), untilRenewed: true, uniqueHostname };
  return (
    store &&
    withSigns(io, "Watching whether the run that has the lock goes on", () => waitForLocks(store, watching))
  );
}

/** Removes the records of a stack whose locks were released. */
export async function forgetRecords(location: StackLocation, env: NodeJS.ProcessEnv): Promise<void> {
  const store = await openLocksOf(location, env);
  for (const [name, { claims }] of (await store?.records()) ?? []) await store?.remove(name, claims);
}

/** Notes that a run waits for a lock, or has released it. */
export function startWatching({ stack }: Pick<StackLocation, "stack">, io: Port): Watching {
  return {
    onWait: (lock) =>
      note(
        io,
        `Another update of stack ${stack} is in progress${formatCreator(lock)}: waiting until it ends.`,
      ),
    onReleased({ lock, stoodStillMs }) {
      const why =
        stoodStillMs === undefined
          ? "its run was killed"
          : `its run has not renewed it for ${Math.round(stoodStillMs / 1000)} s`;
      note(io, `The lock of stack ${stack} was released${formatCreator(lock)}: ${why}.`);
    },
  };
}

/** What it means for a stack that its store creates objects that exist. */
export function formatOverwriting({
  stack,
  backendUrl,
}: Pick<StackLocation, "stack" | "backendUrl">): string {
  const unlock = '"workspacectl stack unlock"';
  return `The store ${backendUrl.toString()} overwrites objects that it should refuse to create. So no run releases the lock of a lost one: that takes ${unlock} for stack ${stack}, after you have made sure that its run has ended.`;
}

function formatCreator(lock: Lock): string {
  const owner = formatOwner(lock);
  return owner === undefined ? "" : ` (created by ${owner})`;
}

/** Names the process that has a lock, as Pulumi does, and how old the lock is. */
export function formatOwner({ username, hostname, pid, timestamp }: Lock): string | undefined {
  if (pid === undefined) return undefined;
  return withAge(`${username}@${hostname} (pid ${pid}) at ${timestamp}`, timestamp);
}

/** Adds how long ago a lock was made, because its time is that of another zone for most people. */
export function withAge(owner: string | undefined, at: string | undefined): string | undefined {
  const age = formatTimeSince(at);
  return owner === undefined || age === undefined ? owner : `${owner}, ${age}`;
}

/** A lock, and whether the process that has it runs on this machine; undefined where that is not known. */
export interface FoundLock {
  readonly lock: Lock;
  readonly runs: boolean | undefined;
}

/** @returns the first lock of a stack, which stays as it is; undefined where there is none, and where only Pulumi can read them */
export async function findLock(
  location: StackLocation,
  env: NodeJS.ProcessEnv,
): Promise<FoundLock | "none" | undefined> {
  const store = await openLocksOf(location, env);
  if (store === undefined) return undefined;
  const [first] = await store.locks();
  if (first === undefined) return "none";
  const [name, lock] = first;
  const records = [...(await store.records()).values()].filter((one) => belongsToLock(one, lock, name));
  const owner = records.find((one) => one.owner !== undefined)?.owner;
  const hasEnded = processHasEnded(owner);
  return {
    lock,
    runs: owner === undefined ? runsHere(lock) : hasEnded === undefined ? undefined : !hasEnded,
  };
}

/** Without a record of its owner, a process that does not run here may be in a container. */
function runsHere({ hostname, pid }: Lock): boolean | undefined {
  return hostname === getHostname() && pid !== undefined && isRunning(pid) ? true : undefined;
}

/**
 * Removes truncated files that Pulumi cannot read and does not need: the `.attrs` next to each state, which a kill truncates ("failed to load
 * checkpoint: EOF"), and the tags and locks that it could not write on a full disk ("unexpected end of JSON input").
 */
export function removeTruncatedFiles(location: StackLocation): void {
  const base = findPulumiFolder(location);
  if (base === undefined) return;
  for (const folder of [join(base, "stacks", location.project), lockFolder(location) ?? ""]) {
    for (const name of listNamesIn(folder)) {
      const file = join(folder, name);
      if (UNNEEDED.test(file) && !isJson(file)) rmSync(file, { force: true });
    }
  }
}

/** Pulumi also treats the rest of a lock's temporary file as a lock. */
const UNNEEDED = /\.attrs$|\.pulumi-tags$|[/\\]locks[/\\].*\.json(\.[\da-f]+\.tmp)?$/;

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return true;
  } catch {
    return false;
  }
}
