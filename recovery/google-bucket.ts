/** A bucket of Google Cloud Storage. Its settings are those of Pulumi's backend. */
import type { ApiError } from "@google-cloud/storage";
import { Storage, type StorageOptions } from "@google-cloud/storage";
import { OAuth2Client, type CredentialBody } from "google-auth-library";
import pLimit from "p-limit";
import {
  folderOfAddress,
  STORE_TIMEOUT_MS,
  storeError,
  type Bucket,
  type StoreEnvironment,
} from "./bucket.js";

const AT_ONCE = 8;

export function openGoogleBucket(address: string, env: StoreEnvironment): Bucket {
  const url = new URL(address);
  const folder = folderOfAddress(url);
  // Whoever calls repeats.
  const storage = new Storage({
    ...credentialsIn(env),
    timeout: STORE_TIMEOUT_MS,
    retryOptions: { autoRetry: false },
  });
  // This client wants a scheme and the path of the API in the address of an emulator, and Pulumi's neither.
  const emulator = env["STORAGE_EMULATOR_HOST"];
  if (emulator) {
    storage.apiEndpoint = emulator.includes("://") ? emulator : `http://${emulator}`;
    storage.baseUrl = `${storage.apiEndpoint}/storage/v1`;
  }
  const bucket = storage.bucket(url.host);
  const file = (key: string) => bucket.file(folder + key);
  return {
    name: `gs://${url.host}/${folder}`.replace(/\/$/, ""),
    async text(key) {
      try {
        const [content] = await file(key).download({ validation: false });
        return content.toString("utf8");
      } catch (error) {
        if ((error as Partial<ApiError>).code === 404) return undefined;
        throw errorOf(error);
      }
    },
    async put(key, body) {
      await translated(file(key).save(body, { resumable: false, validation: false }));
    },
    async deleteAll(keys) {
      const limit = pLimit(AT_ONCE);
      const remove = (key: string) => limit(() => file(key).delete({ ignoreNotFound: true }));
      await translated(Promise.all(keys.map(remove)));
    },
    async list(prefix) {
      const [files] = await translated(
        bucket.getFiles({ prefix: folder + prefix, fields: "items(name),nextPageToken" }),
      );
      return files.map(({ name }) => name.slice(folder.length));
    },
  };
}

/** Pulumi's own variables. Without them, the client finds the application's default credentials. */
function credentialsIn(env: StoreEnvironment): StorageOptions {
  const text = env["GOOGLE_CREDENTIALS"];
  const token = env["GOOGLE_OAUTH_ACCESS_TOKEN"];
  if (text) return { credentials: parsed(text) };
  if (!token) return {};
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: token });
  return { authClient: authClient };
}

function parsed(text: string): CredentialBody {
  try {
    return JSON.parse(text) as CredentialBody;
  } catch {
    throw new Error("GOOGLE_CREDENTIALS is not JSON");
  }
}

function translated<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: unknown) => {
    throw errorOf(error);
  });
}

/** The client's own message contains the request. */
function errorOf(error: unknown): Error {
  const { code } = error as { readonly code?: number | string };
  const status = typeof code === "number" ? code : undefined;
  return storeError(
    status,
    status === undefined
      ? `the store does not respond: ${code ?? "no connection"}`
      : `the store responded with ${status}`,
  );
}
