/** Faults that tests inject into responses. */
import { createContext, Script } from "node:vm";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ServiceError } from "./errors.js";
import type { LoggedRequest } from "./request-log.js";

/**
 * Fault to inject into a response, before or after the request is handled.
 *
 * - `status`: refuses with this status, without handling the request
 * - `delay`: waits, then handles the request as usual
 * - `delay-after`: handles the request, commits the changes, then waits before it responds
 * - `reset-before`: resets the connection without handling the request
 * - `reset-after`: handles the request, commits the changes, then resets the connection
 * - `garbage`: handles the request, then responds with something that is not JSON
 * - `truncated`: handles the request, then sends half of the body and closes the connection
 */
export interface Fault {
  kind: (typeof faultKinds)[number];
  /** Matches requests of this method only. */
  method?: string | undefined;
  /** Matches this path only, or the paths of a pattern; below the base path, without the query. */
  path?: string | RegExp | undefined;
  /** Number of requests to hit; default 1. */
  count?: number | undefined;
  /** Number of matching requests to let pass first; default 0. */
  skip?: number | undefined;
  /** Status code of a `status` fault; default 500. */
  status?: number | undefined;
  /** Error message of a `status` fault. */
  message?: string | undefined;
  /** Duration of a `delay` or `delay-after` fault in milliseconds; default 1000. */
  delayMs?: number | undefined;
}

export const faultKinds = [
  "status",
  "delay",
  "delay-after",
  "reset-before",
  "reset-after",
  "garbage",
  "truncated",
] as const;

/** Faults that are waiting for a matching request. */
export class Faults {
  private list: (Fault & { count: number; skip: number })[] = [];

  add(fault: Fault): void {
    this.list.push({ ...fault, count: fault.count ?? 1, skip: fault.skip ?? 0 });
  }

  clear(): void {
    this.list = [];
  }

  get pending(): readonly Fault[] {
    return this.list;
  }

  /**
   * Returns the fault that hits this request and counts the hit.
   * @throws {ServiceError} when matching a pattern takes too long; its fault is removed
   */
  take(method: string, path: string): Fault | undefined {
    if (this.list.length === 0) return undefined;
    const hit = this.list.find((fault) => this.matches(fault, method, path) && fault.skip-- <= 0);
    if (hit === undefined) return undefined;
    hit.count -= 1;
    if (hit.count <= 0) this.remove(hit);
    return hit;
  }

  private matches(fault: Fault, method: string, path: string): boolean {
    if (fault.method !== undefined && fault.method.toUpperCase() !== method) return false;
    if (fault.path === undefined) return true;
    if (typeof fault.path === "string") return fault.path === path;
    const found = matchesInTime(fault.path, path);
    if (found !== undefined) return found;
    this.remove(fault);
    throw new ServiceError(
      500,
      `The fault with the pattern ${String(fault.path)} was removed: matching it against this path takes too long.`,
    );
  }

  private remove(fault: Fault): void {
    this.list = this.list.filter((one) => one !== fault);
  }
}

const MOST_MILLISECONDS = 100;
const matching = new Script("pattern.test(path)");

/** Matches a pattern, which may backtrack for longer than anybody waits. Undefined when it takes too long. */
function matchesInTime(pattern: RegExp, path: string): boolean | undefined {
  try {
    const context = createContext({ pattern, path });
    return matching.runInContext(context, { timeout: MOST_MILLISECONDS }) as boolean;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_SCRIPT_EXECUTION_TIMEOUT") return undefined;
    throw error;
  }
}

/** Response to a request that a `status` fault hits. */
export const createFaultError = (fault: Fault): ServiceError =>
  new ServiceError(fault.status ?? 500, fault.message ?? "Injected fault.");

/** Duration of a delay in milliseconds. */
export const getDelay = (fault: Fault): number => fault.delayMs ?? 1000;

type Done = (error: Error | null, payload?: unknown) => void;

/** Injects a fault into the response of a request that was handled and committed. */
export function injectFault(
  fault: Fault,
  entry: LoggedRequest | undefined,
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
  done: Done,
): void {
  const isReset = fault.kind === "reset-before" || fault.kind === "reset-after";
  if (isReset || fault.kind === "truncated") {
    if (entry !== undefined) entry.status = 0;
    const { socket } = request.raw;
    if (isReset || typeof payload !== "string") {
      socket.resetAndDestroy();
      return;
    }
    reply.raw.writeHead(reply.statusCode, {
      "content-type": "application/json; charset=utf-8",
      "content-length": Buffer.byteLength(payload),
    });
    reply.raw.write(payload.slice(0, Math.ceil(payload.length / 2)), () => socket.destroy());
    return;
  }
  if (fault.kind === "delay-after") setTimeout(done, getDelay(fault), null, payload);
  else if (fault.kind === "garbage") done(null, "<!doctype html><title>Bad gateway</title>");
  else done(null, payload);
}
