/** Lets a fleet run another workspace while this process waits for a lock. cli/commands/fleet/worker-processes.ts is the other side. */
import { once } from "node:events";

/** Set by a fleet, which understands the messages. */
export const TURNS_VARIABLE = "WORKSPACE_AUTOMATION_FLEET_TURNS";
export type TurnMessage = "waits" | "continues";

type Env = Readonly<Record<string, string | undefined>>;

/** Tells the fleet that this process waits. */
export function giveTurn(env: Env): void {
  if (hasFleet(env)) send("waits");
}

/** Waits until the fleet lets this process continue. A fleet that has ended does not hold it up. */
export async function takeTurn(env: Env): Promise<void> {
  if (!hasFleet(env)) return;
  const ended = new AbortController();
  const { signal } = ended;
  const response = Promise.race([
    once(process, "message", { signal }),
    once(process, "disconnect", { signal }),
  ]);
  send("continues");
  await response;
  ended.abort();
}

/** Whether a fleet has started this process. */
export function hasFleet(env: Env): boolean {
  return env[TURNS_VARIABLE] !== undefined && process.connected;
}

function send(message: TurnMessage): void {
  process.send?.(message, () => undefined);
}
