/** Measures the time and the peak memory of a command, including the processes that it starts. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { execa } from "execa";

export interface Measured {
  readonly seconds: number;
  /** Processor time of all processes of the command (Linux; else 0). It depends less on what else the machine does. */
  readonly processorSeconds: number;
  /** Memory at the moment when all processes together used most. */
  readonly peak: Memory;
}

/** Resident memory in MB; 0 where there is no /proc. */
export interface Memory {
  readonly total: number;
  /** By the names of the processes. */
  readonly parts: Readonly<Record<string, number>>;
}

/**
 * @param expected exit codes besides 0
 * @throws {Error} with the output of the command when it fails
 */
export async function measure(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  expected: readonly number[] = [],
): Promise<Measured> {
  const before = readProcessorSeconds();
  const began = performance.now();
  const running = execa(command, args, {
    ...options,
    extendEnv: false,
    reject: false,
    all: true,
    stdin: "ignore",
  });
  let peak: Memory = { total: 0, parts: {} };
  const look = setInterval(() => {
    const memory = measureMemory(running.pid ?? 0);
    if (memory.total > peak.total) peak = memory;
  }, 50);
  const { exitCode, all } = await running;
  clearInterval(look);
  if (![0, ...expected].includes(exitCode ?? -1))
    throw new Error(`${command} ${args.join(" ")} ended with ${exitCode}:\n${all}`);
  const seconds = (performance.now() - began) / 1000;
  return { seconds, processorSeconds: readProcessorSeconds() - before, peak };
}

/** Processor time of all processes that this one has waited for, and of those that they have waited for (Linux; else 0). */
function readProcessorSeconds(): number {
  const file = "/proc/self/stat";
  if (!existsSync(file)) return 0;
  const fields = readFileSync(file, "utf8").split(") ")[1]?.split(" ") ?? [];
  const [CHILDREN_USER, CHILDREN_SYSTEM, TICKS_PER_SECOND] = [13, 14, 100];
  return (Number(fields[CHILDREN_USER]) + Number(fields[CHILDREN_SYSTEM])) / TICKS_PER_SECOND;
}

/** Memory of a process and all below it. */
function measureMemory(root: number): Memory {
  const processes = new Map<number, { name: string; parent: number; kilobytes: number }>();
  for (const name of listNamesIn("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      const command = getName(
        /^Name:\s+(.*)/m.exec(status)?.[1] ?? "",
        readFileSync(`/proc/${name}/cmdline`, "utf8"),
      );
      processes.set(Number(name), { name: command, parent: field("PPid"), kilobytes: field("VmRSS") });
    } catch {
      // The process has ended.
    }
  }
  const isBelow = (pid: number): boolean =>
    pid === root || (pid > 1 && isBelow(processes.get(pid)?.parent ?? 0));
  const parts: Record<string, number> = {};
  for (const [pid, { name, kilobytes }] of processes)
    if (isBelow(pid)) parts[name] = (parts[name] ?? 0) + kilobytes / 1024;
  return { total: Object.values(parts).reduce((all, one) => all + one, 0), parts };
}

/** Node.js processes have the name of what they run: that of the file, or that of its folder. */
function getName(command: string, line: string): string {
  if (!/^(node|MainThread)$/.test(command)) return command;
  const script = line.split("\0").find((arg, index) => index > 0 && arg.includes("/"));
  if (script === undefined) return command;
  const file = basename(script).replace(/\.\w+$/, "");
  return ["index", ""].includes(file) ? basename(dirname(script)) : file;
}

function listNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
