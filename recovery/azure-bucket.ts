/** A container of Azure Blob Storage, as a bucket. Its settings are those of Pulumi's backend. */
import {
  AnonymousCredential,
  ContainerClient,
  RestError,
  StorageSharedKeyCredential,
  type StoragePipelineOptions,
} from "@azure/storage-blob";
import pLimit from "p-limit";
import {
  folderOfAddress,
  STORE_TIMEOUT_MS,
  storeError,
  type Bucket,
  type StoreEnvironment,
} from "./bucket.js";

/** Whoever calls repeats. */
const OPTIONS: StoragePipelineOptions = { retryOptions: { maxTries: 1, tryTimeoutInMs: STORE_TIMEOUT_MS } };
const AT_ONCE = 8;

export function openAzureBucket(address: string, env: StoreEnvironment): Bucket {
  const url = new URL(address);
  const folder = folderOfAddress(url);
  const container = openContainer(url, env);
  const blob = (key: string) => container.getBlockBlobClient(folder + key);
  return {
    name: `azblob://${url.host}/${folder}`.replace(/\/$/, ""),
    async text(key) {
      try {
        return (await blob(key).downloadToBuffer()).toString("utf8");
      } catch (error) {
        if (error instanceof RestError && error.statusCode === 404) return undefined;
        throw errorOf(error);
      }
    },
    async put(key, body) {
      await translated(blob(key).upload(body, Buffer.byteLength(body)));
    },
    async deleteAll(keys) {
      const limit = pLimit(AT_ONCE);
      await translated(Promise.all(keys.map((key) => limit(() => blob(key).deleteIfExists()))));
    },
    async list(prefix) {
      const keys: string[] = [];
      const pages = container.listBlobsFlat({ prefix: folder + prefix });
      await translated(
        (async () => {
          for await (const { name } of pages) keys.push(name.slice(folder.length));
        })(),
      );
      return keys;
    },
  };
}

/** @throws {Error} without an account or a key */
function openContainer({ host, searchParams: query }: URL, env: StoreEnvironment): ContainerClient {
  const connection = env["AZURE_STORAGE_CONNECTION_STRING"] || env["AZURE_STORAGEBLOB_CONNECTIONSTRING"];
  const account = query.get("storage_account") || env["AZURE_STORAGE_ACCOUNT"];
  const key = env["AZURE_STORAGE_KEY"];
  const token = env["AZURE_STORAGE_SAS_TOKEN"]?.replace(/^\?/, "");
  if (connection && !key && !token) return new ContainerClient(connection, host, OPTIONS);
  if (!account) throw new Error("the container needs an account: set AZURE_STORAGE_ACCOUNT");
  const origin = originOf(account, query, env);
  if (key)
    return new ContainerClient(`${origin}/${host}`, new StorageSharedKeyCredential(account, key), OPTIONS);
  if (token) return new ContainerClient(`${origin}/${host}?${token}`, new AnonymousCredential(), OPTIONS);
  throw new Error("the container needs a key: set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN");
}

function originOf(account: string, query: URLSearchParams, env: StoreEnvironment): string {
  const setting = (name: string, variable: string) => query.get(name) || env[`AZURE_STORAGE_${variable}`];
  const domain = setting("domain", "DOMAIN") || "blob.core.windows.net";
  const isHere = /^(127\.0\.0\.1|localhost)\b/.test(domain);
  const isEmulator = setting("localemu", "IS_LOCAL_EMULATOR") === "true" || isHere;
  const protocol = setting("protocol", "PROTOCOL") || (isEmulator ? "http" : "https");
  if (isEmulator) return `${protocol}://${domain}/${account}`;
  return setting("cdn", "IS_CDN") === "true"
    ? `${protocol}://${domain}`
    : `${protocol}://${account}.${domain}`;
}

function translated<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw errorOf(error);
  });
}

/** The client's own message contains the request. */
function errorOf(error: unknown): Error {
  const { statusCode, code } = error as Partial<RestError>;
  return storeError(
    statusCode,
    statusCode === undefined
      ? `the store does not respond: ${code ?? "no connection"}`
      : `the store responded with ${statusCode} ${code ?? ""}`.trim(),
  );
}
