import formbody from "@fastify/formbody";
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from "fastify";
import { setTimeout as sleep } from "node:timers/promises";
import { tokenOf, type Caller } from "./auth.js";
import { formatDate } from "./clock.js";
import { acceptJson, checkContentType, largestBody } from "./body.js";
import { Context } from "./context.js";
import { corsHeaders, preflightHeaders } from "./cors.js";
import { invalidUrl, methodNotAllowed, rateLimitExceeded, ServiceError } from "./errors.js";
import type { Fault } from "./faults.js";
import { checkBody, checkQuery } from "./fields.js";
import { guard } from "./guard.js";
import type { JournalEntry } from "./journal.js";
import type { Place } from "./context.js";
import { fastifyPath, matchesPath, paramsOf } from "./paths.js";
import type { RateState } from "./rate-limit.js";
import type { Route } from "./route.js";
import { scopes } from "./scopes.js";
import type { Service } from "./service.js";
import { faultError, spoil } from "./spoil.js";

const jsonType = "application/json; charset=utf-8";

/** What the hooks of one request tell each other. */
interface Exchange {
  path: string;
  caller: Caller | undefined;
  refusal: ServiceError | undefined;
  fault: Fault | undefined;
  entry: JournalEntry | undefined;
  place: Place;
  /** Asked by the emulator itself. */
  isInside: boolean;
}

declare module "fastify" {
  interface FastifyRequest {
    exchange: Exchange | null;
  }
  interface FastifyContextConfig {
    /** Not part of the service: the web view, the control interface. */
    outside?: boolean;
  }
}

export interface ServerOptions {
  /** Path below which the API lives, or "". */
  basePath: string;
  /** A header value that marks requests made by the control itself: not counted, not delayed, not in the journal. */
  insideKey: string;
}

export const insideHeader = "x-emulator-inside";

/** The HTTP side: turns route definitions into a Fastify server. */
export function createServer(
  service: Service,
  routes: readonly Route[],
  options: ServerOptions,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    // Longer than the idle time of usual client pools, so that a client never writes into a closing connection.
    keepAliveTimeout: 75_000,
    forceCloseConnections: "idle",
    bodyLimit: largestBody,
    // A path that cannot be decoded: the hooks do not run for it.
    frameworkErrors: (error, request, reply) => {
      begin(service, request, reply, options);
      const path = request.exchange?.path ?? request.url.split("?", 1)[0] ?? "/";
      void sendError(reply, error.code === "FST_ERR_BAD_URL" ? invalidUrl(path) : error);
    },
    routerOptions: { maxParamLength: 8192, ignoreTrailingSlash: true },
  });
  acceptJson(app);
  void app.register(formbody);
  app.decorateRequest("exchange", null);

  // Callbacks, not promises: most requests have nothing to wait for.
  app.addHook("onRequest", (request, reply, done) => {
    const exchange = begin(service, request, reply, options);
    if (exchange === undefined) return done();
    request.exchange = exchange;
    // Before the body is looked at: a wrong address or method is that, whatever was sent there.
    const goOn = (): void => {
      if (request.is404) void refuseUnknown(service, routes, request, reply);
      else done();
    };
    if (exchange.fault === undefined && service.settings.latencyMs === 0) return goOn();
    delay(service, request, exchange).then(goOn, done);
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const { exchange } = request;
    if (exchange?.entry !== undefined) exchange.entry.status = reply.statusCode;
    if (exchange?.fault === undefined) done(null, payload);
    else spoil(exchange.fault, exchange.entry, request, reply, payload, done);
  });

  app.setErrorHandler((error, request, reply) => {
    const isOauth = request.exchange?.path.startsWith("/oauth2/") === true;
    return sendError(reply, isOauth ? withOauthFields(asServiceError(error as FrameworkError)) : error);
  });
  app.setNotFoundHandler((request, reply) => refuseUnknown(service, routes, request, reply));

  for (const route of routes) {
    app.route({
      method: route.method,
      url: options.basePath + fastifyPath(route.path),
      onRequest: (request, _reply, done) => {
        try {
          admit(service, route, request);
          done();
        } catch (error) {
          done(error as Error);
        }
      },
      handler: (request, reply) => run(service, route, request, reply),
    });
  }
  return app;
}

/** No route: an address that does not exist, or a method that it does not have. */
function refuseUnknown(
  service: Service,
  routes: readonly Route[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { exchange } = request;
  if (exchange === null) return sendError(reply, new ServiceError(404, "Not found."));
  if (exchange.fault?.kind === "status") return sendError(reply, faultError(exchange.fault));
  const { path } = exchange;
  const methods = routes
    .filter((each) => matchesPath(each, path) && exists(service, each))
    .map((each) => each.method as string);
  if (request.method === "OPTIONS") return preflight(reply, methods);
  if (exchange.refusal?.status === 403) return sendError(reply, exchange.refusal);
  if (methods.length === 0) return sendError(reply, invalidUrl(path));
  return sendError(reply, methodNotAllowed(request.method, [...new Set(methods), "OPTIONS"]));
}

/** Setting-dependent paths come and go while the emulator runs. */
function exists(service: Service, route: Route): boolean {
  return route.onlyWith === undefined || service.settings[route.onlyWith];
}

/** Who calls, and may they go on: identity, rate window, headers of every answer, journal, faults. */
function begin(
  service: Service,
  request: FastifyRequest,
  reply: FastifyReply,
  options: ServerOptions,
): Exchange | undefined {
  const mark = request.url.indexOf("?");
  const sent = mark < 0 ? request.url : request.url.slice(0, mark);
  const { basePath } = options;
  const inside = request.headers[insideHeader];
  if (typeof inside === "string" && inside.startsWith(`${options.insideKey}:`)) {
    return {
      caller: insideCaller(service, Number(inside.slice(options.insideKey.length + 1))),
      refusal: undefined,
      path: sent.slice(basePath.length),
      fault: undefined,
      entry: undefined,
      place: {},
      isInside: true,
    };
  }
  if (request.routeOptions.config.outside === true) return undefined;
  const path = sent.startsWith(`${basePath}/`) ? sent.slice(basePath.length) : sent;
  const { caller, refusal } = identify(service, request);
  const exchange: Exchange = {
    path,
    caller,
    refusal,
    fault: undefined,
    entry: undefined,
    place: {},
    isInside: false,
  };
  reply.headers(corsHeaders);
  let state: RateState;
  if (caller === undefined || request.method === "OPTIONS") state = service.limiter.anonymous();
  else {
    const taken = service.limiter.take(caller.user.id);
    state = taken.state;
    if (!taken.allowed) exchange.refusal = rateLimitExceeded();
  }
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
  service.journal.note(exchange.entry);
  exchange.fault = service.faults.take(request.method, path);
  return exchange;
}

/** By the decoded name: `%61ccess_token` is taken for the token, too. */
function withoutToken(query: string): string {
  const isToken = (pair: string): boolean => new URLSearchParams(pair).has("access_token");
  return query
    .split("&")
    .filter((pair) => !isToken(pair))
    .join("&");
}

/** The emulator acts for a user without a token: with all scopes. */
function insideCaller(service: Service, userId: number): Caller {
  const user = service.store.users.need(userId);
  const token = {
    id: 0,
    kind: "personal",
    hash: "",
    userId,
    expiresAt: null,
    clientId: null,
    sealed: null,
  } as const;
  return { user, token: { ...token, scopes: [...scopes] } };
}

function identify(service: Service, request: FastifyRequest): Pick<Exchange, "caller" | "refusal"> {
  const token = tokenOf(request.headers.authorization, request.query);
  if (token === undefined) return { caller: undefined, refusal: undefined };
  try {
    return { caller: service.tokens.caller(token), refusal: undefined };
  } catch (error) {
    if (error instanceof ServiceError) return { caller: undefined, refusal: error };
    throw error;
  }
}

async function delay(service: Service, request: FastifyRequest, { fault }: Exchange): Promise<void> {
  if (service.settings.latencyMs > 0) await sleep(service.settings.latencyMs);
  if (fault?.kind === "delay") await sleep(fault.delayMs ?? 1000);
  if (fault?.kind === "reset-before") request.raw.socket.resetAndDestroy();
}

/** Before the body is read: refuse who may not come in. */
function admit(service: Service, route: Route, request: FastifyRequest): void {
  const { exchange } = request;
  if (exchange === null) throw new Error("The request was not begun");
  if (exchange.fault?.kind === "status") throw faultError(exchange.fault);
  if (exchange.fault?.kind === "reset-before") throw new ServiceError(500, "Connection reset.");
  if (exchange.refusal !== undefined && (route.caller !== "open" || exchange.refusal.status === 403)) {
    throw exchange.refusal;
  }
  const params = paramsOf(route, request.params as Record<string, string>);
  exchange.place = guard(service, route, exchange.caller, params, exchange.path, exchange.isInside);
}

function run(
  service: Service,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const { exchange } = request;
  if (exchange === null) throw new Error("The request was not begun");
  checkContentType(request, route.form === true);
  const rawQuery = request.query as Record<string, unknown>;
  const strict = service.settings.strictBodies && route.openBody !== true && route.form !== true;
  const context = new Context(
    service,
    exchange.caller,
    exchange.place,
    paramsOf(route, request.params as Record<string, string>),
    route.query === undefined ? {} : checkQuery(route.query, rawQuery),
    route.body === undefined ? {} : checkBody(route.body, request.body, strict),
    rawQuery,
    exchange.path,
    request.headers,
  );
  if (route.method !== "GET") return change(service, route, context, reply);
  const value: unknown = route.handle(context);
  if (!(value instanceof Promise)) return answer(route, context, reply, value);
  return value.then((result: unknown) => answer(route, context, reply, result));
}

/** What a refusal changed, such as a grant that ended, is kept as well as what a success did. */
async function change(
  service: Service,
  route: Route,
  context: Context,
  reply: FastifyReply,
): Promise<FastifyReply> {
  let value: unknown;
  try {
    value = await route.handle(context);
  } finally {
    await service.store.commit();
  }
  return answer(route, context, reply, value);
}

function answer(route: Route, context: Context, reply: FastifyReply, value: unknown): FastifyReply {
  reply.code(context.status ?? route.answer.status);
  // Tokens and client secrets (RFC 6749, 5.1).
  if (route.path.startsWith("/oauth2/")) void reply.header("cache-control", "no-store");
  if (value === undefined) return reply.send();
  return reply.header("content-type", jsonType).send(JSON.stringify(value));
}

function preflight(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  if (methods.length > 0) reply.header("allow", [...new Set([...methods, "OPTIONS"])].join(", "));
  return reply.headers(preflightHeaders).code(200).send();
}

interface FrameworkError {
  statusCode?: number;
  message: string;
}

function sendError(reply: FastifyReply, thrown: unknown): FastifyReply {
  const error = asServiceError(thrown as FrameworkError);
  return reply
    .code(error.status)
    .headers(error.headers)
    .header("content-type", jsonType)
    .send(JSON.stringify(error.body()));
}

function asServiceError(error: FrameworkError): ServiceError {
  if (error instanceof ServiceError) return error;
  const status = error.statusCode;
  if (status !== undefined && status >= 400 && status < 500) return new ServiceError(status, error.message);
  return new ServiceError(500, `Internal error of the emulator: ${error.message}`);
}

/** Errors of the OAuth endpoints carry the fields of RFC 6749 too. */
function withOauthFields(error: ServiceError): ServiceError {
  if (error.extra["error"] !== undefined || error.status >= 500) return error;
  const code = error.status === 401 ? "invalid_token" : "invalid_request";
  const extra = { error: code, error_description: error.message };
  return new ServiceError(error.status, error.message, error.headers, extra);
}
