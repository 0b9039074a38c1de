/** Tests which places of states are opened, and what is found there. */
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { isBucketAddress, openBucket, openPlace } from "../../recovery/open-bucket.js";
import { openJournals } from "../../recovery/open-journal.js";
import { listLockedStacks, openLocks } from "../../recovery/open-locks.js";
import { createFolderAddress } from "../../trust/backend.js";
import { StateAddress } from "../../trust/state-address.js";
import { temporaryFolder } from "../cli/support.js";

const stack = { project: "shop", stack: "dev" };
const at = (address: string) => new StateAddress(address);
const S3 = at("s3://state/fleet?region=eu-west-1");
const keys = { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "s" };

let folder: string;
let backend: StateAddress;
beforeEach(() => {
  folder = temporaryFolder();
  backend = createFolderAddress(folder);
});

function write(path: string, text = "{}"): void {
  const file = join(folder, ".pulumi", path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

describe("the place of a state", () => {
  it("may be a folder or a bucket", async () => {
    expect((await openPlace(backend, {}))?.name).toBe(folder);
    expect((await openPlace(S3, keys))?.name).toBe("s3://state/fleet");
    expect(["s3://a", "azblob://a", "gs://a", "postgres://a"].map(at).every(isBucketAddress)).toBe(true);
  });

  it.each(["https://api.pulumi.com", "mem://", "s3", "s3:state"])("is not read at %s", async (text) => {
    const address = at(text);
    expect(isBucketAddress(address)).toBe(false);
    expect(await openPlace(address, keys)).toBeUndefined();
    expect(await openLocks(address, stack, keys)).toBeUndefined();
    expect(await openJournals(address, stack, keys)).toBeUndefined();
    expect(await listLockedStacks(address, keys)).toEqual([]);
  });

  it("is opened once for the same keys", async () => {
    const first = await openBucket(S3, { ...keys, PATH: "/bin" });
    expect(await openBucket(S3, { ...keys, PATH: "/usr/bin" })).toBe(first);
    expect(await openBucket(S3, { ...keys, AWS_ACCESS_KEY_ID: "b" })).not.toBe(first);
    expect(await openBucket(at(`${S3.whole}&s3ForcePathStyle=true`), keys)).not.toBe(first);
  });

  it("is tried again after it could not be opened", async () => {
    const address = at("s3://another");
    await expect(openBucket(address, keys)).rejects.toThrow("the bucket has no region");
    await expect(openBucket(address, keys)).rejects.toThrow("the bucket has no region");
    await expect(openBucket(at("ftp://state"), {})).rejects.toThrow(
      "ftp: is not the beginning of an address of a bucket",
    );
  });

  it("without its keys has no locks that we can see, since Pulumi may find other keys", async () => {
    expect(await openLocks(S3, stack, {})).toBeUndefined();
    expect(await listLockedStacks(S3, {})).toEqual([]);
    await expect(openJournals(S3, stack, {})).rejects.toThrow("the bucket needs a key");
  });
});

describe("a folder with states", () => {
  it("has the locks of a stack", async () => {
    write("locks/organization/shop/dev/1.json", '{ "pid": 7 }');
    const locks = await (await openLocks(backend, stack, {}))?.locks();
    expect(Object.fromEntries(locks ?? [])).toEqual({ "1.json": { pid: 7 } });
  });

  it("says which stacks are locked, each once", async () => {
    for (const name of ["dev/1.json", "dev/2.json", "prod/3.json", "4.json"])
      write(`locks/organization/shop/${name}`);
    expect(await listLockedStacks(backend, {})).toEqual([
      { project: "shop", stack: "dev" },
      { project: "shop", stack: "prod" },
    ]);
  });

  it("has the journals of a stack, as a bucket has", async () => {
    write("workspacectl/journal/shop/dev/run.jsonl", "a line\n");
    const journals = await openJournals(backend, stack, {});
    expect(Object.fromEntries((await journals?.read()) ?? [])).toEqual({ "run.jsonl": "a line\n" });
    expect((await openJournals(S3, stack, keys))?.name).toBe(
      "s3://state/fleet/.pulumi/workspacectl/journal/shop/dev/",
    );
  });
});
