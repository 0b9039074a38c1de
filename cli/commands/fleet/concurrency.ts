/** Limits how many workspaces of a fleet run at a time. One that waits for a lock does not count meanwhile. */
import type { LimitFunction } from "p-limit";
import type { FleetEntry } from "./fleet-file.js";
import { findLocked } from "./locked-workspaces.js";

/** The turn of a process. */
export interface Turn {
  /** The process waits, so another one may run. */
  readonly give: () => void;
  /** Waits until it is this process's turn again. */
  readonly take: () => Promise<void>;
}

/** Does some work when it is its turn. */
export async function inTurn<T>(limit: LimitFunction, work: (turn: Turn) => Promise<T>): Promise<T> {
  let give = await take(limit);
  let isOver = false;
  try {
    return await work({
      give: () => give(),
      async take() {
        const again = await take(limit);
        if (isOver) again();
        else give = again;
      },
    });
  } finally {
    isOver = true;
    give();
  }
}

/** @returns a function that ends the turn */
function take(limit: LimitFunction): Promise<() => void> {
  return new Promise((taken) => void limit(() => new Promise<void>((give) => taken(give))));
}

/**
 * Puts those first whose stacks are locked. The run that has the lock may be lost, and whether it is can be seen only after a minute, in which the
 * others run.
 */
export async function putLockedFirst(
  entries: readonly FleetEntry[],
  environmentOf: (entry: FleetEntry) => NodeJS.ProcessEnv,
): Promise<readonly FleetEntry[]> {
  const isLocked = await findLocked(entries, environmentOf);
  return [
    ...entries.filter((_, index) => isLocked[index]),
    ...entries.filter((_, index) => !isLocked[index]),
  ];
}
