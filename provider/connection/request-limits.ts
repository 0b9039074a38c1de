/** How long and how often a process may use the service, as the environment says it. */
import type { ConnectionOptions } from "../../client/index.js";

/** Number of processes that send requests as the same user at the same time. */
export const REQUEST_SHARES_VARIABLE = "WORKSPACE_AUTOMATION_REQUEST_SHARES";
/** Seconds within which a response must begin. */
export const TIMEOUT_VARIABLE = "WORKSPACE_AUTOMATION_TIMEOUT";
/** Longest wait for the end of the hour whose requests are used up, in seconds. */
export const RATE_LIMIT_WAIT_VARIABLE = "WORKSPACE_AUTOMATION_RATE_LIMIT_WAIT";

/** Options of a client that keeps to them. A value that is no number is ignored. */
export function readRequestLimits(
  env: Readonly<Record<string, string | undefined>>,
): Pick<ConnectionOptions, "shares" | "timeouts" | "rateLimit"> {
  const read = (name: string, least: number) => {
    const value = Number(env[name] || Number.NaN);
    return value >= least ? value : undefined;
  };
  const shares = read(REQUEST_SHARES_VARIABLE, 2);
  const headersMs = toMilliseconds(read(TIMEOUT_VARIABLE, 1));
  const maxWaitMs = toMilliseconds(read(RATE_LIMIT_WAIT_VARIABLE, 0));
  return {
    ...(shares === undefined || !Number.isInteger(shares) ? {} : { shares }),
    ...(headersMs === undefined ? {} : { timeouts: { headersMs } }),
    ...(maxWaitMs === undefined ? {} : { rateLimit: { maxWaitMs } }),
  };
}

function toMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
