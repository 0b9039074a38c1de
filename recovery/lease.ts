/**
 * The record that a run renews while it has the lock of a stack. Another run concludes from a record that stands still that its machine is lost, and
 * releases the lock. So a run that could not renew its record makes sure that it still has the lock before it sends another request.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { RecoveryError } from "./errors.js";
import type { Lock, LockRecord, LockStore } from "./lock-store.js";
import { findOwner, processHasEnded } from "./process-owner.js";

/** How often a record is renewed, and how long one must stand still until another run releases the lock. */
const RENEWED_EVERY_MS = 10_000;
export const STANDS_STILL_MS = 60_000;
/** For so long after a renewal, nobody can have released the lock. */
const VALID_MS = 40_000;
/** A run that releases the lock does so within this time after it has read the record for the last time. */
export const RELEASED_WITHIN_MS = 2_000;
/** Time for another run to release the lock, or for our own engine, which has just done so, to end. */
const SETTLED_MS = 2 * RELEASED_WITHIN_MS;

/** Longest time between the start of an engine and its lock. */
const STARTS_WITHIN_MS = 60_000;

/** The engine that has the lock. */
export interface Engine {
  readonly pid: number;
  /** Stops or continues the engine, which may write the state at any moment, or ends it because it has lost the lock. */
  readonly signal: (signal: "SIGSTOP" | "SIGCONT" | "SIGKILL") => void;
}

export class Lease {
  private readonly name = `${randomUUID()}.json`;
  private record: LockRecord;
  private renewedAt: Instant | undefined;
  /** Number of the claims of this run. */
  private claims = 0;
  private renewing: Promise<void> | undefined;
  private isLost = false;
  private readonly ended = new AbortController();
  private readonly timer: NodeJS.Timeout;

  /**
   * Begins to renew the record.
   * @param lock name of the lock. Without it, call this before the engine can take the lock
   * @param onOverwriting called once if the store creates objects that exist, so that no other run can release this lock
   */
  constructor(
    private readonly store: LockStore,
    private readonly engine: Engine,
    lock?: string,
    private readonly onOverwriting: () => void = () => undefined,
  ) {
    const { pid } = engine;
    const since = new Date().toISOString();
    this.record = { beat: 0, pid, hostname: hostname(), since, owner: findOwner(pid), lock };
    const renew = () => void this.renew().catch(() => undefined);
    this.timer = setInterval(renew, RENEWED_EVERY_MS);
    this.timer.unref();
    // At its end, a provider has too little time for the records of others: Pulumi kills it.
    void this.renew()
      .then(() => this.removeStale())
      .catch(() => undefined);
  }

  /** The message for the user, if another run has released the lock. */
  get lost(): RecoveryError | undefined {
    return this.isLost ? lockLost() : undefined;
  }

  /**
   * Makes sure that the engine still has the lock. Call it before each request.
   * @returns undefined when that is certain
   * @throws {RecoveryError} `lock-lost`, or `run-ended` after the end of the renewal
   */
  ensure(): Promise<void> | undefined {
    return this.record.lock !== undefined && this.isCertain ? undefined : this.ensureNow();
  }

  /** Whether nobody can have released the lock since the last renewal. Ask it after `ensure`, immediately before the request is sent. */
  get isCertain(): boolean {
    return !this.isLost && !this.ended.signal.aborted && isWithin(this.renewedAt, VALID_MS);
  }

  /** Ends the renewal. The record of a lock that stays, because its engine was killed, stays too. */
  async end(): Promise<void> {
    this.ended.abort();
    clearInterval(this.timer);
    await this.renewing?.catch(() => undefined);
    if (this.isLost || !(await this.stays())) await this.store.remove(this.name, this.claims);
  }

  /** Removes records that their runs could not remove: of locks that are gone, and of processes that have ended without one. */
  private async removeStale(): Promise<void> {
    const records = [...(await this.store.records())];
    const locks = records.length === 0 ? [] : [...(await this.store.locks())];
    for (const [name, record] of records) {
      const isNeeded = locks.some(([lockName, lock]) => belongsToLock(record, lock, lockName));
      if (!isNeeded && (record.lock !== undefined || processHasEnded(record.owner) === true))
        await this.store.remove(name, record.claims);
    }
  }

  private async stays(): Promise<boolean> {
    if (this.record.lock === undefined) {
      this.record = { ...this.record, lock: await this.findLock() };
      await this.store.write(this.name, this.record);
    }
    return this.record.lock !== undefined && (await this.store.hasLock(this.record.lock));
  }

  private async ensureNow(): Promise<void> {
    // That renewal may have begun before there was a lock.
    await this.renewing?.catch(() => undefined);
    // Of the requests that wait, the first one makes sure for all.
    if (this.record.lock !== undefined && this.isCertain) return;
    do await this.renew();
    while (this.isLate && !this.ended.signal.aborted);
    if (this.ended.signal.aborted) throw this.lost ?? runEnded();
  }

  /** Whether another run may have released the lock since the last renewal. */
  private get isLate(): boolean {
    return this.renewedAt !== undefined && !isWithin(this.renewedAt, VALID_MS);
  }

  private renew(): Promise<void> {
    if (this.ended.signal.aborted) return Promise.resolve();
    return (this.renewing ??= this.renewOnce().finally(() => (this.renewing = undefined)));
  }

  private async renewOnce(): Promise<void> {
    if (this.isLost) throw lockLost();
    const began = readClock();
    const { isLate } = this;
    if (isLate) await this.claim();
    const { beat, lock: known } = this.record;
    // The engine takes the lock after the first renewal.
    const lock = known ?? (beat === 0 ? undefined : await this.findLock());
    this.record = { ...this.record, beat: beat + 1, lock };
    await this.store.write(this.name, this.record);
    if (this.record.keepsConditions === undefined) await this.askStore();
    // A store that knows no condition lets two runs have one claim, and the other one may be about to release the lock.
    if (isLate) await this.settle();
    const isExpected = isLate || known !== undefined;
    if (isExpected && (lock === undefined || !(await this.store.hasLock(lock)))) await this.lose();
    // This renewal may have reached the store too late for the record before.
    if (isLate || !this.isLate) this.renewedAt = began;
    if (isLate) this.engine.signal("SIGCONT");
  }

  /** The next renewal tells others. */
  private async askStore(): Promise<void> {
    const keepsConditions = await this.store.keepsConditions(this.name, this.record);
    this.record = { ...this.record, keepsConditions };
    if (!keepsConditions) this.onOverwriting();
  }

  /** Stops the engine, and prevents that another run releases the lock. */
  private async claim(): Promise<void> {
    this.engine.signal("SIGSTOP");
    if (await this.store.claim(this.name, this.claims + 1, this.name)) this.claims += 1;
    else await this.lose();
  }

  private async findLock(): Promise<string | undefined> {
    return [...(await this.store.locks())].find(([, lock]) => belongsToLock(this.record, lock))?.[0];
  }

  /** Decides about a lock that is gone, or another run's: an engine that has just released it ends now. */
  private async lose(): Promise<void> {
    await this.settle();
    if (this.ended.signal.aborted) return;
    this.isLost = true;
    clearInterval(this.timer);
    this.engine.signal("SIGKILL");
    throw lockLost();
  }

  private settle(): Promise<void> {
    return pause(SETTLED_MS, this.ended.signal);
  }
}

/** Waits, until the signal at most. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
  });
}

/** Whether a record is about a lock: by its name, or else by what the process says of itself in both. */
export function belongsToLock(record: LockRecord, lock: Lock, name?: string): boolean {
  if (record.lock !== undefined) return record.lock === name;
  if (record.pid !== lock.pid || record.hostname !== lock.hostname) return false;
  // Both times are of one machine's clock. The record of a killed run must not match the lock of a later process of the same number.
  const startedMs = Date.parse(lock.timestamp ?? "") - Date.parse(record.since);
  return startedMs >= 0 && startedMs < STARTS_WITHIN_MS;
}

function runEnded(): RecoveryError {
  return new RecoveryError(
    "run-ended",
    "Pulumi has ended before this run was complete; nothing more is sent",
    "run the command again, which continues where this one stopped",
  );
}

function lockLost(): RecoveryError {
  return new RecoveryError(
    "lock-lost",
    "this run has lost its lock of the stack: somebody released it, or another run did because it was not renewed for a minute; nothing more is sent",
    "run the command again, which continues where this one stopped",
  );
}

/** A moment by both clocks: the first one stands still while the machine sleeps, the second one may be set. */
interface Instant {
  readonly monotonic: number;
  readonly wall: number;
}

function readClock(): Instant {
  return { monotonic: performance.now(), wall: Date.now() };
}

function isWithin(instant: Instant | undefined, ms: number): boolean {
  if (instant === undefined) return false;
  const { monotonic, wall } = readClock();
  return Math.max(monotonic - instant.monotonic, wall - instant.wall) < ms;
}
