/** Tests a journal in a bucket: which lines share a write, and what a lost connection does. */
import { afterEach, describe, expect, it, vi } from "vitest";
import { type Bucket, Passing } from "../../recovery/bucket.js";
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
    await vi.waitUntil(() => waiting.length > 0, { interval: 1, timeout: 600_000 });
    while (waiting.length > 0) {
      waiting.shift()?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { bucket, objects, waiting, failures, release, store: new BucketStore(bucket, "journal/") };
}

describe("a journal in a bucket", () => {
  it("writes lines of parallel operations together, and ends none before it is stored", async () => {
    const { store, objects, waiting } = bucketForTests();
    const lines = Array.from({ length: 20 }, (_, n) => `{"key":"${n}"}`);
    let stored = 0;
    const append = (line: string) => store.append("run.jsonl", line).then(() => stored++);
    const written: Promise<number>[] = [];
    for (const n of [1, 2, 3, 4]) {
      written.push(append(lines[2 * n - 2] ?? ""), append(lines[2 * n - 1] ?? ""));
      await vi.waitUntil(() => waiting.length === n, { interval: 1, timeout: 600_000 });
    }
    written.push(...lines.slice(8).map(append));
    expect([waiting.length, stored]).toEqual([4, 0]);
    const releasing = setInterval(() => waiting.shift()?.(), 1);
    await Promise.all(written);
    clearInterval(releasing);
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

  it("is called by its folder, and reads nothing but journals", async () => {
    const { store, objects } = bucketForTests();
    expect(store.name).toBe("s3://state/journal/");
    objects.set("journal/run.000000.jsonl", "one\n");
    objects.set("journal/run.000001.jsonl", "two\n");
    objects.set("journal/other.000003.jsonl", "three\n");
    objects.set("journal/notes.txt", "no journal");
    for (let n = 0; n < 20; n++) objects.set(`journal/many-${n}.000000.jsonl`, `${n}\n`);
    const files = await store.read();
    expect(files.size).toBe(22);
    expect([files.get("run.jsonl"), files.get("other.jsonl")]).toEqual(["one\ntwo\n", "three\n"]);
    expect(files.get("many-19.jsonl")).toBe("19\n");
  });

  it("has no line of a run that ends while others read", async () => {
    const { bucket, objects, store } = bucketForTests();
    objects.set("journal/run.000000.jsonl", "one\n");
    bucket.text = () => Promise.resolve(undefined);
    expect([...(await store.read())]).toEqual([["run.jsonl", ""]]);
  });

  it("is removed with all its objects, but without the lines that wait", async () => {
    const { store, bucket, objects, waiting } = bucketForTests();
    const deleted: number[] = [];
    const deleteAll = bucket.deleteAll.bind(bucket);
    bucket.deleteAll = (keys) => {
      deleted.push(keys.length);
      return deleteAll(keys);
    };
    for (let n = 0; n < 1001; n++) objects.set(`journal/run.${String(n).padStart(6, "0")}.jsonl`, "x\n");
    await store.read();
    void store.append("run.jsonl", "can wait", true);
    await store.remove("run.jsonl");
    expect([objects.size, waiting.length, deleted]).toEqual([0, 0, [1000, 1]]);
  });

  it("is removed after the writes that are under way", async () => {
    const { store, objects, waiting, release } = bucketForTests();
    void store.append("run.jsonl", "intent");
    await vi.waitUntil(() => waiting.length > 0, { interval: 1, timeout: 600_000 });
    const removed = store.remove("run.jsonl");
    await release();
    await removed;
    expect(objects.size).toBe(0);
  });

  it("tells each line of a failed write that it was not stored", async () => {
    const { store, objects, failures, release } = bucketForTests();
    failures.push(new Error("denied"));
    const lost = ["one", "two"].map((line) =>
      store.append("run.jsonl", line).catch((error: Error) => error.message),
    );
    await release();
    const stored = store.append("run.jsonl", "stored");
    await release();
    expect([await Promise.all(lost), await stored]).toEqual([["denied", "denied"], undefined]);
    expect([...objects.values()]).toEqual(["stored\n"]);
  });
});

describe("a line that can wait", () => {
  afterEach(() => void vi.useRealTimers());

  it("is stored after a moment, together with others", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const { store, objects, waiting } = bucketForTests();
    const lines = ["one", "two"].map((line) => store.append("run.jsonl", line, true));
    await vi.advanceTimersByTimeAsync(199);
    expect(waiting).toHaveLength(0);
    await vi.advanceTimersByTimeAsync(1);
    waiting.shift()?.();
    await Promise.all(lines);
    expect([...objects.values()]).toEqual(["one\ntwo\n"]);
  });
});
