/**
 * One engine may start several hosts of dynamic providers, and not ask each of them anything: a state made by another release
 * of @pulumi/pulumi has a default provider of its own. A host that was never asked has loaded no provider, so nothing in it
 * notices that its engine was killed, and it would stay for ever. A provider that leaves takes such idle ones with it.
 */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

/**
 * Ends the idle hosts of an engine that is gone. Where there is no /proc, nothing is done: they cost memory, and can do no harm.
 *
 * @param address argument by which the engine's hosts know it
 */
export function endIdleHosts(address: string, processes = "/proc"): void {
  for (const pid of namesIn(processes).map(Number)) {
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    if (!isHostOf(address, `${processes}/${pid}`) || !isIdle(`${processes}/${pid}`)) continue;
    try {
      process.kill(pid, "SIGTERM");
    } catch {
      // It has left by itself.
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

/** Who talks to nobody has no other socket than the one on which it listens. */
function isIdle(process: string): boolean {
  const sockets = namesIn(`${process}/fd`).filter((fd) => {
    try {
      return readlinkSync(`${process}/fd/${fd}`).startsWith("socket:");
    } catch {
      return false;
    }
  });
  return sockets.length <= 1;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
