/** Locks of stacks whose state is kept in files: one that a killed process left behind is released. */
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { homedir, hostname } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { isRunning } from "../../provider/index.js";
import { note, type Io } from "../io.js";

/** Where the state of a stack is. */
export interface StackPlace {
  readonly backendUrl: string;
  /** Folder against which a relative address counts. */
  readonly root: string;
  readonly project: string;
  readonly stack: string;
}

interface Lock {
  readonly pid: number;
  readonly username: string;
  readonly hostname: string;
}

/**
 * Releases the locks of processes of this machine that are gone.
 * @returns whether somebody still holds the stack
 */
export function releaseDeadLocks(place: StackPlace, io: Io): boolean {
  let held = false;
  for (const file of lockFiles(place)) {
    const lock = readLock(file);
    if (lock === undefined || isAlive(lock)) held ||= existsSync(file);
    else {
      for (const path of [file, `${file}.attrs`]) rmSync(path, { force: true });
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

/** The folder `.pulumi` of a backend of files; undefined for every other backend. */
export function bookkeeping({ backendUrl, root }: Omit<StackPlace, "stack">): string | undefined {
  if (!backendUrl.startsWith("file:")) return undefined;
  const path = backendUrl.slice("file://".length).replace(/^~(?=\/|$)/, homedir());
  const folder = path.startsWith("/") && !backendUrl.includes("~") ? fileURLToPath(backendUrl) : path;
  return join(resolve(root, folder), ".pulumi");
}

function lockFiles(place: StackPlace): string[] {
  const base = bookkeeping(place);
  if (base === undefined) return [];
  const folder = join(base, "locks", "organization", place.project, place.stack);
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(folder, name));
}

function readLock(file: string): Lock | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Lock;
  } catch {
    // Released in this moment, or being written.
    return undefined;
  }
}

/** A holder on another machine is taken to live: from here nobody can tell. */
function isAlive({ pid, hostname: host }: Lock): boolean {
  if (host !== hostname()) return true;
  return isRunning(pid) && (nameOf(pid)?.includes("pulumi") ?? true);
}

/** What runs under a number: it may have been given to another program since. */
function nameOf(pid: number): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return undefined;
  }
}
