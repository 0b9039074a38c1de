/** Of several runs that claim the lock of a lost one at the same time, one gets it: in a folder, and in a bucket, which needs Go. */
import { beforeAll, describe, expect, it } from "vitest";
import type { Bucket } from "../../recovery/bucket.js";
import { FolderBucket } from "../../recovery/folder-bucket.js";
import { BucketLocks } from "../../recovery/lock-store.js";
import { openBucket } from "../../recovery/open-bucket.js";
import { missingGo } from "../e2e/language-hosts.js";
import { objectStoreForTests, type ObjectStore } from "../e2e/s3.js";
import { temporaryFolder } from "../e2e/support.js";

const skip = await missingGo();
let server: ObjectStore;
beforeAll(async () => {
  if (skip === undefined) server = await objectStoreForTests();
}, 600_000);

const places: Readonly<Record<string, () => Promise<Bucket>>> = {
  folder: () => Promise.resolve(new FolderBucket(temporaryFolder())),
  ...(skip === undefined ? { bucket: () => openBucket(server.backend, server.env) } : {}),
};

describe.each(Object.entries(places))("claims in a %s", (_name, open) => {
  it("of ten runs go to one, and the next one again to one", async () => {
    const locks = new BucketLocks(await open(), { project: "shop", stack: "dev" });
    const runs = Array.from({ length: 10 }, (_, index) => `run-${index}`);
    for (let number = 1; number <= 20; number++) {
      const got = await Promise.all(runs.map((by) => locks.claim("record.json", number, by)));
      expect(got.filter(Boolean), `claim ${number}`).toHaveLength(1);
    }
  });
});
