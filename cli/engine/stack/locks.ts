/** Releases locks of file-based backends whose process has certainly ended. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { join } from "node:path";
import { note, type Io } from "../../terminal/io.js";
import { forgetOwner, isDead, writeOwner } from "./lock-owners.js";
import { pulumiFolder, lockFiles, lockFolder, readLock, type StackLocation } from "./lock-files.js";
import { ownerOf } from "../../../recovery/process-owner.js";
import { namesIn } from "../../../recovery/stores.js";

/**
 * Releases the locks of processes that have certainly ended. For others, Pulumi's own error says how to release them.
 * @returns whether the stack is still locked
 */
export function releaseDeadLocks(location: StackLocation, io: Io): boolean {
  let stillLocked = false;
  for (const file of lockFiles(location)) {
    const lock = readLock(file);
    if (lock === undefined || !isDead(location, file)) stillLocked ||= existsSync(file);
    else {
      for (const path of [file, `${file}.attrs`]) rmSync(path, { force: true });
      forgetOwner(location, file);
      note(io, `The lock of a killed run (process ${lock.pid} of ${lock.username}) was released.`);
    }
  }
  return stillLocked;
}

/**
 * Locks a stack of a file-based backend as Pulumi does, for a change of the state.
 * @returns releases the lock; undefined while another process has one
 */
export function lockStack(location: StackLocation): (() => void) | undefined {
  const folder = lockFolder(location);
  if (folder === undefined || lockFiles(location).length > 0) return undefined;
  const lock = join(folder, `${randomUUID()}.json`);
  const release = () => {
    rmSync(lock, { force: true });
    forgetOwner(location, lock);
  };
  const owner = ownerOf(process.pid);
  // Recorded before the lock exists, so that a kill leaves no lock of an unknown owner.
  if (owner !== undefined) writeOwner(location, lock, owner);
  mkdirSync(folder, { recursive: true });
  const content = { pid: process.pid, username: userInfo().username, hostname: hostname() };
  // Pulumi treats every file in the folder as a lock, and cannot read a partial one. So the file is moved there when it is complete.
  const whole = `${folder}.${randomUUID()}.tmp`;
  writeFileSync(whole, JSON.stringify({ ...content, timestamp: new Date().toISOString() }));
  renameSync(whole, lock);
  if (lockFiles(location).length === 1) return release;
  release();
  return undefined;
}

/**
 * Removes truncated files that Pulumi cannot read and does not need: the `.attrs` beside each state, which a kill truncates ("failed to load
 * checkpoint: EOF"), and the tags and locks that it could not write on a full disk ("unexpected end of JSON input").
 */
export function removeTruncatedFiles(location: StackLocation): void {
  const base = pulumiFolder(location);
  if (base === undefined) return;
  for (const folder of [join(base, "stacks", location.project), lockFolder(location) ?? ""]) {
    for (const name of namesIn(folder)) {
      const file = join(folder, name);
      if (UNNEEDED.test(file) && !isJson(file)) rmSync(file, { force: true });
    }
  }
}

/** Pulumi takes what is left of a lock's temporary file for a lock, too. */
const UNNEEDED = /\.attrs$|\.pulumi-tags$|[/\\]locks[/\\].*\.json(\.[\da-f]+\.tmp)?$/;

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return true;
  } catch {
    return false;
  }
}
