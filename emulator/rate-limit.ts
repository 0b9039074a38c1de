import type { Clock } from "./clock.js";

interface Window {
  used: number;
  endsAt: number;
}

/** Values of the three rate limit headers (spec, "Limits"). */
export interface RateState {
  limit: number;
  remaining: number;
  /** End of the window in epoch seconds. */
  reset: number;
}

/** Limits the requests per user in a fixed window, which starts with the user's first request. */
export class RateLimiter {
  private readonly windows = new Map<number, Window>();

  constructor(
    private readonly clock: Clock,
    public limit: number,
    public windowSeconds: number,
  ) {}

  /** Counts one request. `allowed` is false when it exceeds the limit. */
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

  /** Returns the header values for a request without a caller, which is not counted. */
  anonymous(): RateState {
    return this.state({ used: 0, endsAt: this.clock.now() + this.windowSeconds * 1000 });
  }

  /** Sets the remaining requests of a user, to test how a client behaves near the limit. */
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
