/**
 * Clock of the emulator. It shows real time by default and can be moved, so that a test can step through a schedule
 * of days. All dates, token expiry, rate windows and timers follow it.
 */
export interface Timer {
  cancel(): void;
}

interface Pending {
  at: number;
  run: () => void | Promise<void>;
}

// Maximum delay of setTimeout. Longer delays are split.
const maxTimeout = 2 ** 31 - 1;

export class Clock {
  private offset = 0;
  private frozenAt: number | undefined;
  /** In the order of their creation, which decides between those of the same time. */
  private readonly pending = new Set<Pending>();
  private wake: NodeJS.Timeout | undefined;

  /**
   * @param options.start Initial time (default now).
   * @param options.frozen Whether only `advance` moves the clock.
   */
  constructor(options: { start?: Date | number; frozen?: boolean } = {}) {
    const real = Date.now();
    const start = options.start === undefined ? real : new Date(options.start).getTime();
    this.offset = start - real;
    if (options.frozen === true) this.frozenAt = start;
  }

  /** Returns the emulator's time in milliseconds since the epoch. */
  now(): number {
    return this.frozenAt ?? Date.now() + this.offset;
  }

  get frozen(): boolean {
    return this.frozenAt !== undefined;
  }

  /** Freezes the clock, or lets it continue from its current time. */
  freeze(frozen: boolean): void {
    const now = this.now();
    this.frozenAt = frozen ? now : undefined;
    this.offset = now - Date.now();
    this.arm();
  }

  /** Schedules `run` for a moment of the emulator's time. `run` must handle its own errors. */
  at(at: number, run: () => void | Promise<void>): Timer {
    const entry: Pending = { at, run };
    this.pending.add(entry);
    this.arm();
    return { cancel: () => void this.pending.delete(entry) };
  }

  /** Moves the clock forward and runs the timers that become due, in order. */
  async advance(milliseconds: number): Promise<void> {
    const target = this.now() + Math.max(0, milliseconds);
    for (let next = this.next(); next !== undefined && next.at <= target; next = this.next()) {
      this.moveTo(Math.max(next.at, this.now()));
      this.pending.delete(next);
      await next.run();
    }
    this.moveTo(target);
    this.arm();
  }

  /** Cancels all timers. */
  stop(): void {
    this.pending.clear();
    clearTimeout(this.wake);
  }

  private moveTo(time: number): void {
    if (this.frozenAt !== undefined) this.frozenAt = time;
    else this.offset = time - Date.now();
  }

  private next(): Pending | undefined {
    let first: Pending | undefined;
    for (const entry of this.pending) {
      if (first === undefined || entry.at < first.at) first = entry;
    }
    return first;
  }

  private arm(): void {
    clearTimeout(this.wake);
    const next = this.next();
    if (next === undefined || this.frozenAt !== undefined) return;
    const wait = Math.min(Math.max(0, next.at - this.now()), maxTimeout);
    this.wake = setTimeout(() => void this.runDue(), wait);
    // A waiting schedule must not keep the process alive.
    this.wake.unref();
  }

  private async runDue(): Promise<void> {
    for (let next = this.next(); next !== undefined && next.at <= this.now(); next = this.next()) {
      this.pending.delete(next);
      await next.run();
    }
    this.arm();
  }
}

const texts = new Map<number, string>();

/** Formats a date as the service does: `yyyy-MM-dd'T'HH:mm:ssZ` in UTC, with whole seconds. */
export function formatDate(milliseconds: number): string {
  // Caches by second: the request log and lists of objects that were created together repeat the same seconds.
  const second = Math.floor(milliseconds / 1000);
  const known = texts.get(second);
  if (known !== undefined) return known;
  const text = `${new Date(second * 1000).toISOString().slice(0, 19)}Z`;
  if (texts.size > 1000) texts.clear();
  texts.set(second, text);
  return text;
}
