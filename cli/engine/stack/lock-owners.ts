/**
 * Records which process owns a lock of Pulumi's. The lock itself only names a host and a process id. Two containers can share
 * both, and ids are reused. So each run writes its boot id, process namespace and start time beside the locks, and only a
 * recorded owner can be declared dead.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { EngineStack } from "./engine-stack.js";
import { pulumiFolder, lockFiles, readLock, type StackLocation } from "./lock-files.js";
import { processHasEnded, ownerOf, type Owner } from "./process-owner.js";

/** Whether the process that owns a lock has ended; undefined where this machine cannot know. */
export function isDead(location: StackLocation, lock: string): boolean | undefined {
  return processHasEnded(readOwner(fileOf(location, lock)));
}

export function forgetOwner(location: StackLocation, lock: string): void {
  rmSync(fileOf(location, lock), { force: true });
}

const locations = new WeakMap<EngineStack, StackLocation>();

/** Records where the state of a stack is stored, for the operations on it. */
export function rememberLocation(stack: EngineStack, location: StackLocation): void {
  locations.set(stack, location);
}

export interface OwnerNote {
  /** Call it when the engine has started its work, because it owns the lock by then. */
  readonly begun: () => void;
  readonly ended: () => void;
}

/** Records the owner of the lock while an operation on a stack runs. */
export function noteOwner(stack: EngineStack): OwnerNote {
  const location = locations.get(stack);
  let noted: string | undefined;
  return {
    begun() {
      if (location === undefined || noted !== undefined) return;
      noted = noteIn(location) ?? "";
    },
    ended() {
      // A lock that still exists belongs to an engine that was killed.
      if (location !== undefined && noted && !existsSync(noted)) forgetOwner(location, noted);
    },
  };
}

/** Writes the owner of the only lock. A second lock is another run's attempt, and then it is unclear which one is ours. */
function noteIn(location: StackLocation): string | undefined {
  const [lock, second] = lockFiles(location);
  const owner = ownerOf(lock === undefined ? undefined : readLock(lock)?.pid);
  if (lock === undefined || second !== undefined || owner === undefined) return undefined;
  try {
    writeOwner(location, lock, owner);
    return lock;
  } catch {
    return undefined; // the user then has to release the lock
  }
}

export function writeOwner(location: StackLocation, lock: string, owner: Owner): void {
  const file = fileOf(location, lock);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, JSON.stringify(owner));
}

/** The records are not stored among the locks, because Pulumi treats every file there as a lock. */
function fileOf(location: StackLocation, lock: string): string {
  return join(pulumiFolder(location) ?? "", "workspacectl", "lock-holders", basename(lock));
}

function readOwner(file: string): Owner | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Owner;
  } catch {
    return undefined;
  }
}
