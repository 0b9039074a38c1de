/** An S3 server for tests. */
import { afterAll } from "vitest";
import { type ObjectStore, startObjectStore } from "../object-store.js";

export type { ObjectStore } from "../object-store.js";

/** Starts a server that ends after the tests of the file. */
export async function objectStoreForTests(latencyMs?: number): Promise<ObjectStore> {
  const store = await startObjectStore(latencyMs);
  afterAll(() => store.close());
  return store;
}
