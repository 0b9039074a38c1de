/**
 * Several runs wait for the lock of one that stands still: one of them releases it at most, and none if the first one continues. All time is of the
 * test's own clock, also that of requests. WAITERS_SEED repeats the moments.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Lease } from "../../recovery/lease.js";
import { BucketLocks, buildLocksPath } from "../../recovery/lock-store.js";
import { waitForLocks } from "../../recovery/lost-locks.js";
import { randomOf } from "../chaos/random.js";
import { memoryBucket } from "./memory-bucket.js";

// A process id that this machine cannot have, so that nobody can look whether it has ended.
const PID = 2 ** 30;
const STEP_MS = 100;
const seed = Number(process.env["WAITERS_SEED"] ?? Math.floor(Math.random() * 1_000_000));
const random = randomOf(seed);

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

/** Passes time until work has ended. */
async function pass<T>(work: Promise<T>): Promise<T> {
  let hasEnded = false;
  void work.catch(() => undefined).finally(() => (hasEnded = true));
  while (!hasEnded) await vi.advanceTimersByTimeAsync(STEP_MS);
  return work;
}

/** A run that has the lock and stands still, and others that wait for it. */
async function begin(waiters: number) {
  const bucket = memoryBucket(random);
  const stack = { project: "shop", stack: randomUUID() };
  const store = new BucketLocks(bucket, stack);
  const owner = new Lease(store, { pid: PID, signal: () => undefined });
  await vi.advanceTimersByTimeAsync(1_000);
  const lock = { pid: PID, hostname: hostname(), username: "ann", timestamp: new Date().toISOString() };
  const key = `${buildLocksPath(stack)}/lock.json`;
  await pass(bucket.put(key, JSON.stringify(lock)));
  await pass(owner.ensure() ?? Promise.resolve());
  let released = 0;
  const others = Array.from({ length: waiters }, () => waitForLocks(store, { onReleased: () => released++ }));
  const sizes = async () => [await store.locks(), await store.records()].map(({ size }) => size);
  return {
    owner,
    others: Promise.all(others),
    unlock: () => pass(bucket.deleteAll([key])),
    released: () => released,
    left: () => pass(sizes()),
  };
}

describe(`runs that wait for a lock (seed ${seed})`, () => {
  it.each([2, 10])("one of %i releases that of a lost run", async (waiters) => {
    const { owner, others, released, left } = await begin(waiters);
    expect(await pass(others)).toEqual(Array.from({ length: waiters }, () => undefined));
    expect(released()).toBe(1);
    expect(await left()).toEqual([0, 0]);
    await expect(pass(owner.ensure() ?? Promise.resolve())).rejects.toMatchObject({ code: "lock-lost" });
    await pass(owner.end());
    expect(await left()).toEqual([0, 0]);
  });

  it("leave it to a run that wakes before their claim, which sends nothing more otherwise", async () => {
    const outcomes = new Set<string>();
    // Nobody may release the lock before a minute, and all have noticed ten seconds later.
    for (let wakesMs = 58_000; wakesMs <= 70_000; wakesMs += 3 * STEP_MS) {
      const { owner, others, unlock, released, left } = await begin(10);
      await vi.advanceTimersByTimeAsync(wakesMs + random.below(3 * STEP_MS));
      const outcome = await pass(owner.ensure() ?? Promise.resolve()).then(
        () => "keeps it",
        ({ code }: { code: string }) => code,
      );
      outcomes.add(outcome);
      if (outcome === "keeps it") {
        expect([released(), (await left())[0]]).toEqual([0, 1]);
        await unlock();
      } else expect([outcome, released()]).toEqual(["lock-lost", 1]);
      await pass(owner.end());
      await pass(others);
      expect(await left()).toEqual([0, 0]);
    }
    expect(outcomes).toEqual(new Set(["keeps it", "lock-lost"]));
  });
});
