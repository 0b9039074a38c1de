/**
 * Records which process owns a lock of Pulumi's. The lock itself only names a host and a process id. Two containers can share
 * both, and ids are reused. So each run writes its boot id, process namespace and start time beside the locks, and only a
 * recorded owner can be declared dead.
 */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import type { EngineStack } from "./engine-stack.js";
import { isRunning } from "../../../provider/index.js";
import { pulumiFolder, lockFiles, readLock, type StackLocation } from "./lock-files.js";

/** The scope within which a process id is unique. */
interface ProcessScope {
  /** Differs for every start of the machine. */
  readonly boot: string;
  /** Differs for every container. */
  readonly namespace: string;
}

interface Owner extends ProcessScope {
  readonly pid: number;
  /** Start time, because the process id may have been reused since. */
  readonly started: string;
}

/** Whether the process that owns a lock has ended; undefined where this machine cannot know. */
export function isDead(location: StackLocation, lock: string): boolean | undefined {
  const owner = readOwner(fileOf(location, lock));
  const scope = currentScope();
  if (owner === undefined || scope === undefined) return undefined;
  if (owner.boot !== scope.boot || owner.namespace !== scope.namespace) return undefined;
  if (!isRunning(owner.pid)) return true;
  const started = startTimeOf(owner.pid);
  return started === undefined ? undefined : started !== owner.started;
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
  const pid = lock === undefined ? undefined : readLock(lock)?.pid;
  const scope = currentScope();
  if (lock === undefined || second !== undefined || pid === undefined || scope === undefined)
    return undefined;
  const started = startTimeOf(pid);
  if (started === undefined) return undefined;
  const file = fileOf(location, lock);
  try {
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, JSON.stringify({ ...scope, pid, started } satisfies Owner));
    return lock;
  } catch {
    return undefined; // the user then has to release the lock
  }
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

/** The scope of this process; undefined where process ids cannot be attributed with certainty. */
export function currentScope(): ProcessScope | undefined {
  try {
    if (process.platform === "linux") {
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
      return { boot, namespace: readlinkSync("/proc/self/ns/pid") };
    }
    if (process.platform === "darwin")
      return { boot: run("sysctl", ["-n", "kern.bootsessionuuid"]), namespace: "" };
  } catch {
    // The operating system does not provide it.
  }
  return undefined;
}

/** Start time of a process; a zombie counts as ended. */
export function startTimeOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux") return run("ps", ["-o", "lstart=", "-p", String(pid)]) || undefined;
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The program name in brackets may contain spaces and brackets, so fields are counted after its last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return /^[ZX]$/.test(fields[0] ?? "") ? "ended" : fields[19];
  } catch {
    return undefined;
  }
}

function run(command: string, args: readonly string[]): string {
  return execFileSync(command, args, { encoding: "utf8", env: { ...process.env, LC_ALL: "C" } }).trim();
}
