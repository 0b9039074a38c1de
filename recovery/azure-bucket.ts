/** A container of Azure Blob Storage, as a bucket. Its settings are those of Pulumi's backend. */
import {
  AnonymousCredential,
  ContainerClient,
  type RestError,
  type StoragePipelineOptions,
  StorageSharedKeyCredential,
} from "@azure/storage-blob";
import type { StateAddress } from "../trust/state-address.js";
import { type Bucket, STORE_TIMEOUT_MS, type StoreEnvironment } from "./bucket.js";
import { wrapClient } from "./client-bucket.js";

/** The caller repeats failed requests. */
const OPTIONS: StoragePipelineOptions = { retryOptions: { maxTries: 1, tryTimeoutInMs: STORE_TIMEOUT_MS } };

export function openAzureBucket({ whole }: StateAddress, env: StoreEnvironment): Bucket {
  const url = new URL(whole);
  const container = openContainer(url, env);
  return wrapClient(url, {
    read: (key) => container.getBlockBlobClient(key).downloadToBuffer(),
    write: (key, body) => container.getBlockBlobClient(key).upload(body, Buffer.byteLength(body)),
    create: (key, body) =>
      container
        .getBlockBlobClient(key)
        .upload(body, Buffer.byteLength(body), { conditions: { ifNoneMatch: "*" } }),
    remove: (key) => container.getBlockBlobClient(key).deleteIfExists(),
    async keys(prefix) {
      const keys: string[] = [];
      for await (const { name } of container.listBlobsFlat({ prefix })) keys.push(name);
      return keys;
    },
    failureOf(error) {
      const { statusCode, code } = error as Partial<RestError>;
      return { status: statusCode, code };
    },
  });
}

/** @throws {Error} without an account or a key */
function openContainer({ host, searchParams: query }: URL, env: StoreEnvironment): ContainerClient {
  const connection = env["AZURE_STORAGE_CONNECTION_STRING"] || env["AZURE_STORAGEBLOB_CONNECTIONSTRING"];
  const account = query.get("storage_account") || env["AZURE_STORAGE_ACCOUNT"];
  const key = env["AZURE_STORAGE_KEY"];
  const token = env["AZURE_STORAGE_SAS_TOKEN"]?.replace(/^\?/, "");
  if (connection && !key && !token) return new ContainerClient(connection, host, OPTIONS);
  if (!account)
    throw new Error("the Azure container of the state needs an account: set AZURE_STORAGE_ACCOUNT");
  const origin = getOrigin(account, query, env);
  if (key)
    return new ContainerClient(`${origin}/${host}`, new StorageSharedKeyCredential(account, key), OPTIONS);
  if (token) return new ContainerClient(`${origin}/${host}?${token}`, new AnonymousCredential(), OPTIONS);
  throw new Error(
    "the Azure container of the state needs a key: set AZURE_STORAGE_KEY or AZURE_STORAGE_SAS_TOKEN",
  );
}

function getOrigin(account: string, query: URLSearchParams, env: StoreEnvironment): string {
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
