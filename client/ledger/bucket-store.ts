/**
 * A ledger in an object of an S3-compatible store. A write has the condition that the object is the one that was read, so no process
 * overwrites the change of another.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Bucket, ensureOk, isConflict, Passing, UNLESS_PRESENT } from "./bucket.js";
import { emptyLedger, type BucketCredentials, type Ledger, type LedgerStore } from "./ledger.js";

/** How long other processes may be faster, and how often the store may fail in between. */
const MOST_CONFLICT_MS = 60_000;
const MOST_FAILURES = 5;
const MOST_PAUSE_MS = 500;
/** Pause after the first failure. Doubles with each. */
const PAUSE_MS = 200;

const IF_ANOTHER = { "if-match": '"00000000000000000000000000000000"' };

export class BucketStore implements LedgerStore {
  readonly name: string;
  readonly #bucket: Bucket;
  #isChecked = false;

  /** @throws {Error} without a bucket, a region or a key */
  constructor(
    address: string,
    private readonly file: string,
    credentials: BucketCredentials,
  ) {
    this.#bucket = new Bucket(address, credentials);
    this.name = `${this.#bucket.name}/${file}`;
  }

  async change<T>(change: (ledger: Ledger) => T): Promise<T> {
    const until = Date.now() + MOST_CONFLICT_MS;
    let [conflicts, failures] = [0, 0];
    for (;;) {
      let pauseMs: number;
      try {
        await this.#ensureConditions();
        return await this.#attempt(change);
      } catch (error) {
        if (!(error instanceof Passing)) throw error;
        pauseMs =
          error instanceof Conflict
            ? Math.min(MOST_PAUSE_MS, 20 * 2 ** ++conflicts)
            : PAUSE_MS * 2 ** failures++;
        if (failures === MOST_FAILURES || Date.now() > until) throw error;
      }
      // Processes that failed at the same time do not try again at the same time.
      await sleep(Math.random() * pauseMs);
    }
  }

  /** @throws {Passing} when it may be tried again */
  async #attempt<T>(change: (ledger: Ledger) => T): Promise<T> {
    const read = await this.#bucket.get(this.file);
    const isNew = read.status === 404;
    if (!isNew) ensureOk(read);
    if (!isNew && !read.etag) throw new Error("the store sends no ETag: use another store, or a folder");
    const ledger = isNew ? emptyLedger() : ledgerIn(read.text);
    const result = change(ledger);
    const text = JSON.stringify(ledger);
    if (text === read.text) return result;
    const condition = read.etag && !isNew ? { "if-match": read.etag } : UNLESS_PRESENT;
    const written = await this.#bucket.put(this.file, text, condition);
    // An object that was deleted meanwhile is not found.
    if (isConflict(written) || written.status === 404)
      throw new Conflict("other processes were always faster");
    ensureOk(written);
    return result;
  }

  /**
   * A store that ignores conditions would let processes overwrite each other's leases. An object of its own shows it: it cannot be
   * created twice, and not be replaced when it has another version.
   */
  async #ensureConditions(): Promise<void> {
    if (this.#isChecked) return;
    const put = async (condition: Readonly<Record<string, string>>) => {
      const response = await this.#bucket.put("conditions", "conditions", condition);
      if (!isConflict(response)) ensureOk(response);
      return response;
    };
    const isCreated = !isConflict(await put(UNLESS_PRESENT));
    const ignored = [
      isCreated && !isConflict(await put(UNLESS_PRESENT)) ? "If-None-Match" : [],
      isConflict(await put(IF_ANOTHER)) ? [] : "If-Match",
    ].flat();
    if (ignored.length > 0) {
      const which = ignored.join(" and ");
      throw new Error(
        `the store ignores the conditions of writes (${which}): use another store, or a folder`,
      );
    }
    this.#isChecked = true;
  }
}

class Conflict extends Passing {}

/** @throws {Error} without a part of the text: another object could contain a secret */
function ledgerIn(text: string): Ledger {
  try {
    return JSON.parse(text) as Ledger;
  } catch {
    throw new Error("the object is not a ledger: delete it, or use another prefix");
  }
}
