/** Limits requests to what the service allows in an hour. */
import { type Clock, joinSignals } from "./clock.js";
import { ServiceError } from "./errors.js";
import { computeWindowEnd, type RateHeaders } from "./rate-response.js";

export interface RateLimitState {
  limit: number | undefined;
  remaining: number | undefined;
  resetAt: Date | undefined;
}

export interface RateLimitWait {
  type: "rate-limit-wait";
  resetAt: Date;
  remainingMs: number;
  /** Number of waiting requests. */
  waiting: number;
  /** The service asked for a pause, although the hour's requests are not used up. */
  asked?: true;
  /** Milliseconds of such pauses after which a request fails. */
  mostMs?: number;
}

/** A request that asks for admission. */
export interface Admission {
  method: string;
  path: string;
  maxWaitMs: number;
  maxConcurrency: number;
  onProgress?: ((event: RateLimitWait) => void) | undefined;
  signal?: AbortSignal | undefined;
  /** Ends the wait, too, but not a request that was admitted. */
  hurry?: AbortSignal | undefined;
  /** The service has refused the request before, so it moves to the head of the queue. */
  again?: boolean;
}

interface Waiter extends Admission {
  start: () => void;
  fail: (error: Error) => void;
}

const SLOW_BELOW = 0.05;
const TICK_MS = 1000;
const MAX_BLIND_WAIT_MS = 60_000;

/**
 * Admits the requests of one user at one address: at most the maximum concurrency, fewer when little is left of the
 * window, none when nothing is left. What is left is the lowest number that the service reported in this window minus
 * the requests in flight, so this process alone never exceeds the limit. Of several processes, each takes its share of what is left.
 */
export class RateLimiter {
  readonly #clock: Clock;
  readonly #queue: Waiter[] = [];
  #inFlight = 0;
  #limit: number | undefined;
  /** Lowest remaining number of this window; undefined when the window is unknown. */
  #lowest: number | undefined;
  /** The end of the window, by the service's clock and by ours. */
  #reset = 0;
  #resetAt = 0;
  /** Refused although the window should have ended: since when, and the next wait. */
  #blindSince: number | undefined;
  #blindWaitMs = TICK_MS;
  /** The end of the pause that the service asked for, and the next pause when it names no time. */
  #pausedUntil = 0;
  #pauseReason = "";
  #unsaidPauseMs = TICK_MS;
  #counting = false;
  readonly #shares: number;

  constructor(clock: Clock, shares: number = 1) {
    this.#clock = clock;
    this.#shares = shares;
  }

  get state(): RateLimitState {
    const known = this.#lowest !== undefined;
    return {
      limit: this.#limit,
      remaining: known ? Math.max(0, this.#left()) : undefined,
      resetAt: known ? new Date(this.#resetAt) : undefined,
    };
  }

  /** Resolves when the request may be sent; each admission is followed by exactly one `release`. */
  admit(admission: Admission): Promise<void> | undefined {
    if (this.#queue.length === 0 && this.#mayStart(admission)) {
      this.#inFlight++;
      return undefined;
    }
    return new Promise((resolve, reject) => {
      const signal = joinSignals(admission.signal, admission.hurry);
      const abort = () => {
        this.#queue.splice(this.#queue.indexOf(waiter), 1);
        reject(signal?.reason as Error);
        this.#pump();
      };
      const done = (finish: () => void) => () => {
        signal?.removeEventListener("abort", abort);
        finish();
      };
      const waiter: Waiter = {
        ...admission,
        start: done(resolve),
        fail: (error) => done(() => reject(error))(),
      };
      if (signal?.aborted) return void reject(signal.reason as Error);
      signal?.addEventListener("abort", abort, { once: true });
      if (admission.again) this.#queue.unshift(waiter);
      else this.#queue.push(waiter);
      this.#pump();
    });
  }

  /** Ends a request. `refused`: the service reported that the limit is exceeded. */
  release(headers: RateHeaders | undefined, refused = false): void {
    this.#inFlight--;
    // A refusal in an earlier window says nothing about this one.
    const outdated = headers !== undefined && headers.reset < this.#reset;
    if (headers && !outdated) this.#learn(headers);
    if (refused && !outdated) this.#refused();
    this.#pump();
  }

  /**
   * The service asked for a pause, perhaps of this length. What is left of the hour stays as it is.
   * @param reason what its response says, for the requests that fail because of it
   */
  pause(ms: number | undefined, reason: string): void {
    const now = this.#clock.now();
    this.#pauseReason = reason;
    // Responses at the same time ask for one pause.
    if (ms === undefined && now < this.#pausedUntil) return;
    this.#pausedUntil = Math.max(this.#pausedUntil, now + (ms ?? this.#unsaidPauseMs));
    if (ms === undefined) this.#unsaidPauseMs = Math.min(MAX_BLIND_WAIT_MS, this.#unsaidPauseMs * 2);
  }

  /** The service responded as usual. */
  unpaused(): void {
    if (this.#clock.now() >= this.#pausedUntil) this.#unsaidPauseMs = TICK_MS;
  }

  #learn(headers: RateHeaders): void {
    const { limit, remaining, reset } = headers;
    if (reset > this.#reset) {
      this.#reset = reset;
      this.#resetAt = computeWindowEnd(headers, this.#clock.now());
      this.#lowest = remaining;
    } else {
      const letThroughAgain = this.#blindSince !== undefined && remaining > 0;
      this.#lowest = letThroughAgain ? remaining : Math.min(this.#lowest ?? remaining, remaining);
    }
    if (!Number.isNaN(limit)) this.#limit = limit;
    if (remaining > 0) {
      this.#blindSince = undefined;
      this.#blindWaitMs = TICK_MS;
    }
  }

  #refused(): void {
    const now = this.#clock.now();
    this.#lowest = 0;
    if (this.#resetAt > now) return;
    this.#blindSince ??= now;
    this.#resetAt = now + this.#blindWaitMs;
    this.#blindWaitMs = Math.min(MAX_BLIND_WAIT_MS, this.#blindWaitMs * 2);
  }

  #left(): number {
    return this.#lowest === undefined ? Infinity : this.#share(this.#lowest) - this.#inFlight;
  }

  /** The others take as much. Half is for what they have sent since the latest response. */
  #share(remaining: number): number {
    return this.#shares === 1 ? remaining : Math.floor(remaining / (2 * this.#shares));
  }

  #mayStart({ maxConcurrency }: Admission): boolean {
    if (this.#clock.now() < this.#pausedUntil) return false;
    // Others may have used up the requests of the hour, so one request asks what is left.
    if (this.#lowest === undefined) return this.#inFlight < (this.#shares === 1 ? maxConcurrency : 1);
    if (this.#clock.now() >= this.#resetAt) {
      // The window has ended. If nothing was left, one request checks the next window; otherwise all are admitted.
      if (this.#lowest > 0) this.#lowest = undefined;
      return this.#inFlight < (this.#lowest === 0 ? 1 : maxConcurrency);
    }
    const slowBelow = (this.#limit ?? 0) * SLOW_BELOW;
    const allowed =
      this.#lowest >= slowBelow ? maxConcurrency : Math.ceil((maxConcurrency * this.#lowest) / slowBelow);
    return this.#inFlight < allowed && this.#left() >= 1;
  }

  #pump(): void {
    for (let next = this.#queue[0]; next && this.#mayStart(next); next = this.#queue[0]) {
      this.#queue.shift();
      this.#inFlight++;
      next.start();
    }
    if (this.#queue.length === 0 || !this.#closed()) return;
    this.#failImpatient();
    if (!this.#counting && this.#queue.length > 0) void this.#countDown();
  }

  #exhausted(): boolean {
    return this.#lowest !== undefined && this.#share(this.#lowest) <= 0 && this.#clock.now() < this.#resetAt;
  }

  #closed(): boolean {
    return this.#exhausted() || this.#clock.now() < this.#pausedUntil;
  }

  /** When the next request may be sent, and whether that is because the service asked for a pause. */
  #opening(): { at: number; asked: boolean } {
    const reset = this.#exhausted() ? this.#resetAt : 0;
    return { at: Math.max(reset, this.#pausedUntil), asked: this.#pausedUntil > reset };
  }

  #failImpatient(): void {
    const { at, asked } = this.#opening();
    const waitMs = at - ((asked ? undefined : this.#blindSince) ?? this.#clock.now());
    for (const waiter of [...this.#queue]) {
      if (waitMs <= waiter.maxWaitMs) continue;
      this.#queue.splice(this.#queue.indexOf(waiter), 1);
      waiter.fail(createRateLimitError(waiter, new Date(at), asked ? this.#pauseReason : undefined));
    }
  }

  async #countDown(): Promise<void> {
    this.#counting = true;
    try {
      while (this.#queue.length > 0 && this.#closed()) {
        const { at, asked } = this.#opening();
        const remainingMs = at - this.#clock.now();
        const event: RateLimitWait = {
          type: "rate-limit-wait",
          resetAt: new Date(at),
          remainingMs,
          waiting: this.#queue.length,
          ...(asked ? { asked, mostMs: Math.max(...this.#queue.map((one) => one.maxWaitMs)) } : {}),
        };
        for (const listener of new Set(this.#queue.map((w) => w.onProgress))) listener?.(event);
        await this.#clock.sleep(Math.min(TICK_MS, remainingMs));
      }
    } catch (error) {
      // A listener threw: the waiting requests fail, since nothing else can report it.
      for (const waiter of this.#queue.splice(0)) waiter.fail(error as Error);
    } finally {
      this.#counting = false;
    }
    this.#pump();
  }
}

/** @param pause what the response that asks for a pause says; undefined at the end of the hour's requests */
function createRateLimitError({ method, path }: Admission, resetAt: Date, pause?: string): ServiceError {
  const when = resetAt.toISOString();
  const why =
    pause === undefined ? "the user's hourly rate limit is reached" : "the service asks for a pause";
  return new ServiceError({
    code: "rate-limited",
    method,
    path,
    resetAt,
    what: `not sent, because ${why} until ${when}${pause ?? ""}`,
    remedy: `Run it again after ${when}, or wait for it: --wait, or WORKSPACE_AUTOMATION_RATE_LIMIT_WAIT (seconds) where a command has no such option; rateLimit.maxWaitMs in code.`,
  });
}

const limiters = new Map<string, RateLimiter>();

/** The limiter of this process for a user at an address. @param shares processes that use the requests of the user */
export function createSharedRateLimiter(key: string, clock: Clock, shares: number): RateLimiter {
  let limiter = limiters.get(key);
  if (!limiter) limiters.set(key, (limiter = new RateLimiter(clock, shares)));
  return limiter;
}
