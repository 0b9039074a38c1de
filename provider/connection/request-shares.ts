/** The share of the hour's requests that this process may send. */
import type { ConnectionOptions } from "../../client/index.js";

/** Number of processes that send requests as the same user at the same time. */
export const REQUEST_SHARES_VARIABLE = "WORKSPACE_AUTOMATION_REQUEST_SHARES";

/** Options of a client that leaves other processes their share of the hour's requests. */
export function readRequestShares(
  env: Readonly<Record<string, string | undefined>>,
): Pick<ConnectionOptions, "shares"> {
  const shares = Number(env[REQUEST_SHARES_VARIABLE]);
  return Number.isInteger(shares) && shares > 1 ? { shares } : {};
}
