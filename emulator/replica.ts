/** Copy of the data that sees writes late, for services whose reads lag behind their writes. */
import type { Settings } from "./settings.js";
import { copyStore, type Store } from "./store.js";
import type { Change } from "./table.js";

interface LateChange {
  readonly change: Change;
  /** Number of the read before the change, and real time of the change in milliseconds. */
  readonly read: number;
  readonly at: number;
}

type Lag = Pick<Settings, "lagRequests" | "lagMs">;

/** Data as reads see them. Follows the store while the settings ask for a lag. */
export class Replica {
  private copy: Store | undefined;
  private waiting: LateChange[] = [];
  private reads = 0;

  constructor(private readonly store: Store) {}

  /** Begins or ends to follow the store. Called before each request, because settings may change at any time. */
  follow({ lagRequests, lagMs }: Lag): void {
    const lags = lagRequests > 0 || lagMs > 0;
    if (lags === (this.copy !== undefined)) return;
    this.drop();
    if (!lags) return;
    this.copy = copyStore(this.store);
    this.store.onChange = (change) => this.record(change);
  }

  /** Forgets the copy. The next request makes another one. */
  drop(): void {
    this.store.onChange = undefined;
    this.copy = undefined;
    this.waiting = [];
  }

  /** Returns the service as the next read sees it. */
  read<S extends { readonly settings: Lag; readonly store: Store }>(service: S): S {
    if (this.copy === undefined) return service;
    this.reads += 1;
    const { lagRequests, lagMs } = service.settings;
    const isDue = ({ read, at }: LateChange) => this.reads - read > lagRequests && Date.now() - at >= lagMs;
    for (let next = this.waiting[0]; next !== undefined && isDue(next); next = this.waiting[0]) {
      this.copy.apply(next.change);
      this.waiting.shift();
    }
    return { ...service, store: this.copy };
  }

  private record({ table, row, removed }: Change): void {
    // Clones the row, because the store changes rows in place.
    const change = { table, row: structuredClone(row), removed };
    this.waiting.push({ change, read: this.reads, at: Date.now() });
  }
}
