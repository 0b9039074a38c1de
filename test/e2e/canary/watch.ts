/** Watches the processes of a command while it runs. */
import { readFileSync } from "node:fs";
import type { Emulator } from "../../../emulator/index.js";
import { alive, type Process, signal, tree } from "../../chaos/processes.js";

/**
 * Watches until the returned function is called, which returns the arguments of all processes.
 * @param crash whether to kill the provider process after it has begun to write, and to wait until its engine has ended
 */
export function watch(
  pid: number | undefined,
  journal: Emulator["journal"],
  crash: boolean,
): () => Promise<string> {
  const lines = new Set<string>();
  let ended = false;
  let crashed: readonly Process[] = [];
  const began = journal.writes().length;
  const looking = (async () => {
    while (!ended && pid !== undefined) {
      const processes = await tree(pid);
      for (const one of processes) lines.add(argumentsOf(one.pid));
      const isWorking = processes.some(({ role }) => role === "engine");
      if (crash && crashed.length === 0 && isWorking && journal.writes().length - began > 2) {
        crashed = processes;
        signal(providersIn(processes), "SIGKILL");
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  })();
  return async () => {
    ended = true;
    await looking;
    while ((await alive(crashed)).length > 0) await new Promise((resolve) => setTimeout(resolve, 100));
    return [...lines].join("\n");
  };
}

/** Returns Pulumi's provider hosts, or the command if it hosts the provider itself. */
function providersIn(processes: readonly Process[]): readonly Process[] {
  const hosts = processes.filter(({ role }) => role === "provider");
  return hosts.length > 0 ? hosts : processes.filter(({ role }) => role === "cli");
}

/** Returns the command line of a process. */
function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return ""; // It has ended.
  }
}
