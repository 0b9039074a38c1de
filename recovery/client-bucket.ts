/** A bucket on top of a store's own client: adds the folder of the address to the keys, and says what a failure means. */
import pLimit from "p-limit";
import { type Bucket, getFolderOfAddress, storeError } from "./bucket.js";

const AT_ONCE = 8;

/** Calls of a client. Their keys contain the folder of the address. */
export interface ObjectClient {
  read(key: string): Promise<Buffer>;
  write(key: string, body: string): Promise<unknown>;
  /** Writes an object, or fails with 409 or 412 when there is one. */
  create(key: string, body: string): Promise<unknown>;
  /** Deletes an object, if it exists. */
  remove(key: string): Promise<unknown>;
  keys(prefix: string): Promise<readonly string[]>;
  /** Status of the response, if there was one, and the store's or the connection's own code. */
  failureOf(error: unknown): Failure;
}

interface Failure {
  readonly status: number | undefined;
  readonly code?: string | undefined;
}

export function wrapClient(address: URL, client: ObjectClient): Bucket {
  const folder = getFolderOfAddress(address);

  async function translated<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      throw convertError(client.failureOf(error));
    }
  }

  return {
    name: `${address.protocol}//${address.host}/${folder}`.replace(/\/$/, ""),
    async text(key) {
      try {
        return (await client.read(folder + key)).toString("utf8");
      } catch (error) {
        const failure = client.failureOf(error);
        if (failure.status === 404) return undefined;
        throw convertError(failure);
      }
    },
    async put(key, body) {
      await translated(client.write(folder + key, body));
    },
    async create(key, body) {
      try {
        await client.create(folder + key, body);
        return true;
      } catch (error) {
        const failure = client.failureOf(error);
        if (failure.status !== 409 && failure.status !== 412) throw convertError(failure);
        return false;
      }
    },
    async deleteAll(keys) {
      const limit = pLimit(AT_ONCE);
      await translated(Promise.all(keys.map((key) => limit(() => client.remove(folder + key)))));
    },
    async list(prefix) {
      const found = await translated(client.keys(folder + prefix));
      return found.map((key) => key.slice(folder.length));
    },
  };
}

/** The client's own message contains the request. */
function convertError({ status, code }: Failure): Error {
  const message =
    status === undefined
      ? `the store does not respond: ${code ?? "no connection"}`
      : `the store responded with ${status} ${code ?? ""}`.trim();
  return storeError(status, message);
}
