import type { ConnectionOptions } from "../../client/index.js";
import type { BucketCredentials } from "../../client/ledger/ledger.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Folder or bucket in which processes of one user share the hour's requests. Without it, each takes what the service reports as left. */
export const LEDGER_VARIABLE = "WORKSPACE_AUTOMATION_REQUEST_LEDGER";
/** Number of machines among which the hour is divided because they have no ledger in common. */
export const LEDGER_SHARES_VARIABLE = "WORKSPACE_AUTOMATION_REQUEST_SHARES";

/** Options of a client that uses the ledger in the environment. A bucket needs the variables of AWS for its keys. */
export function ledgerOptions(env: Env): Pick<ConnectionOptions, "ledger"> {
  const ledger = env[LEDGER_VARIABLE];
  if (!ledger) return {};
  const count = Number(env[LEDGER_SHARES_VARIABLE] ?? "1");
  const shares = Number.isInteger(count) && count > 0 ? count : 1;
  if (!ledger.startsWith("s3://")) return { ledger: { folder: ledger, shares } };
  return { ledger: { bucket: ledger, credentials: bucketCredentials(env), shares } };
}

/** The key of a bucket, in the variables of AWS. */
export function bucketCredentials(env: Env): BucketCredentials {
  return {
    accessKeyId: env["AWS_ACCESS_KEY_ID"] ?? "",
    secretAccessKey: env["AWS_SECRET_ACCESS_KEY"] ?? "",
    sessionToken: env["AWS_SESSION_TOKEN"],
    region: env["AWS_REGION"] ?? env["AWS_DEFAULT_REGION"],
  };
}
