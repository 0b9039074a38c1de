/**
 * Shares the hour's requests among processes of one user (spec: Limits). A file in a folder that all of them reach contains how
 * many requests nobody has taken yet. Each process leases some of them at a time, and returns what it has not used when it ends.
 */
import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Clock } from "./clock.js";
import { windowEnd, type RateHeaders } from "./rate-response.js";

export interface LedgerOptions {
  /** Folder of the ledgers, one file for each user and address. */
  readonly folder: string;
  /** Number of runs that divide the hour without seeing each other: this ledger gives out its share only. Default 1. */
  readonly shares?: number;
}

/** What the ledger gives out. */
export interface Lease {
  /** Number of requests; 0 when this window has none left. */
  readonly granted: number;
  /** End of the window: epoch seconds of the service, and milliseconds of this process. 0 when it is unknown. */
  readonly reset: number;
  readonly resetAt: number;
}

interface Ledger {
  version: 1;
  /** The window; absent until a response has named it. */
  window?: { reset: number; resetAt: number; left: number };
  /** Requests of this window that each process may still send. */
  leases: Record<string, number>;
  /** Processes that have sent a request to find out about the window. */
  probes: string[];
}

/** The most that one process takes at a time. A killed process loses so many until the window ends. */
const MOST_AT_ONCE = 32;
const LOCK = { stale: 10_000, retries: { retries: 200, factor: 1.2, minTimeout: 5, maxTimeout: 200 } };
/** Attempts to return a lease at the end of the process, which cannot wait long. */
const LAST_ATTEMPTS = 40;
/** Machines that share a folder have slightly different clocks. */
const SKEW_MS = 1000;

export class RequestLedger {
  readonly #holder = randomUUID();
  readonly #file: string;
  #leased = 0;
  /** The window of the lease. */
  #reset = 0;
  #latest: RateHeaders | undefined;
  /** Set while one request finds out about the window. */
  #probe: { readonly ended: Promise<void>; readonly end: () => void } | undefined;
  #broken = false;
  #returnsAtExit = false;

  /** @param key identifies user and address, without a secret */
  constructor(
    key: string,
    private readonly options: LedgerOptions,
    private readonly clock: Clock,
    private readonly onFailure: (message: string) => void,
  ) {
    const name = createHash("sha256").update(key).digest("hex").slice(0, 32);
    this.#file = join(options.folder, `requests-${name}.json`);
  }

  /** Takes a request of the lease. False when it is used up. */
  take(): boolean {
    if (this.#broken) return true;
    if (this.#leased === 0) return false;
    this.#leased--;
    return true;
  }

  /** Learns from a response; undefined when there was none. */
  learn(headers: RateHeaders | undefined): void {
    this.#latest = headers ?? this.#latest;
    // What was leased in an earlier window is gone with it.
    if (headers && this.#reset !== 0 && headers.reset > this.#reset) this.#leased = 0;
    this.#probe?.end();
    this.#probe = undefined;
  }

  /** Leases more requests. While the window is unknown, each process sends one at a time. */
  async lease(): Promise<Lease> {
    await this.#probe?.ended;
    try {
      const { default: lockfile } = await import("proper-lockfile");
      mkdirSync(this.options.folder, { recursive: true });
      const release = await lockfile.lock(this.#file, {
        ...LOCK,
        realpath: false,
        onCompromised: () => undefined,
      });
      if (!this.#returnsAtExit) process.on("exit", () => this.#return(lockfile.lockSync));
      this.#returnsAtExit = true;
      try {
        return this.#leaseFrom(this.#read());
      } finally {
        await release();
      }
    } catch (error) {
      this.#broken = true;
      this.onFailure(
        `The ledger of requests ${this.#file} cannot be used (${(error as Error).message}), so this run takes what the service reports as left.`,
      );
      return { granted: 1, reset: 0, resetAt: 0 };
    }
  }

  #leaseFrom(ledger: Ledger): Lease {
    this.#update(ledger);
    const { window, leases } = ledger;
    const unknown = window === undefined || window.resetAt + SKEW_MS <= this.clock.now();
    const others = Object.keys(leases).filter((holder) => holder !== this.#holder).length;
    const fair = Math.max(1, Math.min(MOST_AT_ONCE, Math.floor((window?.left ?? 0) / (2 * (others + 1)))));
    const granted = unknown ? 1 : Math.min(fair, window.left);
    this.#leased += granted;
    if (unknown) {
      this.#startProbe();
      ledger.probes.push(this.#holder);
    } else {
      window.left -= granted;
      leases[this.#holder] = this.#leased;
    }
    this.#reset = unknown ? 0 : window.reset;
    this.#write(ledger);
    return { granted, reset: window?.reset ?? 0, resetAt: (window?.resetAt ?? 0) + SKEW_MS };
  }

  /** Applies what the latest response said. */
  #update(ledger: Ledger): void {
    ledger.probes = ledger.probes.filter((holder) => holder !== this.#holder);
    if (this.#reset === ledger.window?.reset) ledger.leases[this.#holder] = this.#leased;
    if (this.#latest === undefined) return;
    const { reset, remaining, limit } = this.#latest;
    const known = ledger.window?.reset ?? 0;
    if (reset < known) return;
    if (reset > known) {
      const probing = ledger.probes.length;
      ledger.leases = {};
      ledger.probes = [];
      const resetAt = windowEnd(this.#latest, this.clock.now());
      // The request that was answered is part of the share.
      const share = Math.floor(limit / (this.options.shares ?? 1));
      ledger.window = { reset, resetAt, left: Math.max(0, Math.min(remaining, share - 1) - probing) };
    } else if (ledger.window && remaining < ledger.window.left) {
      // Somebody else has used requests of this user.
      const leased = Object.values(ledger.leases).reduce((all, one) => all + one, 0);
      ledger.window.left = Math.max(0, remaining - leased);
    }
  }

  #startProbe(): void {
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => (end = resolve));
    this.#probe = { ended, end };
  }

  #read(): Ledger {
    try {
      return JSON.parse(readFileSync(this.#file, "utf8")) as Ledger;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return { version: 1, leases: {}, probes: [] };
      throw error;
    }
  }

  /** Another process never reads half of it, even if this one is killed. */
  #write(ledger: Ledger): void {
    const next = `${this.#file}.${this.#holder}`;
    writeFileSync(next, JSON.stringify(ledger), { mode: 0o600 });
    renameSync(next, this.#file);
  }

  /** Gives back the lease when the process ends. */
  #return(lockSync: (file: string, options: object) => () => void): void {
    for (let attempt = 0; attempt < LAST_ATTEMPTS && !this.#broken; attempt++) {
      try {
        const release = lockSync(this.#file, { stale: LOCK.stale, realpath: false });
        const ledger = this.#read();
        this.#update(ledger);
        if (ledger.window && ledger.window.reset === this.#reset) ledger.window.left += this.#leased;
        delete ledger.leases[this.#holder];
        this.#write(ledger);
        release();
        return;
      } catch {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
      }
    }
  }
}
