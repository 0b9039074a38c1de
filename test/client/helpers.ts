/** Clients for tests. */
import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import nock from "nock";
import { afterEach, beforeEach, expect } from "vitest";
import {
  type ClientOptions,
  type Clock,
  ServiceError,
  type ServiceErrorCode,
  WorkspaceAutomationClient,
} from "../../client/index.js";

export const host = "https://workspace.example.com";

/** Advances only during sleeps. */
export class FakeClock implements Clock {
  readonly sleeps: number[] = [];
  #now: number;

  constructor(start = Date.UTC(2030, 0, 1)) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  advance(ms: number): void {
    this.#now += ms;
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.sleeps.push(ms);
    this.#now += ms;
    await new Promise(setImmediate);
    signal?.throwIfAborted();
  }
}

/** Returns a client for nock, with waits that take no time and its own rate limiter. */
export function mockedClient(options: Partial<ClientOptions> = {}): WorkspaceAutomationClient {
  return new WorkspaceAutomationClient({
    baseUrl: `${host}/api`,
    token: randomUUID(),
    fetch: globalThis.fetch,
    clock: new FakeClock(),
    random: () => 1,
    ...options,
  });
}

export function useNock(): void {
  beforeEach(() => nock.disableNetConnect());
  afterEach(() => {
    const pending = nock.pendingMocks();
    nock.cleanAll();
    nock.enableNetConnect();
    expect(pending).toEqual([]);
  });
}

/** Answers every request for the second page of a list: there is none. */
export function endAfterFirstPage(path: string, array: string): void {
  const isSecond = (target: string) => target.startsWith(path) && /[?&]page=2&/.test(target);
  nock(host)
    .persist()
    .get(isSecond)
    .optionally()
    .reply(200, { [array]: [] });
}

/** Returns the ServiceError of a failing call. */
export async function failure(call: Promise<unknown>, code?: ServiceErrorCode): Promise<ServiceError> {
  const error: unknown = await call.then(
    () => new Error("it succeeded"),
    (e: unknown) => e,
  );
  if (!(error instanceof ServiceError)) throw error;
  if (code) expect(error.code).toBe(code);
  return error;
}

/** Returns an error body of the service (spec: Errors). */
export const says = (message: string) => ({ errors: [{ message }] });

export interface Listening {
  readonly baseUrl: string;
  /** The connections that it has accepted. */
  readonly sockets: Set<Socket>;
  readonly close: () => Promise<unknown>;
}

/** Starts a server on a free port. */
export async function listen(server: Server): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const close = () => {
    server.closeAllConnections();
    // Not even those of tunnels, which the server no longer counts as its own.
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  };
  return { baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, sockets, close };
}
