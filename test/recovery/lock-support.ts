/** Locks and records in memory. */
import type { Lock, LockRecord, LockStore } from "../../recovery/lock-store.js";

export class MemoryLocks implements LockStore {
  readonly lockMap = new Map<string, Lock>();
  readonly recordMap = new Map<string, LockRecord>();
  /** The store does not respond. */
  isAway = false;

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

  async records(): Promise<ReadonlyMap<string, LockRecord>> {
    await this.respond();
    return new Map(this.recordMap);
  }

  async write(name: string, record: LockRecord): Promise<void> {
    await this.respond();
    this.recordMap.set(name, record);
  }

  async remove(name: string): Promise<void> {
    await this.respond();
    this.recordMap.delete(name);
  }

  private respond(): Promise<void> {
    return this.isAway ? Promise.reject(new Error("the store does not respond")) : Promise.resolve();
  }
}
