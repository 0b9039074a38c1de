/** Finds and signals the processes that a command has started. */
import { execa } from "execa";

export interface Process {
  readonly pid: number;
  readonly role: "cli" | "engine" | "provider" | "other";
}

/** Returns a process and all its descendants. */
export async function tree(root: number | undefined): Promise<Process[]> {
  // Every process of the machine descends from 0, and the caller kills what it gets.
  if (root === undefined || root < 2) throw new Error(`There is no process ${root}.`);
  const { stdout } = await execa("ps", ["-eo", "pid=,ppid=,args="]);
  const all = stdout.split("\n").flatMap((line) => {
    const [, pid, parent, args = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), args }];
  });
  const found = new Set([root]);
  for (let before = 0; before !== found.size;) {
    before = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid)).map(({ pid, args }) => ({ pid, role: roleOf(args) }));
}

function roleOf(args: string): Process["role"] {
  if (/dynamic-provider|pulumi-resource-/.test(args)) return "provider";
  if (/^\S*pulumi(\.exe)? /.test(args)) return "engine";
  return /bin\/workspacectl\.js/.test(args) ? "cli" : "other";
}

/** Sends a signal, and ignores processes that have ended. */
export function signal(processes: readonly Process[], name: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name);
    } catch {
      // The process has ended.
    }
  }
}

/** Returns the processes that still run. Zombies do not count. */
export async function alive(processes: readonly Process[]): Promise<Process[]> {
  const { stdout } = await execa("ps", ["-eo", "pid=,stat="]);
  const running = new Set(
    stdout
      .split("\n")
      .map((line) => line.trim().split(/\s+/))
      .filter(([, state = "Z"]) => !state.startsWith("Z"))
      .map(([pid]) => Number(pid)),
  );
  return processes.filter(({ pid }) => running.has(pid));
}
