/** Tests a journal in a bucket: which lines share a write, and what a lost connection does. */
import { describe, expect, it } from "vitest";
import { Passing, type Bucket } from "../../recovery/bucket.js";
import { BucketStore } from "../../recovery/bucket-store.js";

/** A bucket in memory whose writes end when the test says so. */
function bucketForTests() {
  const objects = new Map<string, string>();
  const waiting: (() => void)[] = [];
  const failures: Error[] = [];
  const bucket: Bucket = {
    name: "s3://state",
    list: (prefix: string) =>
      Promise.resolve([...objects.keys()].filter((key) => key.startsWith(prefix)).toSorted()),
    text: (key: string) => Promise.resolve(objects.get(key)),
    async put(key: string, text: string) {
      await new Promise<void>((resolve) => waiting.push(resolve));
      const failure = failures.shift();
      if (failure) throw failure;
      objects.set(key, text);
    },
    create: () => Promise.reject(new Error("a journal needs no condition")),
    deleteAll: (keys) => Promise.resolve(keys.forEach((key) => objects.delete(key))),
  };
  const release = async () => {
    while (waiting.length > 0) {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { objects, waiting, failures, release, store: new BucketStore(bucket, "journal/") };
}

describe("a journal in a bucket", () => {
  it("writes lines of parallel operations together, and ends none before it is stored", async () => {
    const { store, objects, waiting, release } = bucketForTests();
    const lines = Array.from({ length: 20 }, (_, n) => `{"key":"${n}"}`);
    let stored = 0;
    const written = lines.map((line) => store.append("run.jsonl", line).then(() => stored++));
    await new Promise((resolve) => setImmediate(resolve));
    expect([waiting.length, stored]).toEqual([4, 0]);
    await release();
    await Promise.all(written);
    expect(objects.size).toBe(5);
    expect([...(await store.read()).entries()]).toEqual([
      ["run.jsonl", lines.map((line) => `${line}\n`).join("")],
    ]);
    await store.remove("run.jsonl");
    expect(objects.size).toBe(0);
  });

  it("stores a line that can wait along with the next one", async () => {
    const { store, objects, waiting, release } = bucketForTests();
    const one = store.append("run.jsonl", "made", true);
    expect(waiting).toHaveLength(0);
    const two = store.append("run.jsonl", "intent");
    await release();
    await Promise.all([one, two]);
    expect([...objects.values()]).toEqual(["made\nintent\n"]);
  });

  it("tries again while the store is away, and fails when it refuses", async () => {
    const { store, objects, failures, waiting } = bucketForTests();
    const releasing = setInterval(() => waiting.shift()?.(), 1);
    failures.push(new Passing("away"), new Passing("away"));
    await store.append("run.jsonl", "intent");
    expect([...objects.values()]).toEqual(["intent\n"]);
    failures.push(new Error("the store responded with 403 AccessDenied"));
    await expect(store.append("run.jsonl", "refused")).rejects.toThrow("AccessDenied");
    clearInterval(releasing);
  });

  it("of an earlier run is continued in an object of its own", async () => {
    const { store, objects, waiting } = bucketForTests();
    objects.set("journal/run.000000.jsonl", "intent\n");
    await store.read();
    const releasing = setInterval(() => waiting.shift()?.(), 1);
    await store.append("run.jsonl", "closed");
    clearInterval(releasing);
    expect([...objects.keys()]).toEqual(["journal/run.000000.jsonl", "journal/run.000001.jsonl"]);
  });
});
