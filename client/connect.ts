/** Opens the HTTP connection to a service. */
import { type Address, readAddress } from "./address.js";
import type { TokenProvider } from "./auth/token.js";
import { type Clock, systemClock } from "./clock.js";
import type { Exchange } from "./exchange.js";
import { type RetryOptions, retryPolicy } from "./retry.js";
import { type Fetch, fetchSend, openConnections, type Timeouts } from "./send.js";
import { Transport } from "./transport.js";
import type { Permit, ProgressEvent } from "./transport-settings.js";
import { formatUserAgent } from "./version.js";

/** How to reach a service: the same for the API and for its OAuth endpoints. */
export interface ConnectionOptions {
  /** The account's base address, such as https://host/api. HTTPS, unless the host is this machine. */
  baseUrl: string;
  /** Sends requests instead of the built-in connections. Proxy and ca are then its own concern. */
  fetch?: Fetch;
  /** Put before this library's own name in User-Agent. */
  userAgent?: string;
  retry?: RetryOptions;
  timeouts?: Timeouts;
  rateLimit?: {
    /** The longest wait for the end of the hour's window, in milliseconds. Default 5 minutes; 0: never wait. */
    maxWaitMs?: number;
  };
  /** Processes that use the hour's requests of the user at the same time: this one takes its share of what is left. Default 1. */
  shares?: number;
  /** What the token is and where it comes from, for the errors of refusals. No secret. */
  credential?: string | undefined;
  /** Where the base address is set, for messages about it. */
  addressSource?: string | undefined;
  /** Receives waits: for the rate limit (every second), before retries, and for a late response (every 5 seconds). */
  onProgress?: (event: ProgressEvent) => void;
  /** Receives one line per exchange: method, path, status, time, attempt, requests left. No secrets. */
  debug?: (line: string) => void;
  /** Receives every response, with what is left of the hour's requests. */
  onExchange?: (exchange: Exchange) => void;
  /** Permission to send, checked for each attempt. */
  permit?: Permit;
  /** Aborts all requests. */
  signal?: AbortSignal;
  /** When it aborts, requests that wait for the rate limit or before a repetition fail. What was sent continues. */
  hurry?: AbortSignal;
  /** Items per page that lists request. Default 100. */
  pageSize?: number | undefined;
  /** Status with which this service responds when an object does not exist. Default 404. */
  missingStatus?: number | undefined;
  /** Requests at the same time. Default 16. */
  maxConcurrency?: number;
  /** Certificates (PEM) to trust besides Node's own. */
  ca?: string | string[];
  /** Allow http:// to another machine. */
  allowInsecure?: boolean;
  /** Time, for tests. */
  clock?: Clock;
  /** Jitter, for tests: a number from 0 to 1. */
  random?: () => number;
}

export interface ClientConnection {
  address: Address;
  transport: Transport;
  close: () => Promise<void>;
}

const MINUTE_MS = 60_000;

export function connect(options: ConnectionOptions, tokens: TokenProvider): ClientConnection {
  const to = readAddress(options.baseUrl, options.allowInsecure);
  const maxConcurrency = options.maxConcurrency ?? 16;
  const timeouts = {
    connectMs: 10_000,
    headersMs: MINUTE_MS,
    bodyMs: MINUTE_MS,
    answerMs: 5 * MINUTE_MS,
    ...options.timeouts,
  };
  const { send, close } = options.fetch
    ? { send: fetchSend(options.fetch, to.origin, timeouts), close: () => Promise.resolve() }
    : openConnections(to, { timeouts, connections: maxConcurrency, ca: options.ca });
  const transport = new Transport({
    address: to,
    send,
    tokens,
    userAgent: formatUserAgent(options.userAgent),
    retry: retryPolicy(options.retry),
    maxWaitMs: options.rateLimit?.maxWaitMs ?? 5 * MINUTE_MS,
    patienceMs: timeouts.connectMs + timeouts.headersMs,
    answerMs: timeouts.answerMs,
    maxConcurrency,
    pageSize: options.pageSize,
    missingStatus: options.missingStatus,
    credential: options.credential,
    addressSource: options.addressSource,
    shares: options.shares ?? 1,
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    signal: options.signal,
    hurry: options.hurry,
    onProgress: options.onProgress,
    debug: options.debug,
    onExchange: options.onExchange,
    permit: options.permit,
  });
  return { address: to, transport, close };
}
