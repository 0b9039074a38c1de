import type { ConnectionOptions } from "../../client/index.js";

type Env = Readonly<Record<string, string | undefined>>;

/** Folder in which processes of one user share the hour's requests. Without it, each takes what the service reports as left. */
export const LEDGER_VARIABLE = "WORKSPACE_AUTOMATION_REQUEST_LEDGER";
/** Number of machines among which the hour is divided because they have no folder in common. */
export const LEDGER_SHARES_VARIABLE = "WORKSPACE_AUTOMATION_REQUEST_SHARES";

/** Options of a client that uses the ledger in the environment. */
export function ledgerOptions(env: Env): Pick<ConnectionOptions, "ledger"> {
  const folder = env[LEDGER_VARIABLE];
  if (!folder) return {};
  const shares = Number(env[LEDGER_SHARES_VARIABLE] ?? "1");
  return { ledger: { folder, shares: Number.isInteger(shares) && shares > 0 ? shares : 1 } };
}
