/** Tests client/rate-limit.ts. */
import nock from "nock";
import { beforeEach, describe, expect, it } from "vitest";
import type { RateLimitWait } from "../../client/index.js";
import { type Admission, RateLimiter } from "../../client/rate-limit.js";
import type { RateHeaders } from "../../client/rate-response.js";
import { failure, FakeClock, host, mockedClient, says, useNock } from "./helpers.js";

const MINUTE = 60_000;

describe("the rate limiter", () => {
  let clock: FakeClock;
  let limiter: RateLimiter;
  const request: Admission = { method: "GET", path: "/user", maxWaitMs: 60 * MINUTE, maxConcurrency: 16 };

  beforeEach(() => {
    clock = new FakeClock();
    limiter = new RateLimiter(clock);
  });

  /** Returns rate limit headers for a window that ends after this number of seconds. */
  const told = (remaining: number, endsInS = 600, more: Partial<RateHeaders> = {}): RateHeaders => ({
    limit: 1000,
    remaining,
    reset: Math.floor(clock.now() / 1000) + endsInS,
    date: new Date(clock.now()).toUTCString(),
    ...more,
  });

  /** Completes one request, whose headers the limiter uses. */
  async function learn(headers: RateHeaders, refused = false): Promise<void> {
    await limiter.admit(request);
    limiter.release(headers, refused);
  }

  /** Returns how many of these requests are admitted at once. */
  async function letThrough(requests: number, admission = request): Promise<number> {
    let passed = 0;
    for (let i = 0; i < requests; i++) {
      const wait = limiter.admit(admission);
      if (wait) wait.then(() => passed++).catch(() => {});
      else passed++;
    }
    await Promise.resolve();
    return passed;
  }

  it("admits no more concurrent requests than the maximum", async () => {
    expect(await letThrough(40, { ...request, maxConcurrency: 4 })).toBe(4);
    expect(await letThrough(1)).toBe(0);
    limiter.release(undefined);
    await Promise.resolve();
    expect(await letThrough(0)).toBe(0);
  });

  it("admits no more requests than remain", async () => {
    await learn(told(3, 600, { limit: 10 }));
    expect(await letThrough(10)).toBe(3);
  });

  it("admits its share of what remains, and none when that is used up", async () => {
    limiter = new RateLimiter(clock, 4);
    expect(await letThrough(0)).toBe(0);
    await learn(told(120, 600, { limit: 200 }));
    expect(limiter.state.remaining).toBe(15);
    expect(await letThrough(40)).toBe(15);
    limiter = new RateLimiter(clock, 4);
    await learn(told(7));
    expect(await letThrough(1, { ...request, maxWaitMs: 0 })).toBe(0);
    expect(limiter.state.remaining).toBe(0);
  });

  it("admits fewer concurrent requests when few remain", async () => {
    await learn(told(500));
    expect(await letThrough(40)).toBe(16);
    limiter = new RateLimiter(clock);
    await learn(told(25));
    expect(await letThrough(40)).toBe(8);
    limiter = new RateLimiter(clock);
    await learn(told(1));
    expect(await letThrough(40)).toBe(1);
  });

  it("waits for the end of the window with a countdown, and then admits one request first", async () => {
    const events: RateLimitWait[] = [];
    await learn(told(0, 3));
    const onProgress = (event: RateLimitWait) => events.push(event);
    const waiting = [1, 2, 3].map(() => limiter.admit({ ...request, onProgress }));
    await waiting[0];
    const resetAt = new Date(Date.UTC(2030, 0, 1, 0, 0, 3));
    expect(events).toEqual([
      { type: "rate-limit-wait", resetAt, remainingMs: 3000, waiting: 1 },
      { type: "rate-limit-wait", resetAt, remainingMs: 2000, waiting: 3 },
      { type: "rate-limit-wait", resetAt, remainingMs: 1000, waiting: 3 },
    ]);
    expect(limiter.state.remaining).toBe(0);
    limiter.release(told(999, 3600));
    for (const wait of waiting) await wait;
    expect(limiter.state).toMatchObject({ limit: 1000, remaining: 997 });
  });

  it("fails at once with the time of the reset when that is too late, while admitted requests continue", async () => {
    await learn(told(2, 1800, { limit: 20 }));
    expect(await letThrough(2)).toBe(2);
    limiter.release(told(0, 1800));
    const late = await failure(limiter.admit({ ...request, maxWaitMs: 5 * MINUTE })!, "rate-limited");
    expect(late.resetAt).toEqual(new Date(Date.UTC(2030, 0, 1, 0, 30)));
    expect(late.message).toBe(
      "GET /user: not sent, because the user's hourly rate limit is reached until 2030-01-01T00:30:00.000Z. " +
        "Run it again after 2030-01-01T00:30:00.000Z, or wait for it: --wait, or WORKSPACE_AUTOMATION_RATE_LIMIT_WAIT (seconds) where a command has no such option; rateLimit.maxWaitMs in code.",
    );
    limiter.release(told(0, 1800));
    expect(limiter.state.remaining).toBe(0);
  });

  it("ends a wait when nothing may wait any more, while admitted requests continue", async () => {
    await learn(told(0, 1800));
    const hurry = new AbortController();
    const waiting = limiter.admit({ ...request, maxWaitMs: 60 * MINUTE, hurry: hurry.signal });
    hurry.abort(new Error("the run was cancelled"));
    await expect(waiting).rejects.toThrow("the run was cancelled");
    await expect(limiter.admit({ ...request, hurry: hurry.signal })).rejects.toThrow("cancelled");
  });

  it("uses the Date header to correct a wrong clock", async () => {
    // The service's clock is a day ahead; its window ends in ten seconds.
    const serverNow = clock.now() + 24 * 60 * MINUTE;
    const start = clock.now();
    await learn({
      limit: 1000,
      remaining: 0,
      reset: serverNow / 1000 + 10,
      date: new Date(serverNow).toUTCString(),
    });
    await limiter.admit(request);
    expect(clock.now() - start).toBe(10_000);
  });

  it("retries with growing pauses when the reset time has passed", async () => {
    const start = clock.now();
    const past = told(0, -50);
    await learn(past, true);
    for (let i = 0; i < 3; i++) {
      await limiter.admit(request);
      limiter.release(past, true);
    }
    await limiter.admit(request);
    expect(clock.now() - start).toBe(1000 + 2000 + 4000 + 8000);
    limiter.release(told(900));
    expect(await letThrough(40)).toBe(16);
  });

  it("fails when retries exceed the maximum wait", async () => {
    const past = told(0, -50);
    await learn(past, true);
    const patient = { ...request, maxWaitMs: 10_000 };
    await limiter.admit(patient);
    limiter.release(past, true);
    await limiter.admit(patient);
    limiter.release(past, true);
    await limiter.admit(patient);
    limiter.release(past, true);
    await failure(limiter.admit(patient)!, "rate-limited");
  });

  it("uses the lower number when responses arrive out of order", async () => {
    await letThrough(2);
    limiter.release(told(5, 600, { limit: 10 }));
    limiter.release(told(6, 600, { limit: 10 }));
    expect(limiter.state.remaining).toBe(5);
  });

  it("ignores a late refusal of the previous window", async () => {
    await letThrough(2);
    const late = told(0, -1);
    limiter.release(told(900, 3600));
    limiter.release(late, true);
    expect(limiter.state.remaining).toBe(900);
  });

  it("fails waiting requests when a progress listener throws", async () => {
    await learn(told(0, 600));
    const onProgress = () => {
      throw new Error("the terminal is gone");
    };
    await expect(limiter.admit({ ...request, onProgress })).rejects.toThrow("the terminal is gone");
  });

  it("discards an old window", async () => {
    await learn(told(1, 10));
    clock.advance(11_000);
    expect(await letThrough(40)).toBe(16);
  });

  it("stops waiting when the signal is aborted", async () => {
    await learn(told(0, 600));
    const abort = new AbortController();
    const wait = limiter.admit({
      ...request,
      signal: abort.signal,
      onProgress: () => abort.abort(new Error("enough")),
    });
    await expect(wait).rejects.toThrow("enough");
  });
});

describe("clients", () => {
  useNock();
  const headers = (remaining: number, resetInS: number, clock: FakeClock) => ({
    "x-rate-limit-limit": "5000",
    "x-rate-limit-remaining": String(remaining),
    "x-rate-limit-reset": String(clock.now() / 1000 + resetInS),
    date: new Date(clock.now()).toUTCString(),
  });

  it("repeat a refused request, even a POST, since the service did nothing", async () => {
    const clock = new FakeClock();
    const refusal = headers(0, 120, clock);
    nock(host).post("/api/workspaces/acme/groups").reply(403, says("Rate limit exceeded."), refusal);
    nock(host).post("/api/workspaces/acme/groups").reply(201, { id: 1, name: "QA" });
    const start = clock.now();
    expect(await mockedClient({ clock }).groups.create("acme", { name: "QA" })).toMatchObject({ id: 1 });
    expect(clock.now() - start).toBe(120_000);
  });

  it("wait no longer than allowed", async () => {
    const clock = new FakeClock();
    nock(host)
      .get("/api/user")
      .reply(403, says("Rate limit exceeded."), headers(0, 1800, clock));
    const client = mockedClient({ clock, rateLimit: { maxWaitMs: 60_000 } });
    const error = await failure(client.user.get(), "rate-limited");
    expect(error.resetAt).toEqual(new Date(Date.UTC(2030, 0, 1, 0, 30)));
    expect(clock.sleeps).toEqual([]);
  });

  it("of one user at one address share a limit; others do not", async () => {
    const clock = new FakeClock();
    nock(host)
      .get("/api/user")
      .reply(200, { id: 1 }, headers(41, 600, clock));
    const token = `shared-${clock.now()}`;
    await mockedClient({ clock, token }).user.get();
    expect(mockedClient({ clock, token }).rateLimit.remaining).toBe(41);
    expect(mockedClient({ clock }).rateLimit.remaining).toBeUndefined();
    expect(
      mockedClient({ clock, token, baseUrl: "https://eu.example.com" }).rateLimit.remaining,
    ).toBeUndefined();
  });

  it("do not confuse missing permissions with the rate limit", async () => {
    nock(host).get("/api/user").reply(403, says("Access denied"));
    await failure(mockedClient().user.get(), "denied");
  });
});
