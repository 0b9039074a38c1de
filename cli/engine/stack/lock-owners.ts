/**
 * Who holds a lock of Pulumi's. The lock itself names a host and a number of a process: two containers can have both in common, and
 * a number is given to another process later. So each run of ours notes beside the locks which process of which boot and
 * which namespace it is, and only what is noted can be known to be dead.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { EngineStack } from "./engine-stack.js";
import { isRunning } from "../../../provider/index.js";
import { bookkeeping, lockFiles, readLock, type StackPlace } from "./lock-files.js";

/** The processes among which a number means one. */
interface Realm {
  /** Every start of a machine has its own. */
  readonly boot: string;
  /** A container has its own. */
  readonly namespace: string;
}

interface Holder extends Realm {
  readonly pid: number;
  /** When it began: the number may have been given to another process since. */
  readonly started: string;
}

/** Whether the process behind a lock is gone; undefined where that cannot be told from here. */
export function isDead(place: StackPlace, lock: string): boolean | undefined {
  const holder = readHolder(fileOf(place, lock));
  const realm = realmHere();
  if (holder === undefined || realm === undefined) return undefined;
  if (holder.boot !== realm.boot || holder.namespace !== realm.namespace) return undefined;
  if (!isRunning(holder.pid)) return true;
  const started = startOf(holder.pid);
  return started === undefined ? undefined : started !== holder.started;
}

export function forgetHolder(place: StackPlace, lock: string): void {
  rmSync(fileOf(place, lock), { force: true });
}

const places = new WeakMap<EngineStack, StackPlace>();

/** Notes where the state of a stack is, for the operations on it. */
export function placeOf(stack: EngineStack, place: StackPlace): void {
  places.set(stack, place);
}

export interface Noting {
  /** To be called when the engine has begun to work, and so has the lock. */
  readonly begun: () => void;
  readonly ended: () => void;
}

/** Notes who holds the lock of an operation on a stack, while it runs. */
export function noteHolder(stack: EngineStack): Noting {
  const place = places.get(stack);
  let noted: string | undefined;
  return {
    begun() {
      if (place === undefined || noted !== undefined) return;
      noted = noteIn(place) ?? "";
    },
    ended() {
      // A lock that is still there is one of a run that was ended by force.
      if (place !== undefined && noted && !existsSync(noted)) forgetHolder(place, noted);
    },
  };
}

/** An engine works while no lock is there but its own: a second one is somebody else's attempt, and then nobody's is noted. */
function noteIn(place: StackPlace): string | undefined {
  const [lock, second] = lockFiles(place);
  const pid = lock === undefined ? undefined : readLock(lock)?.pid;
  const realm = realmHere();
  if (lock === undefined || second !== undefined || pid === undefined || realm === undefined)
    return undefined;
  const started = startOf(pid);
  if (started === undefined) return undefined;
  const file = fileOf(place, lock);
  try {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...realm, pid, started } satisfies Holder));
    return lock;
  } catch {
    return undefined; // the lock is released by hand, then
  }
}

/** Not among the locks: Pulumi takes every file there for one. */
function fileOf(place: StackPlace, lock: string): string {
  return join(bookkeeping(place) ?? "", "workspacectl", "lock-holders", basename(lock));
}

function readHolder(file: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as Holder;
  } catch {
    return undefined;
  }
}

/** Where this process runs; undefined where numbers of processes cannot be told apart for certain. */
export function realmHere(): Realm | undefined {
  try {
    if (process.platform === "linux") {
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
      return { boot, namespace: readlinkSync("/proc/self/ns/pid") };
    }
    if (process.platform === "darwin")
      return { boot: run("sysctl", ["-n", "kern.bootsessionuuid"]), namespace: "" };
  } catch {
    // not told
  }
  return undefined;
}

/** When a process began; a process that has ended, and waits for its parent to hear of it, never did. */
export function startOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") return run("ps", ["-o", "lstart=", "-p", String(pid)]) || undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program stands in brackets, and may hold anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return /^[ZX]$/.test(fields[0] ?? "") ? "ended" : fields[19];
  } catch {
    return undefined;
  }
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }).trim();
}
