/** Opens the bucket of an address, as Pulumi's backends have it. The client of each kind of store is loaded only for its own addresses. */
import { findFolder } from "../trust/backend.js";
import type { StateAddress } from "../trust/state-address.js";
import type { Bucket, StoreEnvironment } from "./bucket.js";
import { FolderBucket } from "./folder-bucket.js";
import { readBucketCredentials } from "./s3-address.js";

type Opener = (address: StateAddress, env: StoreEnvironment) => Promise<Bucket>;

/** Clients that only their users install, next to the command or the library. */
const packages = { azblob: "@azure/storage-blob", gs: "@google-cloud/storage", postgres: "pg" };

const openers: Readonly<Record<string, Opener>> = {
  s3: async (address, env) =>
    new (await import("./s3-bucket.js")).S3Bucket(address, readBucketCredentials(env), 4),
  azblob: async (address, env) => (await import("./azure-bucket.js")).openAzureBucket(address, env),
  gs: async (address, env) => (await import("./google-bucket.js")).openGoogleBucket(address, env),
  postgres: async (address, env) => (await import("./postgres-bucket.js")).openPostgresBucket(address, env),
};

export function isBucketAddress({ scheme }: StateAddress): boolean {
  return Object.hasOwn(openers, scheme);
}

/** Opens the place of a state, which may be a folder. @returns undefined for Pulumi's own service, and for other stores */
export async function openPlace(address: StateAddress, env: StoreEnvironment): Promise<Bucket | undefined> {
  const folder = findFolder(address);
  if (folder !== undefined) return new FolderBucket(folder);
  return isBucketAddress(address) ? openBucket(address, env) : undefined;
}

/** Variables with keys and settings of the stores. */
const KEYS = /^(AWS|AZURE|GOOGLE|STORAGE_EMULATOR|PG)/;

/** Those of this process, because each has connections of its own. A command looks at the place of its state several times. */
const opened = new Map<string, Promise<Bucket>>();

/** @throws {Error} without the client, a setting or a key */
export function openBucket(address: StateAddress, env: StoreEnvironment): Promise<Bucket> {
  const keys = Object.entries(env).filter(([name]) => KEYS.test(name));
  const key = JSON.stringify([address.whole, keys]);
  let bucket = opened.get(key);
  if (bucket === undefined) {
    bucket = open(address, env);
    opened.set(key, bucket);
    bucket.catch(() => opened.delete(key));
  }
  return bucket;
}

async function open(address: StateAddress, env: StoreEnvironment): Promise<Bucket> {
  const { scheme } = address;
  const opener = openers[scheme];
  if (opener === undefined)
    throw new Error(
      `${scheme}: is not the beginning of an address of a bucket: use s3://, gs://, azblob:// or file://`,
    );
  try {
    return await opener(address, env);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const name = packages[scheme as keyof typeof packages];
    if (code !== "ERR_MODULE_NOT_FOUND" || !message.includes(name)) throw error;
    throw new Error(`${name} is required, but not installed`, { cause: error });
  }
}
