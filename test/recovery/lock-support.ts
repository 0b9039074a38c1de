/** Locks and records in memory. */
import type { ClaimedRecord, Lock, LockRecord, LockStore } from "../../recovery/lock-store.js";

export class MemoryLocks implements LockStore {
  readonly lockMap = new Map<string, Lock>();
  readonly recordMap = new Map<string, LockRecord>();
  /** Who got each claim, in their order. */
  readonly claimMap = new Map<string, string[]>();
  /** The store does not respond. */
  isAway = false;
  /** The store creates objects that exist. */
  overwrites = false;

  async locks(): Promise<ReadonlyMap<string, Lock>> {
    await this.respond();
    return new Map(this.lockMap);
  }

  async hasLock(name: string): Promise<boolean> {
    await this.respond();
    return this.lockMap.has(name);
  }

  async removeLock(name: string): Promise<void> {
    await this.respond();
    this.lockMap.delete(name);
  }

  async records(): Promise<ReadonlyMap<string, ClaimedRecord>> {
    await this.respond();
    const claims = (name: string) => this.claimMap.get(name)?.length ?? 0;
    return new Map([...this.recordMap].map(([name, one]) => [name, { ...one, claims: claims(name) }]));
  }

  async write(name: string, record: LockRecord): Promise<void> {
    await this.respond();
    this.recordMap.set(name, record);
  }

  async keepsConditions(): Promise<boolean> {
    await this.respond();
    return !this.overwrites;
  }

  async claim(name: string, number: number, by: string): Promise<boolean> {
    await this.respond();
    const claims = this.claimMap.get(name) ?? [];
    this.claimMap.set(name, claims);
    if (this.overwrites) claims[number - 1] = by;
    claims[number - 1] ??= by;
    return claims[number - 1] === by;
  }

  async remove(name: string): Promise<void> {
    await this.respond();
    this.recordMap.delete(name);
    this.claimMap.delete(name);
  }

  private respond(): Promise<void> {
    return this.isAway ? Promise.reject(new Error("the store does not respond")) : Promise.resolve();
  }
}
