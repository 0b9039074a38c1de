/** Races for a lock, as several machines run them. */
import { randomUUID } from "node:crypto";
import { BucketLocks } from "../../recovery/lock-store.js";
import type { OpenStore } from "./questions.js";

const RUNS = 50;

/** How many of 50 runs get the same claim to the lock of a lost one. */
export async function raceForClaim(open: OpenStore): Promise<number> {
  const stack = { project: "race", stack: randomUUID() };
  const runs = await Promise.all(
    Array.from({ length: RUNS }, async () => new BucketLocks(await open(), stack)),
  );
  const got = await Promise.all(runs.map((locks, i) => locks.claim("lost.json", 1, `run-${i}`)));
  return got.filter(Boolean).length;
}

/**
 * In how many of 50 rounds two machines have the lock at the same time that Pulumi's engine takes: each writes a lock of its own, lists those of the
 * stack, and gives up when there is another.
 */
export async function raceForLock(open: OpenStore): Promise<number> {
  const machines = [await open(), await open()];
  let shared = 0;
  for (let round = 0; round < RUNS; round += 1) {
    const folder = `.pulumi/locks/organization/race/${randomUUID()}/`;
    const holders = await Promise.all(
      machines.map(async (bucket) => {
        const key = `${folder}${randomUUID()}.json`;
        if ((await bucket.list(folder)).length > 0) return false;
        await bucket.put(key, "{}");
        return (await bucket.list(folder)).every((one) => one === key);
      }),
    );
    if (holders.every(Boolean)) shared += 1;
  }
  return shared;
}
