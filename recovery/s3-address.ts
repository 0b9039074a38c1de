/** Reads the address of a bucket, in the form of Pulumi's backends, and its key. */
import type { StateAddress } from "../trust/state-address.js";

export interface BucketCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
  /** Region, if the address has none. */
  readonly region?: string | undefined;
}

export interface BucketAddress {
  readonly origin: string;
  /** Path of the folder in the bucket, percent-encoded, with a slash at the end. */
  readonly path: string;
  /** Path of the bucket itself, in the same form. */
  readonly root: string;
  /** The folder, as keys begin: with a slash at the end, or empty. */
  readonly folder: string;
  readonly region: string;
  /** The address without settings, for messages. */
  readonly name: string;
}

/** Returns the key of a bucket, from the variables of AWS. */
export function readBucketCredentials(env: Readonly<Record<string, string | undefined>>): BucketCredentials {
  return {
    accessKeyId: env["AWS_ACCESS_KEY_ID"] ?? "",
    secretAccessKey: env["AWS_SECRET_ACCESS_KEY"] ?? "",
    sessionToken: env["AWS_SESSION_TOKEN"],
    region: env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"],
  };
}

const SETTINGS = ["region", "endpoint", "s3ForcePathStyle", "disableSSL"];
const EXAMPLE = "s3://bucket/prefix?region=eu-west-1";

/**
 * @param usual the region of an address that names none
 * @throws {Error} that contains no more of the address than the names of its settings, since it could contain a secret
 */
export function readBucketAddress({ whole }: StateAddress, usual?: string): BucketAddress {
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (url?.protocol !== "s3:" || url.host === "" || url.username || url.password || url.hash)
    throw new Error(`the address of the bucket is invalid: write it as ${EXAMPLE}`);
  const { searchParams: query, host: bucket } = url;
  const unknown = [...query.keys()].find((name) => !SETTINGS.includes(name));
  if (unknown !== undefined)
    throw new Error(`the address of the bucket has the setting ${unknown}: use only ${SETTINGS.join(", ")}`);
  const region = query.get("region") ?? usual;
  if (!region) throw new Error(`the bucket has no region: add ?region=... to its address, or set AWS_REGION`);
  const folder = url.pathname.split("/").filter(Boolean).map(decodeURIComponent);
  const name = ["s3:/", bucket, ...folder].join("/");
  const isPathStyle = query.get("s3ForcePathStyle") === "true";
  const service = buildServiceUrl(
    query.get("endpoint") ?? `s3.${region}.amazonaws.com`,
    query.get("disableSSL"),
  );
  const above = isPathStyle ? [bucket] : [];
  const pathOf = (parts: readonly string[]) => ["", ...parts, ""].map(encodeURIComponent).join("/");
  return {
    origin: isPathStyle ? service.origin : `${service.protocol}//${bucket}.${service.host}`,
    path: pathOf([...above, ...folder]),
    root: pathOf(above),
    folder: folder.map((part) => `${part}/`).join(""),
    region,
    name,
  };
}

function buildServiceUrl(endpoint: string, disableSSL: string | null): URL {
  const text = endpoint.includes("://")
    ? endpoint
    : `${disableSSL === "true" ? "http" : "https"}://${endpoint}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url && ["http:", "https:"].includes(url.protocol) && !url.username && !url.password) return url;
  throw new Error("the endpoint of the bucket is invalid: write it as host:port");
}
