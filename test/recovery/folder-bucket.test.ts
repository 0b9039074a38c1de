/** Tests a folder as a place of locks and states. */
import { mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { FolderBucket } from "../../recovery/folder-bucket.js";
import { temporaryFolder } from "../cli/support.js";

describe("a folder as a bucket", () => {
  let folder: string;
  let bucket: FolderBucket;
  beforeEach(() => {
    folder = join(temporaryFolder(), "state");
    bucket = new FolderBucket(folder);
  });

  it("returns what was written last", async () => {
    expect(await bucket.text("locks/web/one.json")).toBeUndefined();
    await bucket.put("locks/web/one.json", "first");
    await bucket.put("locks/web/one.json", "second");
    expect(await bucket.text("locks/web/one.json")).toBe("second");
    expect(readdirSync(join(folder, "locks/web"))).toEqual(["one.json"]);
    expect(statSync(join(folder, "locks/web/one.json")).mode & 0o777).toBe(0o600);
  });

  it("creates an object, but does not replace one", async () => {
    expect(await bucket.create("claims/1", "ours")).toBe(true);
    expect(await bucket.create("claims/1", "theirs")).toBe(false);
    expect(await bucket.text("claims/1")).toBe("ours");
    expect(statSync(join(folder, "claims/1")).mode & 0o777).toBe(0o600);
  });

  it("lists objects in the order of their keys, also in folders, but none that is being written", async () => {
    expect(await bucket.list("locks/")).toEqual([]);
    for (const key of ["locks/web/b", "locks/web/a", "locks/api/c", "lockset", "other/d"])
      await bucket.put(key, "x");
    writeFileSync(join(folder, "locks/web/e.tmp"), "x");
    expect(await bucket.list("locks/")).toEqual(["locks/api/c", "locks/web/a", "locks/web/b"]);
    expect(await bucket.list("locks/web/a")).toEqual(["locks/web/a"]);
    expect(await bucket.list("lock")).toEqual(["locks/api/c", "locks/web/a", "locks/web/b", "lockset"]);
  });

  it("deletes objects, and what a killed run was writing, if they exist", async () => {
    await bucket.put("a", "x");
    await bucket.put("b", "x");
    await bucket.put("c", "x");
    writeFileSync(join(folder, "b.tmp"), "x");
    await bucket.deleteAll(["a", "b", "missing"]);
    expect(readdirSync(folder)).toEqual(["c"]);
  });

  it("fails where a folder is in the place of an object, or an object in that of a folder", async () => {
    mkdirSync(join(folder, "a/b"), { recursive: true });
    await expect(bucket.text("a")).rejects.toThrow("EISDIR");
    await bucket.put("file", "x");
    await expect(bucket.list("file/")).rejects.toThrow("ENOTDIR");
    await expect(bucket.create("file/b", "x")).rejects.toThrow();
  });
});
