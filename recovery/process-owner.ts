/** Identifies processes by id, boot, namespace and start time, because two containers can share an id. */
import { readFileSync, readlinkSync } from "node:fs";
import { runSystemProgram } from "../trust/system-program.js";
import { isRunning } from "./parent-watchdog.js";

/** The scope within which a process id is unique. */
interface ProcessScope {
  /** Differs for every start of the machine. */
  readonly boot: string;
  /** Differs for every container. */
  readonly namespace: string;
}

/** Identity of a process, by which others can find out whether it has ended. */
export interface Owner extends ProcessScope {
  readonly pid: number;
  /** Start time, because the process id may have been reused since. */
  readonly started: string;
}

/** Whether a process has ended; undefined where this machine cannot know. */
export function processHasEnded(owner: Owner | undefined): boolean | undefined {
  const scope = findCurrentScope();
  if (!isOwner(owner) || scope === undefined) return undefined;
  if (owner.boot !== scope.boot || owner.namespace !== scope.namespace) return undefined;
  if (!isRunning(owner.pid)) return true;
  const started = startTimeOf(owner.pid);
  return started === undefined ? undefined : started !== owner.started;
}

/** Whether a value that was read from a file identifies a process. */
export function isOwner(value: unknown): value is Owner {
  if (typeof value !== "object" || value === null) return false;
  const { pid, boot, namespace, started } = value as Record<keyof Owner, unknown>;
  return typeof pid === "number" && [boot, namespace, started].every((part) => typeof part === "string");
}

/** Returns the identity of a process; undefined where process ids are not unique. */
export function findOwner(pid: number | undefined): Owner | undefined {
  const scope = findCurrentScope();
  const started = pid === undefined || scope === undefined ? undefined : startTimeOf(pid);
  return pid === undefined || scope === undefined || started === undefined
    ? undefined
    : { ...scope, pid, started };
}

/** Returns the scope of this process; undefined where process ids are not unique. */
export function findCurrentScope(): ProcessScope | undefined {
  try {
    if (process.platform === "linux") {
      const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
      return { boot, namespace: readlinkSync("/proc/self/ns/pid") };
    }
    if (process.platform === "darwin")
      return { boot: runSystemProgram("/usr/sbin/sysctl", ["-n", "kern.bootsessionuuid"]), namespace: "" };
  } catch {
    // The operating system does not provide it.
  }
  return undefined;
}

/** Start time of a process; a zombie counts as ended. */
export function startTimeOf(pid: number): string | undefined {
  try {
    if (process.platform !== "linux")
      return runSystemProgram("/bin/ps", ["-o", "lstart=", "-p", String(pid)]) || undefined;
    const fields = readStat(pid);
    return /^[ZX]$/.test(fields[0] ?? "") ? "ended" : fields[19];
  } catch {
    return undefined;
  }
}

/** The process that has started another one; undefined where nobody can tell. */
export function findParent(pid: number): number | undefined {
  try {
    if (process.platform !== "linux")
      return Number(runSystemProgram("/bin/ps", ["-o", "ppid=", "-p", String(pid)])) || undefined;
    return Number(readStat(pid)[1]);
  } catch {
    return undefined;
  }
}

/** The fields after the name of the program, which is in brackets and may contain spaces and brackets. */
function readStat(pid: number): string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}
