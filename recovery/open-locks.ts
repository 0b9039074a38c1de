/** Opens the locks of a stack where its state is. */
import type { StateAddress } from "../trust/state-address.js";
import type { Bucket, StoreEnvironment } from "./bucket.js";
import { BucketLocks, LOCKS, type LockStore, type StackName } from "./lock-store.js";
import { openPlace } from "./open-bucket.js";

/** @returns undefined for Pulumi's own service, which knows what is lost, and for stores that we cannot read */
export async function openLocks(
  backend: StateAddress,
  stack: StackName,
  env: StoreEnvironment,
): Promise<LockStore | undefined> {
  const bucket = await findBucket(backend, env);
  return bucket && new BucketLocks(bucket, stack);
}

/** The stacks of a backend that are locked. */
export async function listLockedStacks(
  backend: StateAddress,
  env: StoreEnvironment,
): Promise<readonly StackName[]> {
  const keys = (await (await findBucket(backend, env))?.list(`${LOCKS}/`)) ?? [];
  const found = new Map<string, StackName>();
  for (const key of keys) {
    const [project, stack, name] = key.slice(LOCKS.length + 1).split("/");
    if (project && stack && name) found.set(`${project}/${stack}`, { project, stack });
  }
  return [...found.values()];
}

async function findBucket(backend: StateAddress, env: StoreEnvironment): Promise<Bucket | undefined> {
  try {
    return await openPlace(backend, env);
  } catch {
    // Its client is not installed, or the keys are not in the environment, and Pulumi finds others.
    return undefined;
  }
}
