/** Opens the journals of a stack where its state is. */
import { join } from "node:path";
import { findFolder } from "../trust/backend.js";
import type { StateAddress } from "../trust/state-address.js";
import type { StoreEnvironment } from "./bucket.js";
import { BucketStore } from "./bucket-store.js";
import type { StackName } from "./lock-store.js";
import { openPlace } from "./open-bucket.js";
import { FolderStore, type JournalStore, locateJournals } from "./stores.js";

/** @returns undefined for Pulumi's own service, and for stores that we cannot read */
export async function openJournals(
  backend: StateAddress,
  { project, stack }: StackName,
  env: StoreEnvironment,
): Promise<JournalStore | undefined> {
  const folder = `.pulumi/${locateJournals(project, stack)}`;
  const root = findFolder(backend);
  if (root !== undefined) return new FolderStore(join(root, folder));
  const bucket = await openPlace(backend, env);
  return bucket && new BucketStore(bucket, `${folder}/`);
}
