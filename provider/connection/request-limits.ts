/** How long and how often a process may use the service, as the environment says it. */
import type { ConnectionOptions } from "../../client/index.js";

/** Number of processes that send requests as the same user at the same time. */
export const REQUEST_SHARES_VARIABLE = "WORKSPACE_AUTOMATION_REQUEST_SHARES";
/** Seconds within which a connection must be ready and a response must begin, and within which a response that has begun must end. */
export const TIMEOUT_VARIABLE = "WORKSPACE_AUTOMATION_TIMEOUT";
/** Longest wait for the end of the hour whose requests are used up, in seconds. */
export const RATE_LIMIT_WAIT_VARIABLE = "WORKSPACE_AUTOMATION_RATE_LIMIT_WAIT";

const LONGEST_CONNECT_MS = 10_000;

/** Options of a client that keeps to them. A value that is no number is ignored. */
export function readRequestLimits(
  env: Readonly<Record<string, string | undefined>>,
): Pick<ConnectionOptions, "shares" | "timeouts" | "rateLimit"> {
  const read = (name: string, least: number) => {
    const value = Number(env[name] || Number.NaN);
    return value >= least ? value : undefined;
  };
  const shares = read(REQUEST_SHARES_VARIABLE, 2);
  const timeout = toMilliseconds(read(TIMEOUT_VARIABLE, 1));
  const maxWaitMs = toMilliseconds(read(RATE_LIMIT_WAIT_VARIABLE, 0));
  return {
    ...(shares === undefined || !Number.isInteger(shares) ? {} : { shares }),
    ...(timeout === undefined ? {} : { timeouts: limitAttempt(timeout) }),
    ...(maxWaitMs === undefined ? {} : { rateLimit: { maxWaitMs } }),
  };
}

function limitAttempt(timeout: number): NonNullable<ConnectionOptions["timeouts"]> {
  const connectMs = Math.min(timeout, LONGEST_CONNECT_MS);
  return { connectMs, headersMs: timeout, bodyMs: timeout, answerMs: timeout };
}

function toMilliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}
