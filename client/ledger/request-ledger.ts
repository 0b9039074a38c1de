/**
 * Shares the hour's requests among processes of one user (spec: Limits). A ledger that all of them reach contains how many requests
 * nobody has taken yet. Each process leases some of them at a time, and returns what it has not used when it ends.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Clock } from "../clock.js";
import { windowEnd, type RateHeaders } from "../rate-response.js";
import { BucketStore } from "./bucket-store.js";
import { FileStore } from "./file-store.js";
import type { Ledger, LedgerOptions, LedgerStore } from "./ledger.js";

/** What the ledger gives out. */
export interface Lease {
  /** Number of requests; 0 when this window has none left. */
  readonly granted: number;
  /** End of the window: epoch seconds of the service, and milliseconds of this process. 0 when it is unknown. */
  readonly reset: number;
  readonly resetAt: number;
}

/** Machines that share a ledger have slightly different clocks. */
const SKEW_MS = 1000;

export class RequestLedger {
  readonly #holder = randomUUID();
  readonly #store: LedgerStore | undefined;
  readonly #shares: number;
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
    options: LedgerOptions,
    private readonly clock: Clock,
    private readonly onFailure: (message: string) => void,
  ) {
    this.#shares = options.shares ?? 1;
    const file = `requests-${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`;
    try {
      this.#store =
        "folder" in options
          ? new FileStore(options.folder, file)
          : new BucketStore(options.bucket, file, options.credentials);
    } catch (error) {
      this.#fail(error as Error);
    }
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
    if (this.#store === undefined) return UNLIMITED;
    try {
      const lease = await this.#store.change((ledger) => this.#leaseFrom(ledger));
      this.#returnAtExit();
      // The window ended while the store was changed.
      if (lease.reset !== 0 && (this.#latest?.reset ?? 0) > lease.reset) return await this.lease();
      this.#leased += lease.granted;
      this.#reset = lease.isProbe ? 0 : lease.reset;
      if (lease.isProbe) this.#startProbe();
      return lease;
    } catch (error) {
      this.#fail(error as Error);
      return UNLIMITED;
    }
  }

  /** Gives back what this process has not used, so that others can lease it. */
  async return(): Promise<void> {
    const change = this.#returning();
    if (change) await this.#store?.change(change).catch(() => undefined);
  }

  #leaseFrom(ledger: Ledger): Lease & { readonly isProbe: boolean } {
    this.#update(ledger);
    const { window, leases } = ledger;
    const isProbe = window === undefined || window.resetAt + SKEW_MS <= this.clock.now();
    const others = Object.keys(leases).filter((holder) => holder !== this.#holder).length;
    const fair = Math.floor((window?.left ?? 0) / (2 * (others + 1)));
    const most = Math.max(1, Math.min(this.#store?.mostAtOnce ?? 1, fair));
    const granted = isProbe ? 1 : Math.min(most, window.left);
    if (isProbe) ledger.probes.push(this.#holder);
    else {
      window.left -= granted;
      leases[this.#holder] = this.#leased + granted;
    }
    return { granted, reset: window?.reset ?? 0, resetAt: (window?.resetAt ?? 0) + SKEW_MS, isProbe };
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
      const share = Math.floor(limit / this.#shares);
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

  /** Returns how to give back the lease; undefined when there is nothing to give back. */
  #returning(): ((ledger: Ledger) => void) | undefined {
    const [leased, reset] = [this.#leased, this.#reset];
    if (this.#broken || reset === 0) return;
    [this.#leased, this.#reset] = [0, 0];
    return (ledger) => {
      this.#update(ledger);
      if (ledger.window?.reset === reset) ledger.window.left += leased;
      delete ledger.leases[this.#holder];
    };
  }

  #returnAtExit(): void {
    if (this.#returnsAtExit) return;
    this.#returnsAtExit = true;
    process.on("exit", () => {
      const change = this.#returning();
      if (change) this.#store?.changeAtExit?.(change);
    });
  }

  #fail({ message }: Error): void {
    this.#broken = true;
    const where = this.#store === undefined ? "" : ` ${this.#store.name}`;
    this.onFailure(
      `The ledger of requests${where} cannot be used (${message}), so this run takes what the service reports as left.`,
    );
  }
}

const UNLIMITED: Lease = { granted: 1, reset: 0, resetAt: 0 };
