/** Opens the locks of a stack where its state is. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StoreEnvironment } from "./bucket.js";
import { isBucketAddress, openBucket } from "./open-bucket.js";
import { BucketLocks, FolderLocks, LOCKS, type LockStore, type StackName } from "./lock-store.js";

/** @returns undefined for Pulumi's own service, which knows what is lost, and for stores that we cannot read */
export async function openLocks(
  backend: string,
  stack: StackName,
  env: StoreEnvironment,
): Promise<LockStore | undefined> {
  if (backend.startsWith("file:")) return new FolderLocks(join(fileURLToPath(backend), ".pulumi"), stack);
  if (!isBucketAddress(backend)) return undefined;
  try {
    return new BucketLocks(await openBucket(backend, env), stack);
  } catch {
    // Its client is not installed, or the keys are not in the environment, and Pulumi finds others.
    return undefined;
  }
}

/** The stacks of a backend that are locked. */
export async function lockedStacks(backend: string, env: StoreEnvironment): Promise<readonly StackName[]> {
  const found = new Map<string, StackName>();
  for (const path of await lockPaths(backend, env)) {
    const [project, stack, name] = path.split("/");
    if (project && stack && name) found.set(`${project}/${stack}`, { project, stack });
  }
  return [...found.values()];
}

async function lockPaths(backend: string, env: StoreEnvironment): Promise<readonly string[]> {
  if (backend.startsWith("file:")) {
    const folder = join(fileURLToPath(backend), ".pulumi", LOCKS);
    if (!existsSync(folder)) return [];
    return readdirSync(folder, { recursive: true }).map((path) => String(path).replaceAll("\\", "/"));
  }
  if (!isBucketAddress(backend)) return [];
  const keys = await (await openBucket(backend, env)).list(`.pulumi/${LOCKS}/`);
  return keys.map((key) => key.slice(`.pulumi/${LOCKS}/`.length));
}
