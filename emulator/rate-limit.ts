import type { Clock } from "./clock.js";

interface Window {
  used: number;
  endsAt: number;
}

/** What the three headers say (spec, "Limits"). */
export interface RateState {
  limit: number;
  remaining: number;
  /** Epoch seconds at which the window ends. */
  reset: number;
}

/** Requests per user in a fixed window that begins with the user's first request in it. */
export class RateLimiter {
  private readonly windows = new Map<number, Window>();

  constructor(
    private readonly clock: Clock,
    public limit: number,
    public windowSeconds: number,
  ) {}

  /** Count one request. `allowed` is false when it goes beyond the limit. */
  take(userId: number): { allowed: boolean; state: RateState } {
    const now = this.clock.now();
    let window = this.windows.get(userId);
    if (window === undefined || window.endsAt <= now) {
      window = { used: 0, endsAt: now + this.windowSeconds * 1000 };
      this.windows.set(userId, window);
    }
    const allowed = window.used < this.limit;
    if (allowed) window.used += 1;
    return { allowed, state: this.state(window) };
  }

  /** The headers of an answer to nobody in particular: nothing is counted. */
  anonymous(): RateState {
    return this.state({ used: 0, endsAt: this.clock.now() + this.windowSeconds * 1000 });
  }

  /** Set how much a user has left, for tests of a client's behavior near the limit. */
  setRemaining(userId: number, remaining: number): void {
    const { endsAt } = this.windows.get(userId) ?? { endsAt: this.clock.now() + this.windowSeconds * 1000 };
    this.windows.set(userId, { used: Math.max(0, this.limit - remaining), endsAt });
  }

  clear(): void {
    this.windows.clear();
  }

  private state(window: Window): RateState {
    return {
      limit: this.limit,
      remaining: Math.max(0, this.limit - window.used),
      reset: Math.ceil(window.endsAt / 1000),
    };
  }
}
