/** Opens the locks of a stack where its state is. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { BucketCredentials } from "./bucket-address.js";
import type { Bucket } from "./bucket.js";
import { BucketLocks, FolderLocks, LOCKS, type LockStore, type StackName } from "./lock-store.js";

/** @returns undefined for Pulumi's own service, which knows what is lost, and for stores that we cannot read */
export async function openLocks(
  backend: string,
  stack: StackName,
  credentials: BucketCredentials,
): Promise<LockStore | undefined> {
  if (backend.startsWith("file:")) return new FolderLocks(join(fileURLToPath(backend), ".pulumi"), stack);
  if (!backend.startsWith("s3://")) return undefined;
  try {
    return new BucketLocks(await bucketAt(backend, credentials), stack);
  } catch {
    // The keys are not in the environment, and Pulumi finds others.
    return undefined;
  }
}

/** The stacks of a backend that are locked. */
export async function lockedStacks(
  backend: string,
  credentials: BucketCredentials,
): Promise<readonly StackName[]> {
  const found = new Map<string, StackName>();
  for (const path of await lockPaths(backend, credentials)) {
    const [project, stack, name] = path.split("/");
    if (project && stack && name) found.set(`${project}/${stack}`, { project, stack });
  }
  return [...found.values()];
}

async function lockPaths(backend: string, credentials: BucketCredentials): Promise<readonly string[]> {
  if (backend.startsWith("file:")) {
    const folder = join(fileURLToPath(backend), ".pulumi", LOCKS);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true }).map((path) => String(path).replaceAll("\\", "/"));
  }
  if (!backend.startsWith("s3://")) return [];
  const keys = await (await bucketAt(backend, credentials)).list(`.pulumi/${LOCKS}/`);
  return keys.map((key) => key.slice(`.pulumi/${LOCKS}/`.length));
}

/** Those of this process, because each has connections of its own. A command looks at the place of its state several times. */
const buckets = new Map<string, Bucket>();

/** @throws {Error} without a bucket, a region or a key */
export async function bucketAt(address: string, credentials: BucketCredentials): Promise<Bucket> {
  const key = JSON.stringify([address, credentials]);
  let bucket = buckets.get(key);
  if (bucket === undefined) {
    const { Bucket } = await import("./bucket.js");
    bucket = new Bucket(address, credentials, 4);
    buckets.set(key, bucket);
  }
  return bucket;
}
