/** What the transport of a client is given: where to send requests, how often, and whom to tell about waits. */
import type { Address } from "./address.js";
import type { TokenProvider } from "./auth/token.js";
import type { Clock } from "./clock.js";
import type { ServiceErrorCode } from "./errors.js";
import type { Exchange } from "./exchange.js";
import type { RateLimitWait } from "./rate-limit.js";
import type { RetryPolicy } from "./retry.js";
import type { Send } from "./send.js";
import type { SlowResponse } from "./slow-response.js";

/** Permission to send requests, which may end at any moment. */
export interface Permit {
  /** Makes sure before each request that it may be sent. What it throws ends the call, and nothing is sent. */
  readonly ensure: () => Promise<void> | undefined;
  /** Whether that is still so. Asked immediately before a request is sent; otherwise, `ensure` is called again. */
  readonly isCertain: boolean;
}

export interface RetryEvent {
  type: "retry";
  method: string;
  path: string;
  /** The attempt that follows; 2 is the first repetition. */
  attempt: number;
  /** Number of attempts after which the request fails. */
  attempts: number;
  waitMs: number;
  reason: ServiceErrorCode;
}

export type ProgressEvent = RateLimitWait | RetryEvent | SlowResponse;

export interface TransportSettings {
  address: Address;
  send: Send;
  tokens: TokenProvider;
  userAgent: string;
  retry: RetryPolicy;
  maxWaitMs: number;
  /** Time after which an attempt without a response is given up. */
  patienceMs: number;
  /** Time after which a response that has begun is given up. */
  answerMs: number;
  maxConcurrency: number;
  pageSize: number | undefined;
  missingStatus: number | undefined;
  credential: string | undefined;
  addressSource: string | undefined;
  /** Processes that use the hour's requests of the user at the same time. */
  shares: number;
  clock: Clock;
  random: () => number;
  signal: AbortSignal | undefined;
  /** When it aborts, nothing waits any more before it is sent. */
  hurry: AbortSignal | undefined;
  onProgress: ((event: ProgressEvent) => void) | undefined;
  debug: ((line: string) => void) | undefined;
  onExchange: ((exchange: Exchange) => void) | undefined;
  permit: Permit | undefined;
}
