/** How long a command takes, and how much memory it and all that it starts take at most. */
import { readdirSync, readFileSync } from "node:fs";
import { execa } from "execa";

export interface Measured {
  readonly seconds: number;
  /** Of all processes together, in MB; 0 where there is no /proc. */
  readonly peak: number;
}

/** @throws {Error} when the command fails, with what it printed */
export async function measure(
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
): Promise<Measured> {
  const began = performance.now();
  const running = execa(command, args, {
    ...options,
    extendEnv: false,
    reject: false,
    all: true,
    stdin: "ignore",
  });
  let peak = 0;
  const look = setInterval(() => (peak = Math.max(peak, memoryOf(running.pid ?? 0))), 50);
  const { exitCode, all } = await running;
  clearInterval(look);
  if (exitCode !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${exitCode}:\n${all}`);
  return { seconds: (performance.now() - began) / 1000, peak };
}

/** Resident memory of a process and all below it, in MB. */
function memoryOf(root: number): number {
  const processes = new Map<number, { parent: number; kilobytes: number }>();
  for (const name of namesIn("/proc").filter((one) => /^\d+$/.test(one))) {
    try {
      const status = readFileSync(`/proc/${name}/status`, "utf8");
      const field = (key: string) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(status)?.[1] ?? 0);
      processes.set(Number(name), { parent: field("PPid"), kilobytes: field("VmRSS") });
    } catch {
      // It has ended.
    }
  }
  const isBelow = (pid: number): boolean =>
    pid === root || (pid > 1 && isBelow(processes.get(pid)?.parent ?? 0));
  const sum = [...processes]
    .filter(([pid]) => isBelow(pid))
    .reduce((all, [, { kilobytes }]) => all + kilobytes, 0);
  return sum / 1024;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
