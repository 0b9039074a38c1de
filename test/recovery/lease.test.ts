/** Tests the record of a lock, and what becomes of the lock of a lost run. All waits are of the test's own clock. */
import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Lease } from "../../recovery/lease.js";
import { type Released, releaseLocksOfEnded, waitForLocks } from "../../recovery/lost-locks.js";
import { findOwner } from "../../recovery/process-owner.js";
import { MemoryLocks } from "./lock-support.js";

// A process id that this machine cannot have, so that nobody can look whether it has ended.
const PID = 2 ** 30;
let store: MemoryLocks;
let signals: string[];
let lease: Lease;

beforeEach(() => {
  vi.useFakeTimers({
    toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval", "Date", "performance"],
  });
  store = new MemoryLocks();
  signals = [];
});
afterEach(async () => {
  store.isAway = false;
  const ended = lease.end();
  await vi.advanceTimersByTimeAsync(60_000);
  await ended;
  vi.useRealTimers();
});

/** Starts a run as an engine does: the lock exists a moment after the process. */
async function start(): Promise<void> {
  lease = new Lease(store, { pid: PID, signal: (signal) => signals.push(signal) });
  await pass(300);
  store.lockMap.set("lock.json", lockOf(PID));
}

function lockOf(pid: number) {
  return { pid, hostname: hostname(), username: "ann", timestamp: new Date().toISOString() };
}

const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Stands still, as a process that was stopped: its timers do not run, and the clocks do. */
function standStill(ms: number): void {
  const [wall, monotonic] = [Date.now() + ms, performance.now() + ms];
  vi.setSystemTime(wall);
  vi.spyOn(performance, "now").mockImplementation(() => monotonic + Date.now() - wall);
}

function otherRun(): { released: Released[]; waited: number; ended: Promise<string> } {
  const found = { released: [] as Released[], waited: 0 };
  const ended = waitForLocks(store, {
    onReleased: (one) => found.released.push(one),
    onWait: () => found.waited++,
  }).then((held) => (held === undefined ? "free" : "held"));
  return Object.assign(found, { ended });
}

describe("a run that has the lock", () => {
  it("sends its first request when the record names the lock, and the next ones at once", async () => {
    await start();
    await lease.ensure();
    expect([...store.recordMap.values()]).toMatchObject([{ pid: PID, lock: "lock.json" }]);
    expect(lease.ensure()).toBeUndefined();
    await pass(600_000);
    expect(lease.ensure()).toBeUndefined();
    expect(signals).toEqual([]);
  });

  it("needs one renewal until its record names the lock, however many requests wait for it", async () => {
    await start();
    const written = vi.spyOn(store, "write");
    const listed = vi.spyOn(store, "locks");
    await Promise.all([lease.ensure(), lease.ensure(), lease.ensure()]);
    expect([listed.mock.calls.length, written.mock.calls.length]).toEqual([1, 1]);
    expect(lease.ensure()).toBeUndefined();
  });

  it("is not disturbed by another run that waits for ten minutes", async () => {
    await start();
    await lease.ensure();
    const other = otherRun();
    await pass(600_000);
    expect(other).toMatchObject({ waited: 1, released: [] });
    store.lockMap.clear();
    await lease.end();
    await pass(2_000);
    expect(await other.ended).toBe("free");
    expect(store.recordMap.size).toBe(0);
  });

  it("makes sure of it before the next request when it stood still, with its engine stopped", async () => {
    await start();
    await lease.ensure();
    standStill(50_000);
    let isSure = false;
    const sure = lease.ensure()?.then(() => (isSure = true));
    await pass(1_000);
    expect([isSure, signals]).toEqual([false, ["SIGSTOP"]]);
    await pass(5_000);
    await sure;
    expect([isSure, signals]).toEqual([true, ["SIGSTOP", "SIGCONT"]]);
  });

  it("may send what waited for a connection only while nobody else can have the lock", async () => {
    await start();
    await lease.ensure();
    expect(lease.isCertain).toBe(true);
    standStill(39_000);
    expect(lease.isCertain).toBe(true);
    standStill(2_000);
    expect(lease.isCertain).toBe(false);
    const sure = lease.ensure();
    await pass(5_000);
    await sure;
    expect(lease.isCertain).toBe(true);
  });

  it("sends nothing when it stood still before its record named the lock, which was released meanwhile", async () => {
    await start();
    standStill(120_000);
    store.lockMap.clear();
    store.recordMap.clear();
    const refused = expect(lease.ensure()).rejects.toMatchObject({ code: "lock-lost" });
    await pass(20_000);
    await refused;
    expect([lease.isCertain, signals]).toEqual([false, ["SIGSTOP", "SIGKILL"]]);
  });

  it("keeps the lock that its engine took while it stood still", async () => {
    lease = new Lease(store, { pid: PID, signal: (signal) => signals.push(signal) });
    await pass(300);
    standStill(50_000);
    store.lockMap.set("lock.json", lockOf(PID));
    const sure = lease.ensure();
    await pass(5_000);
    await sure;
    expect([lease.isCertain, signals]).toEqual([true, ["SIGSTOP", "SIGCONT"]]);
  });

  it("sends nothing after its engine has ended", async () => {
    await start();
    await lease.ensure();
    store.lockMap.clear();
    await lease.end();
    expect(lease.isCertain).toBe(false);
    await expect(lease.ensure()).rejects.toMatchObject({ code: "run-ended" });
  });

  it("sends nothing more from the moment in which another run claims the lock", async () => {
    await start();
    await lease.ensure();
    standStill(61_000);
    const [[name = ""] = []] = [...store.recordMap];
    await store.claim(name, 1, "another run");
    const refused = expect(lease.ensure()).rejects.toMatchObject({ code: "lock-lost" });
    await pass(20_000);
    await refused;
    expect([signals, store.lockMap.size]).toEqual([["SIGSTOP", "SIGKILL"], 1]);
  });

  it("sends nothing more when the lock was released meanwhile, and ends its engine", async () => {
    await start();
    await lease.ensure();
    standStill(120_000);
    store.lockMap.clear();
    const refused = expect(lease.ensure()).rejects.toMatchObject({ code: "lock-lost" });
    await pass(20_000);
    await refused;
    expect(signals).toEqual(["SIGSTOP", "SIGKILL"]);
    expect(lease.lost?.message).toContain("nothing more is sent");
    await expect(lease.ensure()).rejects.toMatchObject({ code: "lock-lost" });
  });

  it("does not take the end of its own engine, which releases the lock, for a loss", async () => {
    await start();
    await lease.ensure();
    store.lockMap.clear();
    // The next renewal sees no lock, and the engine ends a moment later.
    await pass(11_000);
    await lease.end();
    expect([signals, lease.lost, store.recordMap.size]).toEqual([[], undefined, 0]);
  });

  it("sends nothing while the store does not respond for longer than the lock is certain", async () => {
    await start();
    await lease.ensure();
    store.isAway = true;
    await pass(39_000);
    expect(lease.ensure()).toBeUndefined();
    await pass(10_000);
    const refused = expect(lease.ensure()).rejects.toThrow("the store does not respond");
    await pass(1_000);
    await refused;
  });

  it("leaves its record next to the lock of an engine that was killed", async () => {
    await start();
    await lease.ensure();
    await lease.end();
    expect(store.recordMap.size).toBe(1);
  });
});

describe("a run that finds a lock", () => {
  /** Leaves what a lost machine does. */
  it("removes what earlier runs could not remove, and nothing that is needed", async () => {
    const record = { beat: 3, pid: PID - 1, hostname: "elsewhere", since: new Date().toISOString() };
    await store.write("gone.json", { ...record, lock: "released.json" });
    await store.write("starts.json", record);
    await store.write("lives.json", { ...record, lock: "other.json" });
    store.lockMap.set("other.json", { ...lockOf(PID - 1), hostname: "elsewhere" });
    await start();
    await lease.ensure();
    store.lockMap.delete("lock.json");
    await lease.end();
    expect([...(await store.records()).keys()].toSorted()).toEqual(["lives.json", "starts.json"]);
  });

  async function lose(): Promise<void> {
    await start();
    await lease.ensure();
    await lease.end();
    for (const [name, { owner: _owner, ...record }] of store.recordMap) store.recordMap.set(name, record);
  }

  it("takes over when the record has stood still for a minute of its own clock, whatever the other clock says", async () => {
    await lose();
    vi.setSystemTime(Date.now() - 3_600_000);
    const other = otherRun();
    await pass(58_000);
    expect(other.released).toEqual([]);
    await pass(8_000);
    expect(await other.ended).toBe("free");
    expect(other.released).toMatchObject([{ lock: { username: "ann", pid: PID } }]);
    expect([store.lockMap.size, store.recordMap.size]).toEqual([0, 0]);
  });

  it("takes over from a run that was lost before its record named the lock", async () => {
    await start();
    await lease.end();
    const since = new Date().toISOString();
    store.recordMap.set("1.json", { beat: 1, pid: PID, hostname: hostname(), since });
    store.lockMap.set("lock.json", { ...lockOf(PID), timestamp: new Date(Date.now() + 900).toISOString() });
    const other = otherRun();
    await pass(66_000);
    expect(await other.ended).toBe("free");
  });

  it("never touches a lock without a record, and waits for none", async () => {
    await lose();
    store.recordMap.clear();
    const other = otherRun();
    expect(await other.ended).toBe("held");
    expect([other.waited, store.lockMap.size]).toEqual([0, 1]);
  });

  it("does not take an old record for that of a later process with the same number", async () => {
    await lose();
    for (const [name, { lock: _lock, ...record }] of store.recordMap) store.recordMap.set(name, record);
    const later = new Date(Date.now() + 3_600_000).toISOString();
    store.lockMap.set("lock.json", { ...lockOf(PID), timestamp: later });
    expect(await otherRun().ended).toBe("held");
    expect(store.lockMap.size).toBe(1);
  });

  it("leaves it to one of several that wait", async () => {
    await lose();
    const others = [otherRun(), otherRun()];
    await pass(70_000);
    expect(await Promise.all(others.map(({ ended }) => ended))).toEqual(["free", "free"]);
    expect(others.flatMap(({ released }) => released)).toHaveLength(1);
    expect(store.lockMap.size).toBe(0);
  });

  it("releases that of a process that has certainly ended at once, and waits for no other", async () => {
    await lose();
    const owner = findOwner(process.pid);
    const released: Released[] = [];
    const watching = { onReleased: (one: Released) => released.push(one) };
    expect(await releaseLocksOfEnded(store, watching)).toMatchObject({
      lock: { username: "ann" },
      isUnknown: false,
    });
    expect([released, store.lockMap.size]).toEqual([[], 1]);
    if (owner === undefined) return;
    for (const [name, record] of store.recordMap)
      store.recordMap.set(name, { ...record, owner: { ...owner, pid: PID } });
    expect(await releaseLocksOfEnded(store, watching)).toBeUndefined();
    expect(released).toEqual([{ lock: expect.objectContaining({ username: "ann" }) as object }]);
    expect([store.lockMap.size, store.recordMap.size]).toEqual([0, 0]);
  });

  it("knows nothing of a run that has a lock without a record", async () => {
    await lose();
    store.recordMap.clear();
    expect(await releaseLocksOfEnded(store, { onReleased: () => {} })).toMatchObject({ isUnknown: true });
  });

  it("may end as soon as the run turns out to live", async () => {
    await start();
    await lease.ensure();
    const ended = waitForLocks(store, { onReleased: () => {}, untilRenewed: true });
    await pass(12_000);
    expect(await ended).toMatchObject({ lock: { pid: PID }, isUnknown: false });
  });

  it("says for how long the record stood still", async () => {
    await lose();
    const other = otherRun();
    await pass(66_000);
    await other.ended;
    const [one] = other.released;
    expect(one?.stoodStillMs).toBeGreaterThanOrEqual(60_000);
    expect(one?.stoodStillMs).toBeLessThan(66_000);
  });

  it("takes over from one that was lost after its claim", async () => {
    await lose();
    const [[name = ""] = []] = [...store.recordMap];
    await store.claim(name, 1, "a lost run");
    const other = otherRun();
    await pass(66_000);
    expect(await other.ended).toBe("free");
  });
});
