/** The processes that a command has started, and what they are. */
import { execa } from "execa";

export interface Process {
  readonly pid: number;
  readonly role: "cli" | "engine" | "provider" | "other";
}

/** A process and all that it started. */
export async function tree(root: number): Promise<Process[]> {
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

/** Sends a signal; one who is gone already does not mind. */
export function signal(processes: readonly Process[], name: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, name);
    } catch {
      // Gone.
    }
  }
}

/** Those that still run; a dead one that nobody has asked after does not. */
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
