/** Locks of stacks whose state is kept in files: one whose process is certainly dead is released. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { note, type Io } from "../../terminal/io.js";
import { forgetHolder, isDead } from "./lock-owners.js";
import { bookkeeping, lockFiles, readLock, type StackPlace } from "./lock-files.js";

/**
 * Releases the locks of processes that are certainly gone. Of others, Pulumi's refusal says how to release them by hand.
 * @returns whether somebody still holds the stack
 */
export function releaseDeadLocks(place: StackPlace, io: Io): boolean {
  let held = false;
  for (const file of lockFiles(place)) {
    const lock = readLock(file);
    if (lock === undefined || !isDead(place, file)) held ||= existsSync(file);
    else {
      for (const path of [file, `${file}.attrs`]) rmSync(path, { force: true });
      forgetHolder(place, file);
      note(io, `The lock of a killed run (process ${lock.pid} of ${lock.username}) was released.`);
    }
  }
  return held;
}

/**
 * Beside each file of the state Pulumi keeps another with the file's type, which it does not write at once: cut off by a kill,
 * it makes the state unreadable ("failed to load checkpoint: EOF"). It is not needed.
 */
export function removeCutOffFiles(place: Omit<StackPlace, "stack">): void {
  const base = bookkeeping(place);
  const folder = base && join(base, "stacks", place.project);
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
