/** A place that stores objects by key, and holds states: one file per kind of store implements it. */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";

export interface Bucket {
  /** The address without settings, for messages. */
  readonly name: string;
  /** The text of an object; undefined when it does not exist. @throws {Passing} when another attempt may succeed */
  text(key: string): Promise<string | undefined>;
  /** Writes an object in one step. @throws {Passing} as `text` */
  put(key: string, body: string): Promise<void>;
  /**
   * Writes an object, unless there is one with this key. A store that knows no such condition writes it in any case.
   * @returns whether the store wrote it
   * @throws {Passing} as `text`
   */
  create(key: string, body: string): Promise<boolean>;
  /** Deletes objects, of which some may not exist. @throws {Error} when one of them may still exist */
  deleteAll(keys: readonly string[]): Promise<void>;
  /** The keys that begin with a prefix. */
  list(prefix: string): Promise<string[]>;
  /** Removes the object that some servers show in the place of an emptied folder. @param folder with a slash at the end */
  removeEmptyFolder?(folder: string): Promise<void>;
  /** Makes the place as Pulumi does, and undoes it. @param alsoAgain one that is there, too @throws {Error} when the store refuses that */
  rehearseOpening?(alsoAgain: boolean): Promise<void>;
}

/** Variables of the environment, where Pulumi finds the keys of a bucket. */
export type StoreEnvironment = Readonly<Record<string, string | undefined>>;

/** A failure that may be gone at the next attempt. */
export class Passing extends Error {}

/** There is no place for objects yet. Pulumi makes it along with the first stack. */
export class NotMadeYet extends Error {}

const PASSING = [408, 429, 500, 502, 503, 504];

/** The error for a response of a store. @param status undefined when there was none */
export function storeError(status: number | undefined, message: string): Error {
  return status === undefined || PASSING.includes(status) ? new Passing(message) : new Error(message);
}

/** Maximum time to wait for a store. */
export const STORE_TIMEOUT_MS = 10_000;

/** How long the store may be away, and the longest pause in between. */
const PATIENCE_MS = 60_000;
const MOST_PAUSE_MS = 2_000;
const PAUSE_MS = 100;

/** Tries again while the failure may be gone at the next attempt. */
export async function retryBriefly<T>(work: () => Promise<T>): Promise<T> {
  const until = Date.now() + PATIENCE_MS;
  for (let pauseMs = PAUSE_MS; ; pauseMs = Math.min(MOST_PAUSE_MS, 2 * pauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof Passing) || Date.now() > until) throw error;
      await sleep(Math.random() * pauseMs);
    }
  }
}

/** Whether a store refuses to create an object that exists, as locks need it. Writes one, and deletes it. */
export async function refusesExisting(bucket: Bucket): Promise<boolean> {
  const key = `.pulumi/workspacectl/asked-${randomUUID()}.json`;
  try {
    await bucket.put(key, "{}");
    return !(await bucket.create(key, "{}"));
  } finally {
    await bucket.deleteAll([key]);
  }
}

/** The folder of an address, as keys begin: with a slash at the end, or empty. */
export function getFolderOfAddress(url: URL): string {
  const steps = url.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  return steps.map((step) => `${step}/`).join("");
}
