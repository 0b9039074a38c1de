/** A ledger in a file. A lock beside it lets one process at a time change it. */
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { randomUUID } from "node:crypto";
import { join } from "node:path";
import type lockfile from "proper-lockfile";
import { emptyLedger, type Ledger, type LedgerStore } from "./ledger.js";

const LOCK = { stale: 10_000, retries: { retries: 200, factor: 1.2, minTimeout: 5, maxTimeout: 200 } };
/** Attempts at the end of the process, which cannot wait long. */
const LAST_ATTEMPTS = 40;

export class FileStore implements LedgerStore {
  readonly name: string;
  #lockSync: typeof lockfile.lockSync | undefined;

  constructor(
    private readonly folder: string,
    file: string,
  ) {
    this.name = join(folder, file);
  }

  async change<T>(change: (ledger: Ledger) => T): Promise<T> {
    const { default: locks } = await import("proper-lockfile");
    this.#lockSync = locks.lockSync;
    mkdirSync(this.folder, { recursive: true });
    const options = { ...LOCK, realpath: false, onCompromised: () => undefined };
    const release = await locks.lock(this.name, options);
    try {
      return this.#changeLocked(change);
    } finally {
      await release();
    }
  }

  changeAtExit(change: (ledger: Ledger) => void): void {
    for (let attempt = 0; attempt < LAST_ATTEMPTS; attempt++) {
      try {
        const release = this.#lockSync?.(this.name, { stale: LOCK.stale, realpath: false });
        this.#changeLocked(change);
        release?.();
        return;
      } catch {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
  }

  #changeLocked<T>(change: (ledger: Ledger) => T): T {
    const ledger = this.#read();
    const result = change(ledger);
    // Another process never reads half of it, even if this one is killed.
    const next = `${this.name}.${randomUUID()}`;
    writeFileSync(next, JSON.stringify(ledger), { mode: 0o600 });
    renameSync(next, this.name);
    return result;
  }

  #read(): Ledger {
    try {
      return JSON.parse(readFileSync(this.name, "utf8")) as Ledger;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return emptyLedger();
      throw error;
    }
  }
}
