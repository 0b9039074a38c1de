/**
 * A ledger in an object of an S3-compatible store. A write has the condition that the object is the one that was read, so no process
 * overwrites the change of another.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { AwsClient } from "aws4fetch";
import type { Dispatcher } from "undici";
import { readAddress } from "../address.js";
import { emptyLedger, type BucketCredentials, type Ledger, type LedgerStore } from "./ledger.js";

const ATTEMPTS = 60;
const TIMEOUT_MS = 10_000;
const MOST_PAUSE_MS = 400;
/** Somebody else was faster. */
const CONFLICTS = [409, 412];
const PASSING = [408, 429, 500, 502, 503, 504];
const OTHER_VERSION = '"00000000000000000000000000000000"';

const OTHERS = "other processes were always faster";

interface Location {
  readonly origin: string;
  /** Path of the object. */
  readonly path: string;
  readonly region: string;
}

interface StoreResponse {
  readonly status: number;
  /** Version of the object. */
  readonly version: string;
  readonly text: string;
}

interface Stored {
  readonly ledger: Ledger;
  /** Condition under which it may be replaced. */
  readonly condition: Readonly<Record<string, string>>;
}

export class BucketStore implements LedgerStore {
  readonly name: string;
  /** A lease takes two requests to the store, so it is larger than that of a file. */
  readonly mostAtOnce = 64;
  readonly #location: Location;
  #checked = false;
  #opened: Promise<{ readonly signer: AwsClient; readonly dispatcher: Dispatcher }> | undefined;

  /** @throws {Error} without a bucket, a region or a key */
  constructor(
    address: string,
    file: string,
    private readonly credentials: BucketCredentials,
  ) {
    if (!credentials.accessKeyId || !credentials.secretAccessKey)
      throw new Error("the bucket needs a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY");
    this.#location = locationOf(address, file, credentials.region);
    this.name = `${address.replace(/\?.*/, "").replace(/\/$/, "")}/${file}`;
  }

  async change<T>(change: (ledger: Ledger) => T): Promise<T> {
    await this.#ensureConditions();
    let problem = OTHERS;
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      // Processes that failed at the same time do not try again at the same time.
      if (attempt > 0) await sleep(Math.random() * Math.min(MOST_PAUSE_MS, 20 * 2 ** attempt));
      const outcome = await this.#attempt(change).catch((error: unknown) => {
        if (error instanceof Passing) return error;
        throw error;
      });
      if (!(outcome instanceof Passing)) return outcome;
      problem = outcome.message;
    }
    throw new Error(problem);
  }

  /** @throws {Passing} when it may be tried again. What a lost response has changed is then changed twice: requests are lost, never exceeded. */
  async #attempt<T>(change: (ledger: Ledger) => T): Promise<T> {
    const { ledger, condition } = await this.#read();
    const result = change(ledger);
    const response = await this.#send("PUT", condition, JSON.stringify(ledger));
    // An object that was deleted meanwhile is not found.
    if ([...CONFLICTS, 404].includes(response.status)) throw new Passing(OTHERS);
    ensureOk(response);
    return result;
  }

  async #read(): Promise<Stored> {
    const response = await this.#send("GET", {});
    if (response.status === 404) return { ledger: emptyLedger(), condition: { "if-none-match": "*" } };
    ensureOk(response);
    return { ledger: JSON.parse(response.text) as Ledger, condition: { "if-match": response.version } };
  }

  /** A store that ignores conditions would let processes overwrite each other's leases. */
  async #ensureConditions(): Promise<void> {
    if (this.#checked) return;
    const response = await this.#send("PUT", { "if-match": OTHER_VERSION }, "", ".check");
    if (response.status === 200)
      throw new Error(
        "the store ignores the conditions of writes (If-Match): use a folder, or another store",
      );
    if (![...CONFLICTS, 404].includes(response.status)) ensureOk(response);
    this.#checked = true;
  }

  async #send(
    method: "GET" | "PUT",
    headers: Readonly<Record<string, string>>,
    body = "",
    suffix = "",
  ): Promise<StoreResponse> {
    const { signer, dispatcher } = await (this.#opened ??= this.#open());
    const { origin, path } = this.#location;
    const signed = await signer.sign(`${origin}${path}${suffix}`, {
      method,
      headers,
      ...(method === "PUT" ? { body } : {}),
    });
    try {
      const response = await dispatcher.request({
        origin,
        path: `${path}${suffix}`,
        method,
        headers: Object.fromEntries(signed.headers),
        body: method === "PUT" ? body : null,
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      const { etag } = response.headers;
      const version = typeof etag === "string" ? etag : OTHER_VERSION;
      return { status: response.statusCode, version, text: await response.body.text() };
    } catch (error) {
      throw new Passing((error as Error).message);
    }
  }

  /** Loads what only a ledger in a bucket needs. */
  async #open(): Promise<{ signer: AwsClient; dispatcher: Dispatcher }> {
    const [{ AwsClient }, { dispatcherFor }] = await Promise.all([
      import("aws4fetch"),
      import("../dispatcher.js"),
    ]);
    const { accessKeyId, secretAccessKey, sessionToken } = this.credentials;
    const { origin, region } = this.#location;
    const timeouts = {
      connectMs: TIMEOUT_MS,
      headersMs: TIMEOUT_MS,
      bodyMs: TIMEOUT_MS,
      answerMs: TIMEOUT_MS,
    };
    return {
      signer: new AwsClient({
        ...{ accessKeyId, secretAccessKey, service: "s3", region },
        ...(sessionToken ? { sessionToken } : {}),
      }),
      dispatcher: dispatcherFor(readAddress(origin, true), { timeouts, connections: 1, ca: undefined }),
    };
  }
}

/** A failure that may be gone at the next attempt. */
class Passing extends Error {}

/** @throws {Passing} when another attempt may succeed */
function ensureOk({ status, text }: StoreResponse): void {
  if (status === 200) return;
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  const message = `the store responded with ${status}${code === undefined ? "" : ` ${code}`}`;
  throw PASSING.includes(status) ? new Passing(message) : new Error(message);
}

/** Reads the address of a bucket in the form of Pulumi's backends. */
function locationOf(address: string, file: string, usual: string | undefined): Location {
  const url = new URL(address);
  const query = url.searchParams;
  const [bucket, prefix] = [url.host, url.pathname.split("/").filter(Boolean)];
  const region = query.get("region") ?? usual;
  if (bucket === "" || !region)
    throw new Error(`${address} names no ${bucket === "" ? "bucket" : "region: add ?region=..."}`);
  const under = (origin: string, parts: readonly string[]): Location => ({
    ...{ origin, region },
    path: [...parts, file].map((part) => `/${encodeURIComponent(part)}`).join(""),
  });
  const endpoint = query.get("endpoint");
  if (!endpoint) return under(`https://${bucket}.s3.${region}.amazonaws.com`, prefix);
  const scheme = query.get("disableSSL") === "true" ? "http" : "https";
  const { origin, protocol, host } = new URL(endpoint.includes("://") ? endpoint : `${scheme}://${endpoint}`);
  return query.get("s3ForcePathStyle") === "true"
    ? under(origin, [bucket, ...prefix])
    : under(`${protocol}//${bucket}.${host}`, prefix);
}
