/** A bucket of Google Cloud Storage. Its settings are those of Pulumi's backend. */
import { Storage, type StorageOptions } from "@google-cloud/storage";
import { type CredentialBody, OAuth2Client } from "google-auth-library";
import type { StateAddress } from "../trust/state-address.js";
import { type Bucket, STORE_TIMEOUT_MS, type StoreEnvironment } from "./bucket.js";
import { wrapClient } from "./client-bucket.js";

export function openGoogleBucket({ whole }: StateAddress, env: StoreEnvironment): Bucket {
  const url = new URL(whole);
  // The caller repeats failed requests.
  const storage = new Storage({
    ...readCredentials(env),
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
  return wrapClient(url, {
    read: async (key) => (await bucket.file(key).download({ validation: false }))[0],
    write: (key, body) => bucket.file(key).save(body, { resumable: false, validation: false }),
    create: (key, body) =>
      bucket
        .file(key)
        .save(body, { resumable: false, validation: false, preconditionOpts: { ifGenerationMatch: 0 } }),
    remove: (key) => bucket.file(key).delete({ ignoreNotFound: true }),
    async keys(prefix) {
      const [files] = await bucket.getFiles({ prefix, fields: "items(name),nextPageToken" });
      return files.map(({ name }) => name);
    },
    failureOf(error) {
      const { code } = error as { readonly code?: number | string };
      return typeof code === "number" ? { status: code } : { status: undefined, code };
    },
  });
}

/** Pulumi's own variables. Without them, the client finds the application's default credentials. */
function readCredentials(env: StoreEnvironment): StorageOptions {
  const text = env["GOOGLE_CREDENTIALS"];
  const token = env["GOOGLE_OAUTH_ACCESS_TOKEN"];
  if (text) return { credentials: parseCredentials(text) };
  if (!token) return {};
  const authClient = new OAuth2Client();
  authClient.setCredentials({ access_token: token });
  return { authClient };
}

function parseCredentials(text: string): CredentialBody {
  try {
    return JSON.parse(text) as CredentialBody;
  } catch {
    throw new Error(
      "the environment variable GOOGLE_CREDENTIALS is not JSON: set it to the content of a key file of a service account",
    );
  }
}
