import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import { rootCertificates } from "node:tls";
import { EnvHttpProxyAgent, Pool, type Dispatcher } from "undici";
import type { Address } from "./address.js";

/** One request as it goes out; `target` is path and query. */
export interface Outgoing {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
}

export interface Incoming {
  status: number;
  header: (name: string) => string | undefined;
  text: string;
}

export type Send = (request: Outgoing) => Promise<Incoming>;

export interface Timeouts {
  /** To connect. Default 10 s. */
  connectMs?: number;
  /** From the request to the answer's headers. Default 60 s. */
  headersMs?: number;
  /** Between two pieces of the answer's body. Default 60 s. */
  bodyMs?: number;
  /** From the answer's headers to its end, however steadily it comes. Default 5 minutes. */
  answerMs?: number;
}

/** No list of 100 objects comes near it: more is not the service's API, or meant to use up the memory. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** An answer that was broken off; the code tells `faultOf` why. */
class BrokenOff extends Error {
  constructor(readonly code: "ANSWER_TOO_LARGE" | "ANSWER_TIMEOUT") {
    super(code);
  }
}

export interface ConnectionOptions {
  timeouts: Required<Timeouts>;
  connections: number;
  /** Certificates (PEM) trusted besides Node's own. Without it NODE_EXTRA_CA_CERTS works as everywhere. */
  ca: string | string[] | undefined;
}

interface SharedDispatcher {
  dispatcher: Dispatcher;
  users: number;
}

const shared = new Map<string, SharedDispatcher>();

/** The connections to an origin, shared by all clients of the process that want them alike. */
export function openConnections(
  to: Address,
  options: ConnectionOptions,
): { send: Send; close: () => Promise<void> } {
  const key = JSON.stringify([to.origin, options]);
  let entry = shared.get(key);
  if (!entry) shared.set(key, (entry = { dispatcher: dispatcherFor(to, options), users: 0 }));
  const { dispatcher } = entry;
  entry.users++;
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    if (--entry.users > 0) return;
    shared.delete(key);
    await dispatcher.close();
  };
  return { send: undiciSend(dispatcher, to.origin, options.timeouts), close };
}

function dispatcherFor(to: Address, { timeouts, connections, ca }: ConnectionOptions): Dispatcher {
  // An own list replaces Node's, so Node's is part of it.
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
  const proxied =
    !to.loopback && ["http_proxy", "https_proxy"].some((v) => process.env[v] || process.env[v.toUpperCase()]);
  return proxied ? new EnvHttpProxyAgent({ ...tuned, requestTls: connect }) : new Pool(to.origin, tuned);
}

function undiciSend(dispatcher: Dispatcher, origin: string, { answerMs }: Required<Timeouts>): Send {
  return async ({ method, target, headers, body, signal }) => {
    const answer = await dispatcher.request({
      origin,
      path: target,
      method: method,
      headers,
      body: body ?? null,
      signal: signal ?? null,
    });
    return {
      status: answer.statusCode,
      header: (name) => {
        const value = answer.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      text: await textOf(answer.body, answerMs),
    };
  };
}

/** The whole body as text, unless it is too large or takes too long: then the connection is closed. */
async function textOf(body: Readable, withinMs: number): Promise<string> {
  const timer = setTimeout(() => body.destroy(new BrokenOff("ANSWER_TIMEOUT")), withinMs);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > MAX_ANSWER_BYTES) throw new BrokenOff("ANSWER_TOO_LARGE");
    }
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

export type Fetch = typeof globalThis.fetch;

/** Sends through a fetch that the user gives; its timeouts are one for the whole exchange. */
export function fetchSend(fetch: Fetch, origin: string, timeouts: Required<Timeouts>): Send {
  const wholeMs = timeouts.connectMs + timeouts.headersMs + timeouts.bodyMs;
  return async ({ method, target, headers, body, signal }) => {
    const timeout = AbortSignal.timeout(wholeMs);
    const answer = await fetch(origin + target, {
      method,
      headers,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body === undefined ? {} : { body }),
    });
    return {
      status: answer.status,
      header: (name) => answer.headers.get(name) ?? undefined,
      text: answer.body
        ? await textOf(Readable.fromWeb(answer.body as WebStream<Uint8Array>), timeouts.answerMs)
        : "",
    };
  };
}
