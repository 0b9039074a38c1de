/** Opens the store of a ledger. */
import { FileStore } from "./file-store.js";
import type { LedgerOptions, LedgerStore } from "./ledger.js";

/** @throws {Error} without a bucket, a region or a key */
export async function openStore(options: LedgerOptions, file: string): Promise<LedgerStore> {
  if ("folder" in options) return new FileStore(options.folder, file);
  // Most runs need no bucket, so they do not load it.
  const { BucketStore } = await import("./bucket-store.js");
  return new BucketStore(options.bucket, file, options.credentials);
}

/**
 * Writes to the place of the ledgers.
 * @throws {Error} when processes cannot share ledgers there
 */
export async function checkLedger(options: LedgerOptions): Promise<void> {
  const store = await openStore(options, "check.json");
  await store.change(() => undefined);
}
