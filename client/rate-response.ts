/** What a response says of the rate limit. */
import { isRateLimited } from "./error-from-response.js";
import type { Incoming } from "./send.js";

/** The rate limit in the headers of a response. */
export interface RateHeaders {
  limit: number;
  remaining: number;
  /** End of the window, epoch seconds, by the service's clock. */
  reset: number;
  /** The Date header: the service's clock. */
  date: string | undefined;
}

/** Returns the end of the window by the clock of this machine, in milliseconds. */
export function computeWindowEnd({ reset, date }: RateHeaders, now: number): number {
  const serverNow = date === undefined ? NaN : Date.parse(date);
  return now + reset * 1000 - (Number.isNaN(serverNow) ? now : serverNow);
}

/** Whether the hourly rate limit is reached. A refusal with requests left concerns the moment, not the hour. */
export function isUsedUp(response: Incoming): boolean {
  return isRateLimited(response.status, response.text) && !((readRateHeaders(response)?.remaining ?? 0) > 0);
}

/** Whether the request was refused because there were too many at once. Then it was certainly not executed. */
export function isTooSoon(response: Incoming): boolean {
  return response.status === 429 || (isRateLimited(response.status, response.text) && !isUsedUp(response));
}

/** Whether the response asks for a pause. */
export function isPause(response: Incoming): boolean {
  return isTooSoon(response) || (response.status === 503 && response.header("retry-after") !== undefined);
}

export function readRateHeaders({ header }: Incoming): RateHeaders | undefined {
  const number = (name: string) => Number(header(name) ?? NaN);
  const remaining = number("x-rate-limit-remaining");
  const reset = number("x-rate-limit-reset");
  if (Number.isNaN(remaining) || Number.isNaN(reset)) return undefined;
  return { limit: number("x-rate-limit-limit"), remaining, reset, date: header("date") };
}

/** The wait that the response asks for: in seconds, or until a time by the service's clock (RFC 9110, 10.2.3). */
export function retryAfterMs({ header }: Incoming, now: number): number | undefined {
  const text = header("retry-after")?.trim() ?? "";
  if (/^\d+$/.test(text)) return Number(text) * 1000 || undefined;
  const ms = Date.parse(text) - (Date.parse(header("date") ?? "") || now);
  return ms > 0 ? ms : undefined;
}
