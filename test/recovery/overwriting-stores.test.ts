/** Tests locks in stores that keep no condition, so that two runs may get one claim. All waits are of the test's own clock. */
import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Lease } from "../../recovery/lease.js";
import { waitForLocks } from "../../recovery/lost-locks.js";
import { MemoryLocks } from "./lock-support.js";

// A process id that this machine cannot have, so that nobody can look whether it has ended.
const PID = 2 ** 30;
let store: MemoryLocks;
let lease: Lease;
let said: number;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  store = new MemoryLocks();
  said = 0;
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Starts a run, whose lock exists a moment after the process. */
async function start(): Promise<void> {
  lease = new Lease(store, { pid: PID, signal: () => undefined }, undefined, () => said++);
  await pass(300);
  const timestamp = new Date().toISOString();
  store.lockMap.set("lock.json", { pid: PID, hostname: hostname(), username: "ann", timestamp });
  await lease.ensure();
}

/** Ends it as the loss of its machine does: lock and record stay, and nobody can look for its process. */
async function lose(): Promise<void> {
  await lease.end();
  for (const [name, { owner: _owner, ...record }] of store.recordMap) store.recordMap.set(name, record);
}

function startWaiting() {
  const found = { released: 0, waited: 0 };
  const ended = waitForLocks(store, {
    onReleased: () => found.released++,
    onWait: () => found.waited++,
  }).then((held) => held?.isUnknown);
  return Object.assign(found, { ended });
}

it.each([
  [false, true],
  [true, false],
])(
  "a run asks the store once, and says so if it overwrites objects (%s)",
  async (overwrites, keepsConditions) => {
    store.overwrites = overwrites;
    const asked = vi.spyOn(store, "keepsConditions");
    await start();
    await pass(60_000);
    expect([...store.recordMap.values()]).toMatchObject([{ keepsConditions }]);
    expect([asked.mock.calls.length, said]).toEqual([1, overwrites ? 1 : 0]);
    await lease.end();
  },
);

describe("a run that waits for a lock", () => {
  it("waits while its run lives, and leaves a lost one to a person, in a store that overwrites objects", async () => {
    store.overwrites = true;
    await start();
    const waiting = startWaiting();
    await pass(120_000);
    expect([waiting.waited, store.lockMap.size]).toEqual([1, 1]);
    await lose();
    await pass(76_000);
    expect(await waiting.ended).toBe(true);
    expect([waiting.released, store.lockMap.size]).toEqual([0, 1]);
  });

  it.each([
    ["leaves it when its claim came late, and may be another's too", undefined, 1],
    ["releases it after a late claim that can only be its own", true, 0],
  ])("%s", async (_what, keepsConditions, left) => {
    await start();
    await lose();
    for (const [name, record] of store.recordMap) store.recordMap.set(name, { ...record, keepsConditions });
    const claim = store.claim.bind(store);
    const late = vi.spyOn(store, "claim").mockImplementation(async (...given) => {
      await new Promise((resolve) => setTimeout(resolve, 8_000));
      return claim(...given);
    });
    const waiting = startWaiting();
    await pass(76_000);
    expect([store.lockMap.size, waiting.released]).toEqual([left, 1 - left]);
    late.mockRestore();
    await pass(70_000);
    expect(await waiting.ended).toBeUndefined();
  });
});
