/** Connections by undici, in a separate module that is loaded with the first request. */
import { rootCertificates } from "node:tls";
// Bun has a module of its own under the short name, which lacks most of it.
import { type Dispatcher, Pool } from "undici/index.js";
import type { Address } from "./address.js";
import { createProxyDispatcher, hasProxy } from "./proxy.js";

export interface Timeouts {
  /** To connect. Default 10 s. */
  connectMs?: number;
  /** From the request to the response's headers. Default 60 s. */
  headersMs?: number;
  /** Between two pieces of the response's body. Default 60 s. */
  bodyMs?: number;
  /** From the response's headers to its end. Default 5 minutes. */
  answerMs?: number;
}

export interface DispatcherOptions {
  timeouts: Required<Timeouts>;
  connections: number;
  /** Certificates (PEM) that are trusted besides Node's own. Without them, NODE_EXTRA_CA_CERTS works as usual. */
  ca: string | string[] | undefined;
}

export function createDispatcher(to: Address, { timeouts, connections, ca }: DispatcherOptions): Dispatcher {
  // A list replaces Node's own certificates, so it includes them.
  const trusted = ca === undefined ? {} : { ca: [...rootCertificates, ...[ca].flat()] };
  const connect = { timeout: timeouts.connectMs, ...trusted };
  const tuned = {
    connections,
    pipelining: 1,
    keepAliveTimeout: 20_000,
    keepAliveMaxTimeout: 120_000,
    headersTimeout: timeouts.headersMs,
    bodyTimeout: timeouts.bodyMs,
    connect,
  };
  return !to.loopback && hasProxy() ? createProxyDispatcher(tuned, connect) : new Pool(to.origin, tuned);
}
