/**
 * Several runs wait for the lock of one that stands still, in a folder and in a bucket: one of them releases it at most, and none if the
 * first one continues. All waits are of the test's own clock. WAITERS_SEED repeats the moments. The bucket needs Go.
 */
import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Bucket } from "../../recovery/bucket.js";
import { FolderBucket } from "../../recovery/folder-bucket.js";
import { Lease } from "../../recovery/lease.js";
import { BucketLocks, locksPath } from "../../recovery/lock-store.js";
import { waitForLocks } from "../../recovery/lost-locks.js";
import { openBucket } from "../../recovery/open-bucket.js";
import { randomOf } from "../chaos/random.js";
import { missingGo } from "../e2e/language-hosts.js";
import { objectStoreForTests, type ObjectStore } from "../e2e/s3.js";
import { temporaryFolder } from "../e2e/support.js";

// A process id that this machine cannot have, so that nobody can look whether it has ended.
const PID = 2 ** 30;
const seed = Number(process.env["WAITERS_SEED"] ?? Math.floor(Math.random() * 1_000_000));
const random = randomOf(seed);
const skip = await missingGo();

let server: ObjectStore;
beforeAll(async () => {
  if (skip === undefined) server = await objectStoreForTests();
}, 600_000);
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const places: Readonly<Record<string, () => Promise<Bucket>>> = {
  folder: () => Promise.resolve(slow(new FolderBucket(temporaryFolder()))),
  ...(skip === undefined ? { bucket: () => openBucket(server.backend, server.env) } : {}),
};

/** Lets others come in between any two calls. */
function slow(bucket: Bucket): Bucket {
  const later = async <T>(work: () => Promise<T>): Promise<T> => {
    await sleep(random.below(3));
    return work();
  };
  return {
    name: bucket.name,
    text: (key) => later(() => bucket.text(key)),
    put: (key, body) => later(() => bucket.put(key, body)),
    create: (key, body) => later(() => bucket.create(key, body)),
    deleteAll: (keys) => later(() => bucket.deleteAll(keys)),
    list: (prefix) => later(() => bucket.list(prefix)),
  };
}

/** Passes time until work has ended. */
async function pass<T>(work: Promise<T>): Promise<T> {
  let hasEnded = false;
  void work.catch(() => undefined).finally(() => (hasEnded = true));
  while (!hasEnded) await second();
  return work;
}

async function second(): Promise<void> {
  await vi.advanceTimersByTimeAsync(1_000);
  await sleep(4);
}

/** A run that has the lock, and others that wait for it. */
async function begin(bucket: Bucket, waiters: number) {
  const stack = { project: "shop", stack: randomUUID() };
  const store = new BucketLocks(bucket, stack);
  const owner = new Lease(store, { pid: PID, signal: () => undefined });
  await second();
  const lock = { pid: PID, hostname: hostname(), username: "ann", timestamp: new Date().toISOString() };
  const key = `${locksPath(stack)}/lock.json`;
  await bucket.put(key, JSON.stringify(lock));
  await owner.ensure();
  let released = 0;
  const others = Array.from({ length: waiters }, () => waitForLocks(store, { onReleased: () => released++ }));
  const left = async () => [await store.locks(), await store.records()].map(({ size }) => size);
  return {
    owner,
    others: Promise.all(others),
    unlock: () => bucket.deleteAll([key]),
    released: () => released,
    left,
  };
}

describe.each(Object.entries(places))(`with the state in a %s (seed ${seed})`, (_name, open) => {
  it.each([2, 10])(
    "one of %i waiting runs releases the lock of a lost one",
    { timeout: 60_000 },
    async (waiters) => {
      const { owner, others, released, left } = await begin(await open(), waiters);
      expect(await pass(others)).toEqual(Array.from({ length: waiters }, () => undefined));
      expect(released()).toBe(1);
      expect(await left()).toEqual([0, 0]);
      await expect(pass(owner.ensure() ?? Promise.resolve())).rejects.toMatchObject({ code: "lock-lost" });
      await pass(owner.end());
      expect(await left()).toEqual([0, 0]);
    },
  );

  it(
    "a run that wakes at the same moment keeps its lock, or sends nothing more",
    { timeout: 120_000 },
    async () => {
      const bucket = await open();
      const outcomes: string[] = [];
      for (let round = 0; round < 20; round++) {
        const { owner, others, unlock, released, left } = await begin(bucket, 10);
        for (let waited = 0; waited < 58 + random.below(8); waited++) await second();
        await sleep(random.below(12));
        const outcome = await pass(owner.ensure() ?? Promise.resolve()).then(
          () => "keeps it",
          ({ code }: { code: string }) => code,
        );
        outcomes.push(outcome);
        if (outcome === "keeps it") {
          expect([released(), (await left())[0]]).toEqual([0, 1]);
          await unlock();
        } else expect([outcome, released()]).toEqual(["lock-lost", 1]);
        await pass(owner.end());
        await pass(others);
        expect(await left()).toEqual([0, 0]);
      }
      // Otherwise the moments were not those of which this test is about.
      expect(new Set(outcomes).size, outcomes.join(", ")).toBe(2);
    },
  );
});
