/** Sends one HTTP request. */
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { Dispatcher } from "undici";
import type { Address } from "./address.js";
import type { DispatcherOptions, Timeouts } from "./dispatcher.js";

export type { Timeouts } from "./dispatcher.js";

/** A request as it is sent. `target` is path and query. */
interface Outgoing {
  method: string;
  target: string;
  headers: Record<string, string>;
  body: string | undefined;
  signal: AbortSignal | undefined;
  /** Asked when the connection is ready. Nothing is sent unless it returns true. */
  isPermitted?: (() => boolean) | undefined;
  /** Called when the response has begun. */
  onBegin?: (() => void) | undefined;
}

/** The permit ended before the connection was ready, so nothing was sent. */
export class NotSent extends Error {}

export interface Incoming {
  status: number;
  header: (name: string) => string | undefined;
  text: string;
}

export type Send = (request: Outgoing) => Promise<Incoming>;

/** Far more than a list of 100 objects. A larger response is not from the service's API, or an attack on the memory. */
export const MAX_RESPONSE_BYTES = 64 * 1024 * 1024;

/** An aborted response. `classifyFault` explains the code. */
class AbortedResponse extends Error {
  constructor(readonly code: "RESPONSE_TOO_LARGE" | "RESPONSE_TIMEOUT") {
    super(code);
  }
}

interface Connections {
  /** Created with the first request: loading undici takes longer than many commands that send none. */
  dispatcher?: Promise<Dispatcher>;
  users: number;
}

const shared = new Map<string, Connections>();

/** The connections to an origin, shared by all clients of the process with the same options. */
export function openConnections(
  to: Address,
  options: DispatcherOptions,
): { send: Send; close: () => Promise<void> } {
  const key = JSON.stringify([to.origin, options]);
  const connections: Connections = shared.get(key) ?? { users: 0 };
  shared.set(key, connections);
  connections.users++;
  const dispatcher = () =>
    (connections.dispatcher ??= import("./dispatcher.js").then(({ createDispatcher }) =>
      createDispatcher(to, options),
    ));
  let open = true;
  const close = async () => {
    if (!open) return;
    open = false;
    if (--connections.users > 0) return;
    shared.delete(key);
    // What could not be made was reported by the request that needed it.
    await connections.dispatcher?.then(
      (made) => made.close(),
      () => undefined,
    );
  };
  return { send: createUndiciSend(dispatcher, to.origin, options.timeouts), close };
}

function createUndiciSend(
  dispatcher: () => Promise<Dispatcher>,
  origin: string,
  { answerMs }: Required<Timeouts>,
): Send {
  return async ({ target, body = null, signal = null, isPermitted, onBegin, ...request }) => {
    const connections = await dispatcher();
    const sender = isPermitted ? connections.compose(createLastCheck(isPermitted)) : connections;
    const response = await sender.request({ ...request, origin, path: target, body, signal });
    onBegin?.();
    return {
      status: response.statusCode,
      header: (name) => {
        const value = response.headers[name];
        return Array.isArray(value) ? value[0] : value;
      },
      text: await readText(response.body, answerMs),
    };
  };
}

/** Checks the permit after any wait for a connection, and immediately before the request is written to it. */
function createLastCheck(isPermitted: () => boolean): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (options, handler) =>
    dispatch(options, {
      onRequestStart(controller, context) {
        if (!isPermitted()) throw new NotSent();
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...args) => handler.onRequestUpgrade?.(...args),
      onResponseStart: (...args) => handler.onResponseStart?.(...args),
      onResponseData: (...args) => handler.onResponseData?.(...args),
      onResponseEnd: (...args) => handler.onResponseEnd?.(...args),
      onResponseError: (...args) => handler.onResponseError?.(...args),
    });
}

/** The whole body as text. Closes the connection when the body is too large or takes too long. */
async function readText(body: Readable, withinMs: number): Promise<string> {
  const timer = setTimeout(() => body.destroy(new AbortedResponse("RESPONSE_TIMEOUT")), withinMs);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      chunks.push(chunk);
      bytes += chunk.byteLength;
      if (bytes > MAX_RESPONSE_BYTES) throw new AbortedResponse("RESPONSE_TOO_LARGE");
    }
  } finally {
    clearTimeout(timer);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

export type Fetch = typeof globalThis.fetch;

/** Sends through the user's fetch, with one timeout for the whole exchange. */
export function fetchSend(fetch: Fetch, origin: string, timeouts: Required<Timeouts>): Send {
  const wholeMs = timeouts.connectMs + timeouts.headersMs + timeouts.bodyMs;
  return async ({ method, target, headers, body, signal, isPermitted, onBegin }) => {
    if (isPermitted?.() === false) throw new NotSent();
    const timeout = AbortSignal.timeout(wholeMs);
    const response = await fetch(origin + target, {
      method,
      headers,
      redirect: "manual",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      ...(body === undefined ? {} : { body }),
    });
    onBegin?.();
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      text: response.body
        ? await readText(Readable.fromWeb(response.body as WebStream<Uint8Array>), timeouts.answerMs)
        : "",
    };
  };
}
