/** Tests provider/connection/request-limits.ts and progress-line.ts. */
import { expect, it } from "vitest";
import { createWaitPrinter, readRequestLimits } from "../../../provider/index.js";

it("the environment says how long to wait for a response and for the rate limit", () => {
  const env = {
    WORKSPACE_AUTOMATION_TIMEOUT: "2.5",
    WORKSPACE_AUTOMATION_RATE_LIMIT_WAIT: "0",
    WORKSPACE_AUTOMATION_REQUEST_SHARES: "3",
  };
  const timeouts = { connectMs: 2500, headersMs: 2500, bodyMs: 2500, answerMs: 2500 };
  expect(readRequestLimits(env)).toEqual({ timeouts, rateLimit: { maxWaitMs: 0 }, shares: 3 });
  expect(readRequestLimits({ WORKSPACE_AUTOMATION_TIMEOUT: "90" }).timeouts).toMatchObject({
    connectMs: 10_000,
    answerMs: 90_000,
  });
  for (const wrong of ["", "soon", "-1", "NaN"]) {
    const all = Object.fromEntries(Object.keys(env).map((name) => [name, wrong]));
    expect(readRequestLimits(all)).toEqual({});
  }
});

it("a line says which request waits, and many that wait at the same time are one line", () => {
  const lines: string[] = [];
  let now = 0;
  const tell = createWaitPrinter(
    (line) => lines.push(line),
    () => now,
  );
  const request = { method: "PATCH", path: "/workspaces/acme/groups/3", attempts: 5 };
  const late = {
    type: "slow-response",
    ...request,
    attempt: 1,
    waitedMs: 5000,
    leftMs: 65_000,
    hasBegun: false,
  } as const;
  for (let count = 0; count < 16; count++) tell(late);
  now = 10_000;
  tell({ ...late, waitedMs: 10_000, leftMs: 300_000, hasBegun: true });
  now = 15_000;
  tell({ type: "retry", ...request, attempt: 2, waitMs: 250, reason: "server" });
  tell({ type: "retry", ...request, attempt: 2, waitMs: 250, reason: "timeout" });
  expect(lines).toEqual([
    "waiting for the service: no response for 5 s to PATCH /workspaces/acme/groups/3 (attempt 1 of 5, which ends within 65 s)",
    "waiting for the service: no complete response for 10 s to PATCH /workspaces/acme/groups/3 (attempt 1 of 5, which ends within 300 s)",
    "waiting for the service: no response in time to PATCH /workspaces/acme/groups/3, attempt 2 of 5 in 1 s",
  ]);
});
