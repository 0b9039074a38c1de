/** Tests that requests end their waits when the run that sends them is cancelled. */
import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { mockedClient } from "./helpers.js";

it("many requests that wait for the next hour fail at once, are not sent, and make no warning", async () => {
  const warnings: Error[] = [];
  const warn = (warning: Error) => void warnings.push(warning);
  process.on("warning", warn);
  const now = Date.UTC(2030, 0, 1);
  let sent = 0;
  const headers = {
    "x-rate-limit-limit": "100",
    "x-rate-limit-remaining": "0",
    "x-rate-limit-reset": String(now / 1000 + 1800),
  };
  const hurry = new AbortController();
  const client = mockedClient({
    hurry: hurry.signal,
    rateLimit: { maxWaitMs: 3_600_000 },
    // Its countdown never ends.
    clock: { now: () => now, sleep: () => new Promise<void>(() => undefined) },
    fetch: () => {
      sent++;
      return Promise.resolve(Response.json({ id: 1 }, { headers }));
    },
  });
  await client.user.get();
  const waiting = Array.from({ length: 30 }, () => client.user.get().catch(String));
  await setImmediate();
  hurry.abort(new Error("the run was cancelled"));
  expect(new Set(await Promise.all(waiting))).toEqual(new Set(["Error: the run was cancelled"]));
  await setImmediate();
  process.off("warning", warn);
  expect(warnings).toEqual([]);
  expect(sent).toBe(1);
});
