/** Tests which locks, records and claims there are in a bucket. */
import { beforeEach, describe, expect, it } from "vitest";
import type { Bucket } from "../../recovery/bucket.js";
import { BucketLocks, type LockRecord } from "../../recovery/lock-store.js";

const LOCKS = ".pulumi/locks/organization/shop/dev/";
const RECORDS = ".pulumi/workspacectl/lock-holders/shop/dev/";
const record: LockRecord = { beat: 3, pid: 7, hostname: "one", since: "2026-03-04T12:00:00Z" };

let objects: Map<string, string>;
/** Keys that only another user may read. */
let denied: Set<string>;
/** Keys that are listed, and removed before they are read. */
let ended: Set<string>;
let bucket: Bucket;
let store: BucketLocks;

beforeEach(() => {
  objects = new Map();
  denied = new Set();
  ended = new Set();
  bucket = {
    name: "memory",
    text: (key) =>
      denied.has(key)
        ? Promise.reject(new Error("denied"))
        : Promise.resolve(ended.has(key) ? undefined : objects.get(key)),
    put: (key, body) => Promise.resolve(void objects.set(key, body)),
    create: (key, body) => Promise.resolve(!objects.has(key) && objects.set(key, body).has(key)),
    deleteAll: (keys) => Promise.resolve(keys.forEach((key) => objects.delete(key))),
    list: (prefix) => Promise.resolve([...objects.keys()].filter((key) => key.startsWith(prefix))),
  };
  store = new BucketLocks(bucket, { project: "shop", stack: "dev" });
});

describe("the locks of a stack", () => {
  it("are those that Pulumi wrote, by their names", async () => {
    objects.set(`${LOCKS}a.json`, '{ "pid": 7, "username": "ann" }');
    objects.set(`${LOCKS}a.json.attrs`, "{}");
    objects.set(".pulumi/locks/organization/shop/dev2/b.json", "{}");
    expect(Object.fromEntries(await store.locks())).toEqual({ "a.json": { pid: 7, username: "ann" } });
    expect(await store.hasLock("a.json")).toBe(true);
    expect(await store.hasLock("b.json")).toBe(false);
  });

  it("are none when a server shows their emptied folder, which is removed for Pulumi", async () => {
    const removed: string[] = [];
    bucket.removeEmptyFolder = (folder) => Promise.resolve(void removed.push(folder));
    expect((await store.locks()).size).toBe(0);
    await store.remove("a.json", 0);
    objects.set(`${LOCKS}a.json`, "{}");
    await store.locks();
    expect(removed).toEqual([LOCKS, LOCKS]);
    bucket.removeEmptyFolder = () => Promise.reject(new Error("denied"));
    await expect(store.remove("a.json", 0)).resolves.toBeUndefined();
  });

  it("are empty while they are being written, and where only their own user may read them", async () => {
    objects.set(`${LOCKS}a.json`, '{ "pid": ');
    objects.set(`${LOCKS}b.json`, '{ "pid": 7 }');
    denied.add(`${LOCKS}b.json`);
    expect(Object.fromEntries(await store.locks())).toEqual({ "a.json": {}, "b.json": {} });
  });

  it("that go while they are read are none", async () => {
    objects.set(`${LOCKS}a.json`, "{}");
    ended.add(`${LOCKS}a.json`);
    expect((await store.locks()).size).toBe(0);
  });

  it("are removed with what Pulumi writes next to them in a folder", async () => {
    for (const name of ["a.json", "a.json.attrs", "b.json"]) objects.set(LOCKS + name, "{}");
    await store.removeLock("a.json");
    expect([...objects.keys()]).toEqual([`${LOCKS}b.json`]);
  });
});

describe("the records of a stack", () => {
  it("are those of the runs, with the number of claims to each", async () => {
    await store.write("1.json", record);
    await store.write("2.json", { ...record, pid: 8 });
    expect(await store.claim("1.json", 1, "we")).toBe(true);
    expect(await store.claim("1.json", 2, "we")).toBe(true);
    objects.set(`${RECORDS}3.json`, "{");
    expect(Object.fromEntries(await store.records())).toEqual({
      "1.json": { ...record, claims: 2 },
      "2.json": { ...record, pid: 8, claims: 0 },
    });
  });

  it("are claimed by one run only", async () => {
    await store.write("1.json", record);
    expect(await store.claim("1.json", 1, "we")).toBe(true);
    expect(await store.claim("1.json", 1, "they")).toBe(false);
    expect(await store.claim("1.json", 1, "we")).toBe(true);
    expect(await store.claim("1.json", 2, "they")).toBe(true);
  });

  it("are removed with their claims", async () => {
    await store.write("1.json", record);
    await store.write("2.json", record);
    for (const number of [1, 2]) await store.claim("1.json", number, "we");
    await store.claim("2.json", 1, "we");
    await store.remove("1.json", 2);
    expect([...objects.keys()]).toEqual([`${RECORDS}2.json`, `${RECORDS}2.json.1`]);
  });
});
