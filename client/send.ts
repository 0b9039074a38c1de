import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { Dispatcher } from "undici";
import type { Address } from "./address.js";
import type { DispatcherOptions, Timeouts } from "./dispatcher.js";

export type { Timeouts } from "./dispatcher.js";

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

/** No list of 100 objects comes near it: more is not the service's API, or meant to use up the memory. */
export const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** An answer that was broken off; the code tells `faultOf` why. */
class BrokenOff extends Error {
  constructor(readonly code: "ANSWER_TOO_LARGE" | "ANSWER_TIMEOUT") {
    super(code);
  }
}

interface SharedDispatcher {
  dispatcher: LazyDispatcher;
  users: number;
}

/** Made with the first request: loading undici takes longer than many a command that asks nothing. */
class LazyDispatcher {
  private opening: Promise<Dispatcher> | undefined;

  constructor(private readonly make: () => Promise<Dispatcher>) {}

  get(): Promise<Dispatcher> {
    return (this.opening ??= this.make());
  }

  async close(): Promise<void> {
    await (await this.opening)?.close();
  }
}

const shared = new Map<string, SharedDispatcher>();

/** The connections to an origin, shared by all clients of the process that want them alike. */
export function openConnections(
  to: Address,
  options: DispatcherOptions,
): { send: Send; close: () => Promise<void> } {
  const key = JSON.stringify([to.origin, options]);
  let entry = shared.get(key);
  if (!entry) {
    entry = {
      dispatcher: new LazyDispatcher(async () =>
        (await import("./dispatcher.js")).dispatcherFor(to, options),
      ),
      users: 0,
    };
    shared.set(key, entry);
  }
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

function undiciSend(dispatcher: LazyDispatcher, origin: string, { answerMs }: Required<Timeouts>): Send {
  return async ({ method, target, headers, body, signal }) => {
    const answer = await (
      await dispatcher.get()
    ).request({
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
