/** Looks at the processes of a command while it runs. */
import { readFileSync } from "node:fs";
import type { Emulator } from "../../../emulator/index.js";
import { signal, tree } from "../../chaos/processes.js";

/**
 * Looks until the returned function is called, which answers with the arguments of all processes.
 * @param crash kill the provider when it has begun to write
 */
export function watch(
  pid: number | undefined,
  journal: Emulator["journal"],
  crash: boolean,
): () => Promise<string> {
  const lines = new Set<string>();
  let [ended, crashed] = [false, false];
  const began = journal.writes().length;
  const looking = (async () => {
    while (!ended && pid !== undefined) {
      const processes = await tree(pid);
      for (const one of processes) lines.add(argumentsOf(one.pid));
      const providers = processes.filter(({ role }) => role === "provider");
      if (crash && !crashed && providers.length > 0 && journal.writes().length - began > 2) {
        crashed = true;
        signal(providers, "SIGKILL");
      }
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
  })();
  return async () => {
    ended = true;
    await looking;
    return [...lines].join("\n");
  };
}

/** What a process was started with. */
function argumentsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "latin1").replaceAll("\0", " ");
  } catch {
    return ""; // it has ended
  }
}
