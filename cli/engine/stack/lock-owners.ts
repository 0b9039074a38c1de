/**
 * Records which process owns a lock of Pulumi's. The lock itself only names a host and a process id. Two containers can share
 * both, and ids are reused. So each run writes its boot id, process namespace and start time beside the locks, and only a
 * recorded owner can be declared dead.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { pulumiFolder, lockFiles, readLock, type StackLocation } from "./lock-files.js";
import { processHasEnded, ownerOf, type Owner } from "../../../recovery/process-owner.js";

/** Whether the process that owns a lock has ended; undefined where this machine cannot know. */
export function isDead(location: StackLocation, lock: string): boolean | undefined {
  return processHasEnded(readOwner(fileOf(location, lock)));
}

export function forgetOwner(location: StackLocation, lock: string): void {
  rmSync(fileOf(location, lock), { force: true });
}

export interface OwnerNote {
  /** Call it when the engine has started its work, because it owns the lock by then. */
  readonly begun: () => void;
  readonly ended: () => void;
}

/**
 * Records the owner of the lock while an operation on a stack runs.
 * @param location undefined for a temporary state
 */
export function noteOwner(location: StackLocation | undefined): OwnerNote {
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

/** How often the locks are looked at while a command may take one. */
const INTERVAL_MS = 5;

/**
 * Records the owner of the lock that a command of Pulumi's takes for a moment, which reports nothing meanwhile.
 * @returns ends this; call it when the command has ended
 */
export function watchOwner(location: StackLocation, pid: number): () => void {
  // One of another process may name the same process id.
  const others = new Set(lockFiles(location));
  let noted: string | undefined;
  const look = setInterval(() => {
    noted = lockFiles(location).find((lock) => !others.has(lock) && readLock(lock)?.pid === pid);
    const owner = noted === undefined ? undefined : ownerOf(pid);
    if (noted === undefined || owner === undefined) return;
    clearInterval(look);
    tryWriteOwner(location, noted, owner);
  }, INTERVAL_MS);
  return () => {
    clearInterval(look);
    if (noted !== undefined && !existsSync(noted)) forgetOwner(location, noted);
  };
}

/** Writes the owner of the only lock. A second lock is another run's attempt, and then it is unclear which one is ours. */
function noteIn(location: StackLocation): string | undefined {
  const [lock, second] = lockFiles(location);
  const owner = ownerOf(lock === undefined ? undefined : readLock(lock)?.pid);
  if (lock === undefined || second !== undefined || owner === undefined) return undefined;
  return tryWriteOwner(location, lock, owner) ? lock : undefined;
}

/** @returns whether it was written; if not, the user has to release the lock after a kill */
function tryWriteOwner(location: StackLocation, lock: string, owner: Owner): boolean {
  try {
    writeOwner(location, lock, owner);
    return true;
  } catch {
    return false;
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
