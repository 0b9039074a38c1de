/** Releases the locks of runs that are certainly lost, and waits for those of others. No clock of another machine counts. */
import { isOf, pause, RELEASED_WITHIN_MS, STANDS_STILL_MS } from "./lease.js";
import type { Lock, LockRecord, LockStore } from "./lock-store.js";
import { processHasEnded } from "./process-owner.js";

const LOOK_EVERY_MS = 2_000;

/** Why a lock is still there. */
export interface Held {
  readonly lock: Lock;
  /** Nobody renews a record beside the lock, so only a person can tell whether its run lives. */
  readonly isUnknown: boolean;
}

/** A lock that was released. */
export interface Released {
  readonly lock: Lock;
  /** For how long its record stood still; undefined when its process has ended on this machine. */
  readonly stoodStillMs?: number;
}

export interface Watching {
  readonly onReleased: (released: Released) => void;
  /** Called once before this waits. */
  readonly onWait?: (lock: Lock) => void;
  /** End when the record of a lock is renewed, which shows that its run lives. */
  readonly untilRenewed?: boolean;
}

/** Releases the locks of processes that have certainly ended. @returns the first lock that is left */
export async function releaseLocksOfEnded(store: LockStore, watching: Watching): Promise<Held | undefined> {
  const [first] = await withoutEnded(store, watching);
  return first && heldOf(first);
}

/**
 * Waits until a stack has no lock. Releases those whose records have stood still for a minute.
 * @returns a lock for which nobody waits: one without a record, or with `untilRenewed` that of a run that lives
 */
export async function waitForLocks(store: LockStore, watching: Watching): Promise<Held | undefined> {
  const seen = new Map<string, { readonly text: string; readonly since: number }>();
  for (let hasWaited = false; ; hasWaited = true) {
    const began = performance.now();
    const left = await withoutEnded(store, watching);
    const [first] = left;
    if (first === undefined || heldOf(first).isUnknown) return first && heldOf(first);
    if (!hasWaited) watching.onWait?.(first.lock);
    for (const one of left) {
      const text = JSON.stringify(one.records);
      const before = seen.get(one.name);
      if (before !== undefined && before.text !== text && watching.untilRenewed)
        return { lock: one.lock, isUnknown: false };
      if (before?.text !== text) seen.set(one.name, { text, since: began });
      else if (began - before.since >= STANDS_STILL_MS && performance.now() - began < RELEASED_WITHIN_MS) {
        await release(store, one);
        watching.onReleased({ lock: one.lock, stoodStillMs: began - before.since });
      }
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** Reads the locks, and releases those of processes that have certainly ended. @returns the others */
async function withoutEnded(store: LockStore, { onReleased }: Watching): Promise<readonly LockWithRecords[]> {
  const left: LockWithRecords[] = [];
  for (const one of await locksIn(store)) {
    if (one.records.some(([, { owner }]) => processHasEnded(owner) === true)) {
      await release(store, one);
      onReleased({ lock: one.lock });
    } else left.push(one);
  }
  return left;
}

function heldOf({ lock, records }: LockWithRecords): Held {
  return { lock, isUnknown: records.length === 0 };
}

interface LockWithRecords {
  readonly name: string;
  readonly lock: Lock;
  readonly records: readonly (readonly [name: string, record: LockRecord])[];
}

async function locksIn(store: LockStore): Promise<readonly LockWithRecords[]> {
  const locks = await store.locks();
  if (locks.size === 0) return [];
  const records = [...(await store.records())];
  return [...locks].map(([name, lock]) => ({
    name,
    lock,
    records: records.filter(([, record]) => isOf(record, lock, name)),
  }));
}

/** Two runs may do this at once, because each lock has a name of its own, and the next one is Pulumi's. */
async function release(store: LockStore, { name, records }: LockWithRecords): Promise<void> {
  await store.removeLock(name);
  for (const [record] of records) await store.remove(record);
}
