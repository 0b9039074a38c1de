/**
 * Ends idle hosts of dynamic providers. An engine may start several hosts and never call some of them, because a state of another
 * release of @pulumi/pulumi has a default provider of its own. Such a host has loaded no provider, so it does not notice that its
 * engine was killed, and would run for ever. A provider that ends takes the idle hosts of its engine with it.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * Ends the idle hosts of an engine that has ended. Without /proc it does nothing: idle hosts only cost memory.
 * @param address the engine's address, which is an argument of its hosts
 */
export function endIdleHosts(address: string, processes = "/proc"): void {
  for (const pid of listNamesIn(processes).map(Number)) {
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    if (!isHostOf(address, `${processes}/${pid}`) || !isIdle(`${processes}/${pid}`)) continue;
    try {
      process.kill(pid, "SIGTERM");
    } catch {
      // It has ended by itself.
    }
  }
}

function isHostOf(address: string, process: string): boolean {
  try {
    const [, script = "", engine] = readFileSync(`${process}/cmdline`, "utf8").split("\0");
    return engine === address && /[\\/]dynamic-provider(([\\/]index)?\.js)?$/.test(script);
  } catch {
    return false;
  }
}

/** Whether a process has no other socket than the one on which it listens. */
function isIdle(process: string): boolean {
  const sockets = listNamesIn(`${process}/fd`).filter((fd) => {
    try {
      return readlinkSync(`${process}/fd/${fd}`).startsWith("socket:");
    } catch {
      return false;
    }
  });
  return sockets.length <= 1;
}

function listNamesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
