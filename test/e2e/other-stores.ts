/**
 * Places of a state that the environment names: STATE_IN_AZURE, STATE_IN_GOOGLE and STATE_IN_POSTGRES are addresses as Pulumi takes them, of
 * a container, bucket or database that exists. CONTRIBUTING.md says how to start a server for each on this machine.
 */
import { randomUUID } from "node:crypto";
import type { Bucket } from "../../recovery/bucket.js";
import { openBucket } from "../../recovery/open-bucket.js";
import { StateAddress } from "../../trust/state-address.js";

/** A new place in one of these stores. */
export interface OtherStore {
  readonly env: NodeJS.ProcessEnv;
  readonly keys: (prefix: string) => Promise<string[]>;
  readonly read: (key: string) => Promise<string>;
  readonly write: (key: string, text: string) => Promise<void>;
}

const KEYS = /^(AZURE_STORAGE|GOOGLE|STORAGE_EMULATOR|PG)/;

/** Functions that make a place, by the name of the store. */
export function otherStores(): Record<string, () => Promise<OtherStore & { readonly bucket: Bucket }>> {
  const { STATE_IN_AZURE: azure, STATE_IN_GOOGLE: google, STATE_IN_POSTGRES: postgres } = process.env;
  return {
    ...(azure ? { container: () => placeIn(inFolder(azure)) } : {}),
    ...(google ? { "Google bucket": () => placeIn(inFolder(google)) } : {}),
    ...(postgres ? { database: () => placeIn(inTable(postgres)) } : {}),
  };
}

async function placeIn(address: string): Promise<OtherStore & { readonly bucket: Bucket }> {
  const bucket = await openBucket(new StateAddress(address), process.env);
  const keys = Object.entries(process.env).filter(([name]) => KEYS.test(name));
  return {
    bucket,
    env: { ...Object.fromEntries(keys), PULUMI_BACKEND_URL: address },
    keys: (prefix) => bucket.list(prefix),
    read: async (key) => (await bucket.text(key)) ?? "",
    write: (key, text) => bucket.put(key, text),
  };
}

function inFolder(address: string): string {
  const url = new URL(address);
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${randomUUID()}`;
  return url.href;
}

function inTable(address: string): string {
  const url = new URL(address);
  url.searchParams.set("table", `state_${randomUUID().replaceAll("-", "_")}`);
  return url.href;
}
