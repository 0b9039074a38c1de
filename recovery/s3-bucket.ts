/**
 * The few requests to an S3-compatible store that a journal needs: read, write, delete, list.
 * @see https://docs.aws.amazon.com/AmazonS3/latest/API/API_Operations.html
 */
import { createHash } from "node:crypto";
import { AwsV4Signer } from "aws4fetch";
import { readAddress } from "../client/address.js";
import { openConnections, type Send } from "../client/send.js";
import type { StateAddress } from "../trust/state-address.js";
import { type Bucket, Passing, STORE_TIMEOUT_MS, storeError } from "./bucket.js";
import { type BucketAddress, type BucketCredentials, readBucketAddress } from "./s3-address.js";

/** Responses to a write with a condition. */
const [CONFLICT, EXISTS, NOT_IMPLEMENTED] = [409, 412, 501];

interface StoreResponse {
  readonly status: number;
  readonly text: string;
}

export class S3Bucket implements Bucket {
  readonly name: string;
  readonly #address: BucketAddress;
  readonly #send: Send;

  /**
   * @param connections most requests at the same time
   * @throws {Error} without a bucket, a region or a key
   */
  constructor(
    address: StateAddress,
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
        connectMs: STORE_TIMEOUT_MS,
        headersMs: STORE_TIMEOUT_MS,
        bodyMs: STORE_TIMEOUT_MS,
        answerMs: STORE_TIMEOUT_MS,
      },
      connections,
      ca: undefined,
    }).send;
  }

  async text(key: string): Promise<string | undefined> {
    const response = await this.request("GET", key);
    if (response.status === 404) return undefined;
    ensureOk(response);
    return response.text;
  }

  async put(key: string, body: string): Promise<void> {
    ensureOk(await this.request("PUT", key, { body }));
  }

  /** @see https://docs.aws.amazon.com/AmazonS3/latest/userguide/conditional-writes.html */
  async create(key: string, body: string): Promise<boolean> {
    const response = await this.request("PUT", key, { body, headers: { "if-none-match": "*" } });
    if (response.status === NOT_IMPLEMENTED) {
      await this.put(key, body);
      return true;
    }
    // Another write of the same object is in progress, and may fail.
    if (response.status === CONFLICT) throw new Passing("another run is writing the same object");
    if (response.status === EXISTS) return false;
    ensureOk(response);
    return true;
  }

  /** Deletes up to 1000 objects with one request. */
  async deleteAll(keys: readonly string[]): Promise<void> {
    const { root, folder } = this.#address;
    const objects = keys.map((key) => `<Object><Key>${escapeKey(`${folder}${key}`)}</Key></Object>`);
    const body = `<Delete><Quiet>true</Quiet>${objects.join("")}</Delete>`;
    const headers = { "content-md5": createHash("md5").update(body).digest("base64") };
    const response = await this.request("POST", "", { query: { delete: "" }, root, body, headers });
    ensureOk(response);
    const code = /<Error>.*?<Code>(\w+)<\/Code>/s.exec(response.text)?.[1];
    if (code !== undefined) throw new Error(`the store did not delete an object: ${code}`);
  }

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
      const found = [...text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = ""]) => unescapeKey(key));
      keys.push(...found);
      const last = found.at(-1);
      if (last === undefined || !/<IsTruncated>true</.test(text)) break;
      after = last;
    }
    return keys.map((key) => key.slice(folder.length));
  }

  /** Deletes no folder that contains something: to the servers that have folders, it is not empty, and to the others a key of its own. */
  async removeEmptyFolder(folder: string): Promise<void> {
    const { root, folder: base } = this.#address;
    const query = { "list-type": "2", delimiter: "/", prefix: `${base}${folder}`, "max-keys": "2" };
    const response = await this.request("GET", "", { query, root });
    ensureOk(response);
    const found = [...response.text.matchAll(/<Key>(.*?)<\/Key>/g)].map(([, key = ""]) => unescapeKey(key));
    if (found.length === 1 && found[0] === `${base}${folder}`) ensureOk(await this.request("DELETE", folder));
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
    const target = `${root ?? path}${key.split("/").map(encodeStrictly).join("/")}${search}`;
    const signed = await new AwsV4Signer({
      method,
      url: `${origin}${target}`,
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken ? { sessionToken } : {}),
      headers: { ...headers, "x-amz-content-sha256": hash },
    }).sign();
    const signal = AbortSignal.timeout(STORE_TIMEOUT_MS);
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

/** @throws {Passing} when another attempt may succeed */
function ensureOk({ status, text }: StoreResponse): void {
  if (status >= 200 && status < 300) return;
  const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1];
  throw storeError(status, `the store responded with ${status}${code === undefined ? "" : ` ${code}`}`);
}

/** As signatures encode a path. Some servers compare with the one that they got. */
function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function escapeKey(key: string): string {
  return key.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function unescapeKey(key: string): string {
  const characters: Readonly<Record<string, string>> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };
  return key.replace(/&(?:#(\d+)|(\w+));/g, (whole, code?: string, name?: string) =>
    code === undefined ? (characters[name ?? ""] ?? whole) : String.fromCodePoint(Number(code)),
  );
}
