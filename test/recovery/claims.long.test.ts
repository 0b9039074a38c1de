/**
 * Of several runs that claim the lock of a lost one at the same time, one gets it: in a folder, in a bucket, which needs Go, and in the stores
 * that the environment names.
 */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Bucket } from "../../recovery/bucket.js";
import { FolderBucket } from "../../recovery/folder-bucket.js";
import { BucketLocks } from "../../recovery/lock-store.js";
import { openBucket } from "../../recovery/open-bucket.js";
import { StateAddress } from "../../trust/state-address.js";
import { missingGo } from "../e2e/language-hosts.js";
import { type OtherStore, otherStores } from "../e2e/other-stores.js";
import { type ObjectStore, objectStoreForTests } from "../e2e/s3.js";
import { isolated, pulumi, temporaryFolder } from "../e2e/support.js";

const skip = await missingGo();
let server: ObjectStore;
beforeAll(async () => {
  if (skip === undefined) server = await objectStoreForTests();
}, 600_000);

const places: Readonly<Record<string, () => Promise<Bucket>>> = {
  folder: () => Promise.resolve(new FolderBucket(temporaryFolder())),
  ...(skip === undefined ? { bucket: () => openBucket(new StateAddress(server.backend), server.env) } : {}),
  ...Object.fromEntries(
    Object.entries(otherStores()).map(([name, placeOf]) => [name, async () => usedByPulumi(await placeOf())]),
  ),
};

/** Pulumi makes its table in a database along with the first stack. */
async function usedByPulumi({ bucket, env }: OtherStore & { readonly bucket: Bucket }): Promise<Bucket> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "Pulumi.yaml"), "name: shop\nruntime: yaml\n");
  const { code, stderr } = await pulumi(["stack", "init", "dev"], folder, isolated(folder, env));
  expect(code, stderr).toBe(0);
  return bucket;
}

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
