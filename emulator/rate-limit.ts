/** Rate limit per user. */
import type { Clock } from "./clock.js";

interface Window {
  used: number;
  endsAt: number;
}

/** Values of the three rate limit headers (spec, "Limits"), and whether the request is within the limit. */
interface RateState {
  allowed: boolean;
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

  /** Counts one request. */
  take(userId: number): RateState {
    let window = this.windows.get(userId);
    if (window === undefined || window.endsAt <= this.clock.now()) {
      window = this.newWindow();
      this.windows.set(userId, window);
    }
    const allowed = window.used < this.limit;
    if (allowed) window.used += 1;
    return this.state(window, allowed);
  }

  /** Returns the header values for a request without a caller, which is not counted. */
  anonymous(): RateState {
    return this.state(this.newWindow(), true);
  }

  /** Sets the remaining requests of a user, to test how a client behaves near the limit. */
  setRemaining(userId: number, remaining: number): void {
    const { endsAt } = this.windows.get(userId) ?? this.newWindow();
    this.windows.set(userId, { used: Math.max(0, this.limit - remaining), endsAt });
  }

  clear(): void {
    this.windows.clear();
  }

  private newWindow(): Window {
    return { used: 0, endsAt: this.clock.now() + this.windowSeconds * 1000 };
  }

  private state(window: Window, allowed: boolean): RateState {
    return {
      allowed,
      limit: this.limit,
      remaining: Math.max(0, this.limit - window.used),
      reset: Math.ceil(window.endsAt / 1000),
    };
  }
}
