/**
 * A ledger in an object of an S3-compatible store. A write has the condition that the object is the one that was read, so no process
 * overwrites the change of another.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { readAddress } from "../address.js";
import { openConnections, type Send } from "../send.js";
import { readBucketAddress, type BucketAddress } from "./bucket-address.js";
import { emptyLedger, type BucketCredentials, type Ledger, type LedgerStore } from "./ledger.js";

const TIMEOUT_MS = 10_000;
/** How long other processes may be faster, and how often the store may fail in between. */
const MOST_CONFLICT_MS = 60_000;
const MOST_FAILURES = 5;
const MOST_PAUSE_MS = 500;
/** Pause after the first failure. Doubles with each. */
const PAUSE_MS = 200;
/** Another process was faster. */
const CONFLICTS = [409, 412];
const PASSING = [408, 429, 500, 502, 503, 504];

const UNLESS_PRESENT = { "if-none-match": "*" };
const IF_ANOTHER = { "if-match": '"00000000000000000000000000000000"' };

interface StoreResponse {
  readonly status: number;
  /** Version of the object. */
  readonly etag: string | undefined;
  readonly text: string;
}

export class BucketStore implements LedgerStore {
  readonly name: string;
  readonly #address: BucketAddress;
  readonly #send: Send;
  #isChecked = false;

  /** @throws {Error} without a bucket, a region or a key */
  constructor(
    address: string,
    private readonly file: string,
    private readonly credentials: BucketCredentials,
  ) {
    this.#address = readBucketAddress(address, credentials.region);
    this.name = `${this.#address.name}/${file}`;
    const missing = [
      credentials.accessKeyId ? [] : "AWS_ACCESS_KEY_ID",
      credentials.secretAccessKey ? [] : "AWS_SECRET_ACCESS_KEY",
    ].flat();
    if (missing.length > 0) throw new Error(`the bucket needs a key: set ${missing.join(" and ")}`);
    this.#send = openConnections(readAddress(this.#address.origin, true), {
      timeouts: {
        connectMs: TIMEOUT_MS,
        headersMs: TIMEOUT_MS,
        bodyMs: TIMEOUT_MS,
        answerMs: TIMEOUT_MS,
      },
      connections: 2,
      ca: undefined,
    }).send;
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
    const read = await this.#request("GET", this.file);
    const isNew = read.status === 404;
    if (!isNew) ensureOk(read);
    if (!isNew && !read.etag) throw new Error("the store sends no ETag: use another store, or a folder");
    const ledger = isNew ? emptyLedger() : ledgerIn(read.text);
    const result = change(ledger);
    const text = JSON.stringify(ledger);
    if (text === read.text) return result;
    const condition = read.etag && !isNew ? { "if-match": read.etag } : UNLESS_PRESENT;
    const written = await this.#request("PUT", this.file, condition, text);
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
      const response = await this.#request("PUT", "conditions", condition, "conditions");
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

  async #request(
    method: "GET" | "PUT",
    file: string,
    condition: Readonly<Record<string, string>> = {},
    body?: string,
  ): Promise<StoreResponse> {
    const { origin, path, region } = this.#address;
    const { accessKeyId, secretAccessKey, sessionToken } = this.credentials;
    const hash = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const target = `${path}${file}`;
    const signed = await new AwsV4Signer({
      ...{ method, url: `${origin}${target}`, service: "s3", region, accessKeyId, secretAccessKey },
      ...(sessionToken ? { sessionToken } : {}),
      headers: { ...condition, "x-amz-content-sha256": hash },
    }).sign();
    const headers = Object.fromEntries(signed.headers);
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const { status, header, text } = await this.#send({ method, target, headers, body, signal });
      return { status, etag: header("etag"), text };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Passing(`${origin} does not respond: ${code ?? message}`);
    }
  }
}

/** A failure that may be gone at the next attempt. */
class Passing extends Error {}

class Conflict extends Passing {}

function isConflict({ status }: StoreResponse): boolean {
  return CONFLICTS.includes(status);
}

/** @throws {Passing} when another attempt may succeed */
function ensureOk({ status, text }: StoreResponse): void {
  if (status === 200) return;
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  const message = `the store responded with ${status}${code === undefined ? "" : ` ${code}`}`;
  throw PASSING.includes(status) ? new Passing(message) : new Error(message);
}

/** @throws {Error} without a part of the text: another object could contain a secret */
function ledgerIn(text: string): Ledger {
  try {
    return JSON.parse(text) as Ledger;
  } catch {
    throw new Error("the object is not a ledger: delete it, or use another prefix");
  }
}
