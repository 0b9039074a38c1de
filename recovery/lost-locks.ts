/** Releases the locks of runs that are certainly lost, and waits for those of others. No clock of another machine counts. */
import { randomUUID } from "node:crypto";
import { belongsToLock, pause, RELEASED_WITHIN_MS, STANDS_STILL_MS } from "./lease.js";
import type { ClaimedRecord, Lock, LockStore } from "./lock-store.js";
import { processHasEnded } from "./process-owner.js";

const LOOK_EVERY_MS = 2_000;

/** Why a lock is still there. */
export interface Held {
  readonly lock: Lock;
  /** Nobody renews a record next to the lock, so only a person can find out whether its run is still active. */
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
  return first && describeHeldLock(first);
}

/**
 * Waits until a stack has no lock. Releases those whose records have stood still for a minute.
 * @returns a lock for which nobody waits: one without a record, or with `untilRenewed` that of a run that lives
 */
export async function waitForLocks(store: LockStore, watching: Watching): Promise<Held | undefined> {
  const by = randomUUID();
  const seen = new Map<string, { readonly text: string; readonly since: number }>();
  for (let hasWaited = false; ; hasWaited = true) {
    const began = performance.now();
    const left = await withoutEnded(store, watching);
    const [first] = left;
    if (first === undefined || describeHeldLock(first).isUnknown) return first && describeHeldLock(first);
    if (!hasWaited) watching.onWait?.(first.lock);
    for (const one of left) {
      const text = JSON.stringify(one.records);
      const before = seen.get(one.name);
      if (before !== undefined && before.text !== text && watching.untilRenewed)
        return { lock: one.lock, isUnknown: false };
      if (before?.text !== text) seen.set(one.name, { text, since: began });
      else if (
        began - before.since >= STANDS_STILL_MS &&
        performance.now() - began < RELEASED_WITHIN_MS &&
        (await claim(store, one, by))
      ) {
        // Another run's claim may have gone with the lock that it released.
        const isFirst = await store.hasLock(one.name);
        await release(store, one);
        if (isFirst) watching.onReleased({ lock: one.lock, stoodStillMs: began - before.since });
      }
    }
    await pause(LOOK_EVERY_MS);
  }
}

/** Reads the locks, and releases those of processes that have certainly ended. @returns the others */
async function withoutEnded(store: LockStore, { onReleased }: Watching): Promise<readonly LockWithRecords[]> {
  const left: LockWithRecords[] = [];
  for (const one of await listLocksIn(store)) {
    // Nobody has to claim this lock, because its run cannot come back.
    if (one.records.some(([, { owner }]) => processHasEnded(owner) === true)) {
      await release(store, one);
      onReleased({ lock: one.lock });
    } else left.push(one);
  }
  return left;
}

function describeHeldLock({ lock, records }: LockWithRecords): Held {
  return { lock, isUnknown: records.length === 0 };
}

interface LockWithRecords {
  readonly name: string;
  readonly lock: Lock;
  readonly records: readonly (readonly [name: string, record: ClaimedRecord])[];
}

async function listLocksIn(store: LockStore): Promise<readonly LockWithRecords[]> {
  const locks = await store.locks();
  if (locks.size === 0) return [];
  const all = [...(await store.records())];
  const found: LockWithRecords[] = [];
  for (const [name, lock] of locks) {
    const records = all.filter(([, record]) => belongsToLock(record, lock, name));
    // Who releases a lock removes its record afterwards, maybe between the two reads.
    if (records.length > 0 || (await store.hasLock(name))) found.push({ name, lock, records });
  }
  return found;
}

/**
 * Only one of several runs gets the claim. If it is killed before it has released the lock, what it leaves stands still, and the next claim is
 * another's. The run that has the lock gets no claim from now on, and so sends nothing more.
 */
async function claim(store: LockStore, { records }: LockWithRecords, by: string): Promise<boolean> {
  for (const [name, { claims }] of records) if (!(await store.claim(name, claims + 1, by))) return false;
  return true;
}

/** Each lock has a name of its own, so this never releases a later one. The claims go after it. */
async function release(store: LockStore, { name, records }: LockWithRecords): Promise<void> {
  await store.removeLock(name);
  for (const [record, { claims }] of records) await store.remove(record, claims + 1);
}
