/** Releases locks of file-based backends whose process has certainly ended. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { note, type Io } from "../../terminal/io.js";
import { forgetOwner, isDead } from "./lock-owners.js";
import { pulumiFolder, lockFiles, readLock, type StackLocation } from "./lock-files.js";

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
 * Removes truncated `.attrs` files. Pulumi writes one beside each state file, and not atomically. When a kill truncates it, the
 * state cannot be read ("failed to load checkpoint: EOF"), although Pulumi does not need the file.
 */
export function removeTruncatedFiles(location: Omit<StackLocation, "stack">): void {
  const base = pulumiFolder(location);
  const folder = base && join(base, "stacks", location.project);
  if (folder === undefined || !existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const file = join(folder, name);
    if (name.endsWith(".attrs") && !isJson(file)) rmSync(file, { force: true });
  }
}

function isJson(file: string): boolean {
  try {
    JSON.parse(readFileSync(file, "utf8"));
    return true;
  } catch {
    return false;
  }
}
