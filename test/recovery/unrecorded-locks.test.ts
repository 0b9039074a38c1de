/** Releases locks that nobody records, on a machine whose host name no other one has. All waits are of the test's own clock. */
import { hostname } from "node:os";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { waitForLocks } from "../../recovery/lost-locks.js";
import { MemoryLocks } from "./lock-support.js";

// A process id that this machine cannot have.
const ENDED = 2 ** 30;
const ACTIVE = 1;

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Waits for a lock that has no record yet. */
function waitFor(pid: number, host: string) {
  const store = new MemoryLocks();
  store.lockMap.set("lock.json", { pid, hostname: host, timestamp: new Date().toISOString() });
  const onReleased = vi.fn();
  const ended = waitForLocks(store, { onReleased, untilRenewed: true, uniqueHostname: hostname() });
  return { store, onReleased, ended };
}

it("releases that of an ended process of this host after a minute", async () => {
  const { store, onReleased, ended } = waitFor(ENDED, hostname());
  await vi.advanceTimersByTimeAsync(58_000);
  expect(store.lockMap.size).toBe(1);
  await vi.advanceTimersByTimeAsync(6_000);
  expect(await ended).toBeUndefined();
  expect([onReleased.mock.calls.length, store.lockMap.size]).toEqual([1, 0]);
});

it("releases that of a process whose id this process has got in a container that was started again", async () => {
  const { store, ended } = waitFor(process.pid, hostname());
  await vi.advanceTimersByTimeAsync(64_000);
  expect([await ended, store.lockMap.size]).toEqual([undefined, 0]);
});

it.each([
  ["of this host whose process may be active", ACTIVE, hostname()],
  ["of another host", ENDED, "elsewhere"],
])("knows nothing of the run with a lock %s", async (_of, pid, host) => {
  const { store, onReleased, ended } = waitFor(pid, host);
  expect(await ended).toMatchObject({ isUnknown: true });
  expect([onReleased.mock.calls.length, store.lockMap.size]).toEqual([0, 1]);
});

it("leaves that of a run that begins to renew a record", async () => {
  const { store, onReleased, ended } = waitFor(ENDED, hostname());
  await vi.advanceTimersByTimeAsync(50_000);
  const record = { beat: 1, pid: ENDED, hostname: hostname(), since: new Date().toISOString() };
  await store.write("record.json", { ...record, lock: "lock.json" });
  await vi.advanceTimersByTimeAsync(4_000);
  await store.write("record.json", { ...record, beat: 2, lock: "lock.json" });
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await ended).toMatchObject({ isUnknown: false });
  expect(onReleased).not.toHaveBeenCalled();
});
