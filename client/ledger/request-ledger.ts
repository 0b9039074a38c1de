/**
 * Shares the hour's requests among processes of one user (spec: Limits). A ledger that all of them reach contains how many requests
 * nobody has taken yet. Each process leases some of them at a time, and returns what it has not used when it ends.
 */
import { createHash, randomUUID } from "node:crypto";
import type { Clock } from "../clock.js";
import { windowEnd, type RateHeaders } from "../rate-response.js";
import type { Ledger, LedgerOptions, LedgerStore } from "./ledger.js";
import { returnBeforeEnd } from "./returns.js";
import { openStore } from "./stores.js";

/** What the ledger gives out. */
export interface Lease {
  /** Number of requests; 0 when this window has none left. */
  readonly granted: number;
  /** End of the window: epoch seconds of the service, and milliseconds of this process. 0 when it is unknown. */
  readonly reset: number;
  readonly resetAt: number;
}

/** The most that one process leases at a time. A killed process loses so many until the window ends. */
const MOST_AT_ONCE = 32;
/** Machines that share a ledger have slightly different clocks. */
const SKEW_MS = 1000;
const UNLIMITED: Lease = { granted: 1, reset: 0, resetAt: 0 };

export class RequestLedger {
  readonly #name: string;
  #store: LedgerStore | undefined;
  readonly #shares: number;
  /** The current lease: its id, what is left of it, and its window. */
  #id = "";
  #leased = 0;
  #reset = 0;
  /** Requests of earlier leases that the ledger may not have got back yet, by id. */
  readonly #unused = new Map<string, number>();
  #latest: RateHeaders | undefined;
  /** Set while one request finds out about the window. */
  #probe: { readonly ended: Promise<void>; readonly end: () => void } | undefined;
  #broken = false;

  /** @param key identifies user and address, without a secret */
  constructor(
    key: string,
    private readonly options: LedgerOptions,
    private readonly clock: Clock,
    private readonly onFailure: (message: string) => void,
  ) {
    this.#shares = options.shares ?? 1;
    this.#name = `requests-${createHash("sha256").update(key).digest("hex").slice(0, 32)}.json`;
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
    const [previous, id] = [this.#id, randomUUID()];
    try {
      this.#store ??= await openStore(this.options, this.#name);
      returnBeforeEnd(this);
      const lease = await this.#store.change((ledger) => this.#leaseFrom(ledger, previous, id));
      this.#id = id;
      // The window ended while the ledger was changed.
      if (lease.reset !== 0 && (this.#latest?.reset ?? 0) > lease.reset) return await this.lease();
      this.#leased = lease.granted;
      this.#reset = lease.isProbe ? 0 : lease.reset;
      if (lease.isProbe) this.#startProbe();
      return lease;
    } catch (error) {
      this.#broken = true;
      const where = this.#store === undefined ? "" : ` ${this.#store.name}`;
      const why = (error as Error).message;
      this.onFailure(
        `The ledger of requests${where} cannot be used (${why}), so this run takes what the service reports as left.`,
      );
      return UNLIMITED;
    }
  }

  /** Gives back what this process has not used, so that others can lease it. */
  async return(): Promise<void> {
    this.#endLease();
    const ids = [...this.#unused.keys()];
    if (ids.length === 0 || this.#broken) return;
    try {
      await this.#store?.change((ledger) => this.#giveBack(ledger));
      for (const id of ids) this.#unused.delete(id);
    } catch {
      // The requests are lost until the window ends, which exceeds no limit.
    }
  }

  /** Does the same when the process exits, if the store can. */
  returnAtExit(): void {
    this.#endLease();
    if (this.#broken || this.#unused.size === 0) return;
    this.#store?.changeAtExit?.((ledger) => this.#giveBack(ledger));
  }

  /** The result is the same when an earlier attempt has already changed the ledger. */
  #leaseFrom(ledger: Ledger, previous: string, id: string): Lease & { readonly isProbe: boolean } {
    const isRepeated = id in ledger.leases || ledger.probes.includes(id);
    if (!isRepeated) {
      ledger.probes = ledger.probes.filter((probe) => probe !== previous);
      this.#update(ledger);
      // Until here, it counts: the latest response may not know of its requests.
      delete ledger.leases[previous];
      this.#grant(ledger, id);
    }
    const { window, leases } = ledger;
    const isProbe = ledger.probes.includes(id);
    return {
      granted: isProbe ? 1 : (leases[id] ?? 0),
      reset: window?.reset ?? 0,
      resetAt: (window?.resetAt ?? 0) + SKEW_MS,
      isProbe,
    };
  }

  #grant({ window, leases, probes }: Ledger, id: string): void {
    if (window === undefined || window.resetAt + SKEW_MS <= this.clock.now()) {
      probes.push(id);
    } else if (window.left > 0) {
      const fair = Math.floor(window.left / (2 * (Object.keys(leases).length + 1)));
      leases[id] = Math.max(1, Math.min(MOST_AT_ONCE, fair));
      window.left -= leases[id];
    }
  }

  #giveBack(ledger: Ledger): void {
    this.#update(ledger);
    for (const [id, unused] of this.#unused) {
      // A lease that is not there belongs to an earlier window, or has been given back before.
      if (ledger.window && id in ledger.leases) ledger.window.left += unused;
      delete ledger.leases[id];
    }
  }

  /** Applies what the latest response said. */
  #update(ledger: Ledger): void {
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

  #endLease(): void {
    if (this.#id !== "") this.#unused.set(this.#id, this.#leased);
    [this.#id, this.#leased, this.#reset] = ["", 0, 0];
  }
}
