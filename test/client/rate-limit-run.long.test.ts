/** Tests two processes that share the limit of one user. */
import { expect, it } from "vitest";
import {
  type Clock as ClientClock,
  type ProgressEvent,
  WorkspaceAutomationClient,
} from "../../client/index.js";
import { Clock, startEmulator } from "../../emulator/index.js";

const HOUR = 60 * 60 * 1000;

/** Returns the emulator's clock for the client: only the client's sleeps advance it. */
function clientClock(clock: Clock): ClientClock {
  return { now: () => clock.now(), sleep: (ms) => clock.advance(ms) };
}

/** Returns a fetch that sets the Date header from the emulator's clock, or from one that is wrong. */
function dated(now: () => number): typeof fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    const headers = new Headers(answer.headers);
    headers.set("date", new Date(now()).toUTCString());
    return new Response(await answer.text(), { status: answer.status, headers });
  };
}

it.each([
  ["a clock like ours", 0],
  ["a clock ten minutes ahead of ours", 10 * 60 * 1000],
  ["a clock ten minutes behind ours", -10 * 60 * 1000],
])(
  "3,000 requests of 16 callers against a limit of 1,000 all succeed (the service has %s)",
  async (_, skew) => {
    const clock = new Clock({ frozen: true });
    const emulator = await startEmulator({ rateLimit: 1000, clock });
    const waits: ProgressEvent[] = [];
    const own = clientClock(clock);
    const client = new WorkspaceAutomationClient({
      baseUrl: emulator.baseUrl,
      token: emulator.token,
      fetch: dated(() => clock.now()),
      clock: { ...own, now: () => own.now() - skew },
      rateLimit: { maxWaitMs: 2 * HOUR },
      maxConcurrency: 16,
      onProgress: (event) => waits.push(event),
    });
    const start = clock.now();
    let left = 3000;
    const caller = async () => {
      while (left-- > 0) await client.user.get();
    };
    await Promise.all(Array.from({ length: 16 }, caller));

    const refused = emulator.journal.requests.filter((request) => request.status === 403).length;
    expect(emulator.journal.requests).toHaveLength(3000 + refused);
    expect(refused).toBeLessThanOrEqual(30);
    // Waited for two windows with a countdown, and not for a third one.
    expect(clock.now() - start).toBeGreaterThanOrEqual(2 * HOUR);
    expect(clock.now() - start).toBeLessThan(2 * HOUR + 60_000);
    expect(waits.length).toBeGreaterThan(2 * 3600);
    await emulator.close();
  },
);

it("two processes of one user share the limit independently", async () => {
  const clock = new Clock({ frozen: true });
  const emulator = await startEmulator({ rateLimit: 1000, clock });
  const { token } = emulator;
  // A provider object without an identity has its own rate limiter, like another process.
  const clients = [1, 2].map(
    () =>
      new WorkspaceAutomationClient({
        baseUrl: emulator.baseUrl,
        token: { token: () => token },
        fetch: dated(() => clock.now()),
        clock: clientClock(clock),
        rateLimit: { maxWaitMs: 2 * HOUR },
      }),
  );
  let left = 2500;
  const caller = async (client: WorkspaceAutomationClient) => {
    while (left-- > 0) await client.user.get();
  };
  await Promise.all(clients.flatMap((client) => Array.from({ length: 16 }, () => caller(client))));
  const refused = emulator.journal.requests.filter((request) => request.status === 403).length;
  expect(emulator.journal.requests).toHaveLength(2500 + refused);
  expect(refused).toBeLessThanOrEqual(25);
  await emulator.close();
});
