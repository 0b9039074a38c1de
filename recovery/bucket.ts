/**
 * The few requests to an S3-compatible store that a journal needs: read, write, delete, list.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations.html
 */
import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { readAddress } from "../client/address.js";
import { openConnections, type Send } from "../client/send.js";
import { readBucketAddress, type BucketAddress, type BucketCredentials } from "./bucket-address.js";

const TIMEOUT_MS = 10_000;
const PASSING = [408, 429, 500, 502, 503, 504];

export interface StoreResponse {
  readonly status: number;
  readonly text: string;
}

/** A failure that may be gone at the next attempt. */
export class Passing extends Error {}

export class Bucket {
  /** The address without settings, for messages. */
  readonly name: string;
  readonly #address: BucketAddress;
  readonly #send: Send;

  /**
   * @param connections most requests at the same time
   * @throws {Error} without a bucket, a region or a key
   */
  constructor(
    address: string,
    private readonly credentials: BucketCredentials,
    connections: number = 2,
  ) {
    this.#address = readBucketAddress(address, credentials.region);
    this.name = this.#address.name;
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
      connections,
      ca: undefined,
    }).send;
  }

  get(key: string): Promise<StoreResponse> {
    return this.request("GET", key);
  }

  put(key: string, body: string): Promise<StoreResponse> {
    return this.request("PUT", key, { body });
  }

  /** Deletes up to 1000 objects with one request. @throws {Error} when one of them may still exist */
  async deleteAll(keys: readonly string[]): Promise<void> {
    const { root, folder } = this.#address;
    const objects = keys.map((key) => `<Object><Key>${escaped(`${folder}${key}`)}</Key></Object>`);
    const body = `<Delete><Quiet>true</Quiet>${objects.join("")}</Delete>`;
    const headers = { "content-md5": createHash("md5").update(body).digest("base64") };
    const response = await this.request("POST", "", { query: { delete: "" }, root, body, headers });
    ensureOk(response);
    const code = /<Error>.*?<Code>(\w+)<\/Code>/s.exec(response.text)?.[1];
    if (code !== undefined) throw new Error(`the store did not delete an object: ${code}`);
  }

  /** The keys that begin with a prefix. */
  async list(prefix: string): Promise<string[]> {
    const { root, folder } = this.#address;
    const keys: string[] = [];
    for (let after = ""; ;) {
      const query = {
        "list-type": "2",
        prefix: `${folder}${prefix}`,
        ...(after ? { "start-after": after } : {}),
      };
      const response = await this.request("GET", "", { query, root });
      ensureOk(response);
      const { text } = response;
      const found = [...text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = ""]) => unescaped(key));
      keys.push(...found);
      const last = found.at(-1);
      if (last === undefined || !/<IsTruncated>true</.test(text)) break;
      after = last;
    }
    return keys.map((key) => key.slice(folder.length));
  }

  /** @throws {Passing} when the store does not respond */
  private async request(
    method: "GET" | "PUT" | "POST" | "DELETE",
    key: string,
    {
      headers = {},
      body,
      query,
      root,
    }: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly query?: Readonly<Record<string, string>>;
      readonly root?: string;
    } = {},
  ): Promise<StoreResponse> {
    const { origin, path, region } = this.#address;
    const { accessKeyId, secretAccessKey, sessionToken } = this.credentials;
    const hash = createHash("sha256")
      .update(body ?? "")
      .digest("hex");
    const search = query === undefined ? "" : `?${new URLSearchParams(query).toString()}`;
    const target = `${root ?? path}${key.split("/").map(encodeURIComponent).join("/")}${search}`;
    const signed = await new AwsV4Signer({
      ...{ method, url: `${origin}${target}`, service: "s3", region, accessKeyId, secretAccessKey },
      ...(sessionToken ? { sessionToken } : {}),
      headers: { ...headers, "x-amz-content-sha256": hash },
    }).sign();
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    try {
      const sent = { method, target, headers: Object.fromEntries(signed.headers), body, signal };
      const { status, text } = await this.#send(sent);
      return { status, text };
    } catch (error) {
      const { code, message } = error as NodeJS.ErrnoException;
      throw new Passing(`${origin} does not respond: ${code ?? message}`);
    }
  }
}

/** The text of an object; undefined when it does not exist. @throws {Passing} when another attempt may succeed */
export async function textIn(bucket: Pick<Bucket, "get">, key: string): Promise<string | undefined> {
  const response = await bucket.get(key);
  if (response.status === 404) return undefined;
  ensureOk(response);
  return response.text;
}

/** @throws {Passing} when another attempt may succeed */
export function ensureOk({ status, text }: StoreResponse): void {
  if (status >= 200 && status < 300) return;
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  const message = `the store responded with ${status}${code === undefined ? "" : ` ${code}`}`;
  throw PASSING.includes(status) ? new Passing(message) : new Error(message);
}

function escaped(key: string): string {
  return key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function unescaped(key: string): string {
  const characters: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return key.replace(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name?: string) =>
    code === undefined ? (characters[name ?? ""] ?? whole) : String.fromCodePoint(Number(code)),
  );
}
