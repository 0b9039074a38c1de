/** What a request and its response tell of the rate limit. */
import { readRateHeaders } from "./rate-response.js";
import type { Incoming } from "./send.js";

/** A request and its response. */
export interface Exchange {
  method: string;
  path: string;
  status: number;
  /** The remaining requests of the hour, if the response contains them, and the end of the hour by our clock. */
  rate?: { limit: number; remaining: number; resetAt: Date };
}

/** @param request whose path is without the address of the service @param now by our clock, in milliseconds */
export function describeExchange(
  { method, path }: Pick<Exchange, "method" | "path">,
  response: Incoming,
  now: number,
): Exchange {
  const rate = readRateHeaders(response);
  const exchange = { method, path, status: response.status };
  if (rate === undefined) return exchange;
  const { limit, remaining, reset, date } = rate;
  // The reset is by the service's clock.
  const ahead = date === undefined ? 0 : Date.parse(date) - now;
  const resetAt = new Date(reset * 1000 - (Number.isNaN(ahead) ? 0 : ahead));
  return { ...exchange, rate: { limit, remaining, resetAt } };
}
