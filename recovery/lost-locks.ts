/** Releases the locks of runs that are certainly lost, and waits for those of others. No clock of another machine counts. */
import { randomUUID } from "node:crypto";
import { belongsToLock, pause, RELEASED_WITHIN_MS, STANDS_STILL_MS } from "./lease.js";
import type { ClaimedRecord, Lock, LockStore } from "./lock-store.js";
import { isRunning } from "./parent-watchdog.js";
import { processHasEnded } from "./process-owner.js";

const LOOK_EVERY_MS = 2_000;

/** Why a lock is still there. */
export interface Held {
  readonly lock: Lock;
  /**
   * Only a person can find out whether its run is still active: nobody renews a record next to the lock, or that stands still in a store in which
   * several runs can get the claim to it.
   */
  readonly isUnknown: boolean;
  /** Its record was renewed since the last look, which shows that its run lives. */
  readonly isRenewed: boolean;
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
  /**
   * Name of this machine, if no other one has it. Then a lock of it that nobody records is released as well, after a minute and if its process has
   * ended: a machine may be lost between the lock of plain Pulumi and the record that the provider starts.
   */
  readonly uniqueHostname?: string | undefined;
}

/** Releases the locks of processes that have certainly ended. @returns the first lock that is left */
export async function releaseLocksOfEnded(store: LockStore, watching: Watching): Promise<Held | undefined> {
  const [first] = await withoutEnded(store, watching);
  return first && describeHeldLock(first, watching);
}

/**
 * Waits until a stack has no lock. Releases those whose records have stood still for a minute.
 * @returns a lock for which nobody waits: one without a record, or with `untilRenewed` that of a run that lives
 */
export async function waitForLocks(store: LockStore, watching: Watching): Promise<Held | undefined> {
  const watch = new LockWatch(store, watching);
  for (let hasWaited = false; ; hasWaited = true) {
    const held = await watch.look();
    if (held === undefined || held.isUnknown || (held.isRenewed && watching.untilRenewed)) return held;
    if (!hasWaited) watching.onWait?.(held.lock);
    await pause(LOOK_EVERY_MS);
  }
}

/** Observes the locks of a stack. */
export class LockWatch {
  private readonly by = randomUUID();
  private readonly seen = new Map<string, { readonly text: string; readonly since: number }>();

  constructor(
    private readonly store: LockStore,
    private readonly watching: Watching,
    /** The monotonic clock of this machine, in milliseconds. */
    private readonly readClock = () => performance.now(),
  ) {}

  /**
   * Looks at the locks, and releases those whose records have stood still for a minute. The next look sees whether another run has locked the stack.
   * @returns the first lock, or that of a run that lives
   */
  async look(): Promise<Held | undefined> {
    const began = this.readClock();
    const found: Held[] = [];
    for (const one of await withoutEnded(this.store, this.watching)) {
      const text = JSON.stringify(one.records);
      const before = this.seen.get(one.name);
      const isSame = before?.text === text;
      const stoodStillMs = isSame ? began - before.since : 0;
      if (isSame) await this.releaseStill(one, began, stoodStillMs);
      else this.seen.set(one.name, { text, since: began });
      const held = describeHeldLock(one, this.watching);
      const isUndecided = stoodStillMs >= STANDS_STILL_MS && keepsConditions(one) === false;
      found.push({
        ...held,
        isUnknown: held.isUnknown || isUndecided,
        isRenewed: before !== undefined && !isSame,
      });
    }
    const [first] = found;
    return first?.isUnknown ? first : (found.find(({ isRenewed }) => isRenewed) ?? first);
  }

  private async releaseStill(one: LockWithRecords, began: number, stoodStillMs: number): Promise<void> {
    if (stoodStillMs < STANDS_STILL_MS || describeHeldLock(one, this.watching).isUnknown) return;
    const keeps = keepsConditions(one);
    if (keeps === false) return;
    const isLate = () => this.readClock() - began >= RELEASED_WITHIN_MS;
    if (isLate() || !(await claim(this.store, one, this.by))) return;
    // The claim may have been slow, and a store that overwrites objects may have given it to the run that has the lock as well.
    if (keeps === undefined && isLate()) return;
    // Another run's claim may have gone with the lock that it released.
    const isFirst = await this.store.hasLock(one.name);
    await release(this.store, one);
    if (isFirst) this.watching.onReleased({ lock: one.lock, stoodStillMs });
  }
}

/** Reads the locks, and releases those of processes that have certainly ended. @returns the others */
async function withoutEnded(
  store: LockStore,
  { onReleased }: Pick<Watching, "onReleased">,
): Promise<readonly LockWithRecords[]> {
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

function describeHeldLock({ lock, records }: LockWithRecords, { uniqueHostname }: Watching): Held {
  const isUnknown = records.length === 0 && !isOfEndedProcess(lock, uniqueHostname);
  return { lock, isUnknown, isRenewed: false };
}

/** Whether a lock names this machine and a process that does not run here. This process may have got its id in a container that was started again. */
function isOfEndedProcess({ hostname, pid }: Lock, uniqueHostname: string | undefined): boolean {
  if (uniqueHostname === undefined || hostname !== uniqueHostname || pid === undefined) return false;
  return pid === process.pid || pid === process.ppid || !isRunning(pid);
}

/** Whether a claim proves that nobody else has it; undefined as long as the run of the lock has not asked the store. */
function keepsConditions({ records }: LockWithRecords): boolean | undefined {
  const answers = records.map(([, record]) => record.keepsConditions);
  return answers.includes(false) ? false : answers.includes(undefined) ? undefined : true;
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
