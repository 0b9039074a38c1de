/** Limits how many workspaces of a fleet run at a time. One that waits for a lock does not count meanwhile. */
import type { LimitFunction } from "p-limit";
import { listLockedStacks, openLocks } from "../../../recovery/open-locks.js";
import { findBackend } from "../../engine/stack/backend.js";
import { findProject } from "../../engine/stack/project.js";
import type { FleetEntry } from "./file.js";

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
  const locks = await describeLocks(entries, environmentOf);
  return [
    ...entries.filter((_, index) => locks[index] !== undefined),
    ...entries.filter((_, index) => locks[index] === undefined),
  ];
}

/** Describes the lock of each entry's stack, with a text that changes when the lock is renewed; undefined where the stack is not locked. */
export function describeLocks(
  entries: readonly FleetEntry[],
  environmentOf: (entry: FleetEntry) => NodeJS.ProcessEnv,
): Promise<readonly (string | undefined)[]> {
  const lists = new Map<string, ReturnType<typeof listLockedStacks>>();
  return Promise.all(
    entries.map(async (entry) => {
      const env = environmentOf(entry);
      try {
        const project = findProject(entry.file);
        const { url } = findBackend(project, env);
        const list = lists.get(url) ?? listLockedStacks(url, env);
        lists.set(url, list);
        const found = (await list).find((one) => one.project === project.name && one.stack === entry.stack);
        if (found === undefined) return undefined;
        const store = await openLocks(url, found, env);
        return JSON.stringify([...((await store?.records()) ?? [])]);
      } catch {
        // Its process reports the problem.
        return undefined;
      }
    }),
  );
}
