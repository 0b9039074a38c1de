/** State that the hooks of one request share. */
import type { FastifyReply, FastifyRequest } from "fastify";
import { type Caller, findToken } from "./auth.js";
import { formatDate } from "./clock.js";
import type { RequestTarget } from "./context.js";
import { scopes } from "./enums.js";
import { createRateLimitExceededError, ServiceError } from "./errors.js";
import type { Fault } from "./fault-injection.js";
import type { LoggedRequest } from "./request-log.js";
import type { Service } from "./service.js";

/** State that the hooks of one request share. */
export interface Exchange {
  path: string;
  caller: Caller | undefined;
  refusal: ServiceError | undefined;
  fault: Fault | undefined;
  entry: LoggedRequest | undefined;
  target: RequestTarget;
  /** Service as this request sees it. */
  service: Service;
  /** Whether the emulator itself sent the request. */
  isInternal: boolean;
}

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange | null;
  }
  interface FastifyContextConfig {
    /** Marks routes that are not part of the service: the web pages and the control interface. */
    outside?: boolean;
  }
}

export interface ServerOptions {
  /** Path prefix of the API, or "". */
  basePath: string;
  /** Header value that marks internal requests, which are not counted, delayed or logged. */
  internalKey: string;
}

export const internalHeader = "x-emulator-inside";

/** Constant headers of every response (spec, "Authentication" 8). */
const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-allow-credentials": "true",
  "access-control-allow-headers": "Content-Type, Authorization",
} as const;

const nothing = { refusal: undefined, fault: undefined, entry: undefined };

/**
 * Identifies the caller, counts and logs the request, sets the headers of every response and picks the fault to inject.
 * Returns undefined for routes that are not part of the service.
 */
export function beginExchange(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
): Exchange | undefined {
  const mark = request.url.indexOf("?");
  const sent = mark < 0 ? request.url : request.url.slice(0, mark);
  const { basePath } = options;
  const internal = request.headers[internalHeader];
  if (typeof internal === "string" && internal.startsWith(`${options.internalKey}:`)) {
    const caller = createInternalCaller(service, Number(internal.slice(options.internalKey.length + 1)));
    return { ...nothing, path: sent.slice(basePath.length), caller, target: {}, service, isInternal: true };
  }
  if (request.routeOptions.config.outside === true) return undefined;
  const path = sent.startsWith(`${basePath}/`) ? sent.slice(basePath.length) : sent;
  const identified = identify(service, request);
  const { caller } = identified;
  const exchange: Exchange = { ...nothing, path, ...identified, target: {}, service, isInternal: false };
  reply.headers(corsHeaders);
  const { limiter } = service;
  const isCounted = caller !== undefined && request.method !== "OPTIONS";
  const state = isCounted ? limiter.take(caller.user.id) : limiter.anonymous();
  if (!state.allowed) exchange.refusal = createRateLimitExceededError();
  reply.header("x-rate-limit-limit", state.limit);
  reply.header("x-rate-limit-remaining", state.remaining);
  reply.header("x-rate-limit-reset", state.reset);
  exchange.entry = {
    at: formatDate(service.clock.now()),
    method: request.method,
    path,
    query: mark < 0 ? "" : withoutToken(request.url.slice(mark + 1)),
    status: 0,
    user: caller?.user.email ?? null,
  };
  service.requestLog.add(exchange.entry);
  exchange.fault = service.faults.take(request.method, path);
  return exchange;
}

/** Removes the token from a query. Names are decoded first because an encoded name is accepted as the token too. */
function withoutToken(query: string): string {
  const pairs = query.split("&").filter((pair) => !new URLSearchParams(pair).has("access_token"));
  return pairs.join("&");
}

/** Returns a caller with all scopes: internal requests act for a user without a token. */
function createInternalCaller(service: Service, userId: number): Caller {
  const user = service.store.users.require(userId);
  const token = { id: 0, kind: "personal", hash: "", userId, expiresAt: null, clientId: null } as const;
  return { user, token: { ...token, scopes: [...scopes], sealed: null } };
}

function identify(service: Service, request: FastifyRequest): Pick<Exchange, "caller" | "refusal"> {
  const token = findToken(request.headers.authorization, request.query);
  if (token === undefined) return { caller: undefined, refusal: undefined };
  try {
    return { caller: service.tokens.caller(token), refusal: undefined };
  } catch (error) {
    if (error instanceof ServiceError) return { caller: undefined, refusal: error };
    throw error;
  }
}
