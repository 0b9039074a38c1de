/** The HTTP server that serves the routes. */
import { setTimeout as sleep } from "node:timers/promises";
import formbody from "@fastify/formbody";
import Fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from "fastify";
import { authorize } from "./authorization.js";
import { acceptJson, checkContentType, maxBodyBytes } from "./body.js";
import { Context } from "./context.js";
import { createInvalidUrlError, createMethodNotAllowedError, ServiceError } from "./errors.js";
import { createFaultError, getDelay, injectFault } from "./fault-injection.js";
import { checkBody, checkQuery, isObject, requireObject } from "./fields.js";
import { beginExchange, type Exchange, type ServerOptions } from "./request-state.js";
import { exists, matchesPath, pickParams, type Route, toFastifyPath } from "./route.js";
import type { Service } from "./service.js";
import type { Settings } from "./settings.js";
import { convertStatus } from "./statuses.js";
import { convertText, convertTexts } from "./stored-text.js";

const jsonType = "application/json; charset=utf-8";

/** Additional headers of the response to a preflight request (spec, "Versioning" 2). */
const preflightHeaders = {
  "access-control-allow-methods": "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS",
  "x-workspace-automation-media-type": "workspace-automation.v1.0.0",
} as const;

/** Creates the Fastify server that serves the routes. */
export function createServer(
  service: Service,
  routes: readonly Route[],
  options: ServerOptions,
): FastifyInstance {
  const app = Fastify({
    logger: false,
    // Exceeds the idle time of common client pools, so that a client never writes to a connection that is closing.
    keepAliveTimeout: 75_000,
    forceCloseConnections: "idle",
    bodyLimit: maxBodyBytes,
    // Handles paths that cannot be decoded, for which no hook runs.
    frameworkErrors: (error, request, reply) => {
      beginExchange(service, request, reply, options);
      const path = request.exchange?.path ?? request.url.split("?", 1)[0] ?? "/";
      void sendError(
        reply,
        error.code === "FST_ERR_BAD_URL" ? createInvalidUrlError(path) : asServiceError(error),
      );
    },
    routerOptions: { maxParamLength: 8192, ignoreTrailingSlash: true },
  });
  acceptJson(app);
  void app.register(formbody);
  app.decorateRequest("exchange", null);

  // Uses callbacks instead of promises because most requests have nothing to wait for.
  app.addHook("onRequest", (request, reply, done) => {
    const exchange = beginExchange(service, request, reply, options);
    if (exchange === undefined) return done();
    request.exchange = exchange;
    if (service.gate.guardsApi && !exchange.isInternal) service.gate.refuseForeignPage(request);
    // Rejects an unknown path or method before the body is parsed, whatever the body is.
    const proceed = (): void => {
      if (request.is404) void sendUnknownPath(service, routes, request, reply);
      else done();
    };
    if (exchange.fault === undefined && service.settings.latencyMs === 0) return proceed();
    delay(service, request, exchange).then(proceed, done);
  });

  app.addHook("onSend", (request, reply, payload, done) => {
    const { exchange } = request;
    if (exchange?.entry !== undefined) exchange.entry.status = reply.statusCode;
    if (exchange?.fault === undefined) done(null, payload);
    else injectFault(exchange.fault, exchange.entry, request, reply, payload, done);
  });

  app.setErrorHandler<FastifyError>((error, request, reply) => {
    const refusal = asServiceError(error);
    const { exchange } = request;
    if (exchange === null || exchange.isInternal) return sendError(reply, refusal);
    const isOauth = exchange.path.startsWith("/oauth2/");
    return sendError(reply, isOauth ? withOauthFields(refusal) : convertStatus(refusal, service.settings));
  });
  app.setNotFoundHandler((request, reply) => sendUnknownPath(service, routes, request, reply));

  for (const route of routes) {
    app.route({
      method: route.method,
      url: options.basePath + toFastifyPath(route.path),
      onRequest: (request, _reply, done) => {
        authorizeRequest(service, route, request);
        done();
      },
      handler: (request, reply) => runRoute(service, route, request, reply),
    });
  }
  return app;
}

/** Responds to a request that no route matches: the path does not exist, or not with this method. */
function sendUnknownPath(
  service: Service,
  routes: readonly Route[],
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { exchange } = request;
  if (exchange === null) return sendError(reply, new ServiceError(404, "Not found."));
  if (exchange.fault?.kind === "status") return sendError(reply, createFaultError(exchange.fault));
  const { path } = exchange;
  const matching = routes.filter((each) => matchesPath(each, path) && exists(each, service.settings));
  const methods = [...new Set(matching.map(({ method }) => method))];
  if (request.method === "OPTIONS") return sendPreflight(reply, methods);
  if (exchange.refusal?.status === 403) return sendError(reply, exchange.refusal);
  if (methods.length === 0) return sendError(reply, createInvalidUrlError(path));
  return sendError(reply, createMethodNotAllowedError(request.method, [...methods, "OPTIONS"]));
}

async function delay(service: Service, request: FastifyRequest, { fault }: Exchange): Promise<void> {
  if (service.settings.latencyMs > 0) await sleep(service.settings.latencyMs);
  if (fault?.kind === "delay") await sleep(getDelay(fault));
  if (fault?.kind === "reset-before") request.raw.socket.resetAndDestroy();
}

/** Authorizes a request before its body is read. */
function authorizeRequest(service: Service, route: Route, request: FastifyRequest): void {
  const { exchange } = request;
  if (exchange === null) throw new Error("The request was not begun");
  if (exchange.fault?.kind === "status") throw createFaultError(exchange.fault);
  if (exchange.fault?.kind === "reset-before") throw new ServiceError(500, "Connection reset.");
  if (exchange.refusal !== undefined && (route.caller !== "open" || exchange.refusal.status === 403)) {
    throw exchange.refusal;
  }
  const params = pickPathParams(service, route, request);
  // A read by others may see the data of a moment ago.
  service.replica.follow(service.settings);
  if (route.method === "GET" && !exchange.isInternal) exchange.service = service.replica.read(service);
  exchange.target = authorize(exchange.service, route, params, exchange);
}

function runRoute(
  service: Service,
  route: Route,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply | Promise<FastifyReply> {
  const { exchange } = request;
  if (exchange === null) throw new Error("The request was not begun");
  checkContentType(request, route.form === true);
  const rawQuery = request.query as Record<string, unknown>;
  const strict = service.settings.strictBodies && route.form !== true;
  const context = new Context(
    exchange.service,
    exchange.caller,
    exchange.target,
    pickPathParams(service, route, request),
    route.query === undefined ? {} : checkQuery(route.query, convertQuery(rawQuery, service.settings)),
    parseBody(route, convertBody(route, request.body, service.settings), strict),
    rawQuery,
    exchange.path,
    request.headers,
    exchange.isInternal,
  );
  const value: unknown = route.method === "GET" ? route.handle(context) : handleAndCommit(route, context);
  const respond = (result: unknown) => sendResponse(route, context, reply, result);
  return value instanceof Promise ? value.then(respond) : respond(value);
}

function parseBody({ body, openBody }: Route, sent: unknown, strict: boolean): Record<string, unknown> {
  if (body === undefined) return {};
  return openBody === true ? requireObject(sent) : checkBody(body, sent, strict);
}

/** Returns the parameters of the path, with the name of the project as the service stores it. */
function pickPathParams(
  { settings }: Service,
  route: Route,
  request: FastifyRequest,
): Record<string, string> {
  const params = pickParams(route, request.params as Record<string, string>);
  const { project_name: name } = params;
  return name === undefined ? params : { ...params, project_name: convertText(name, settings) };
}

function convertQuery(query: Record<string, unknown>, settings: Settings): Record<string, unknown> {
  const { projectName: name } = query;
  return typeof name === "string" ? { ...query, projectName: convertText(name, settings) } : query;
}

/** Returns a body as this service understands it. */
function convertBody(route: Route, sent: unknown, settings: Settings): unknown {
  const { method, path } = route;
  if (path.startsWith("/oauth2/")) return sent;
  const body = convertTexts(sent, settings);
  // Where an empty text clears a value, null changes nothing.
  if (settings.clearedBy === "null" || method !== "PATCH" || !isObject(body)) return body;
  const entries = Object.entries(body).filter(([, value]) => value !== null);
  return Object.fromEntries(entries.map(([name, value]) => [name, value === "" ? null : value]));
}

/** Handles a request that may change data. Commits after an error too, since a refusal can change data (it can end a grant). */
async function handleAndCommit(route: Route, context: Context): Promise<unknown> {
  try {
    return await route.handle(context);
  } finally {
    await context.store.commit();
  }
}

function sendResponse(route: Route, context: Context, reply: FastifyReply, value: unknown): FastifyReply {
  reply.code(context.status ?? route.response.status);
  // Responses with tokens and client secrets must not be cached (RFC 6749, 5.1).
  if (route.path.startsWith("/oauth2/")) void reply.header("cache-control", "no-store");
  if (value === undefined) return reply.send();
  const { list } = route.response;
  const body =
    list !== undefined && Array.isArray(value)
      ? { ...context.service.links.ofRoute(route.path, context.params), [list]: value }
      : value;
  const replacer = context.service.settings.fractionalSeconds ? addFractions : undefined;
  return reply.header("content-type", jsonType).send(JSON.stringify(body, replacer));
}

/** Adds fractional seconds to dates. */
function addFractions(name: string, value: unknown): unknown {
  const isDate = name.endsWith("_date") && typeof value === "string" && /:\d\dZ$/.test(value);
  return isDate ? value.replace(/Z$/, ".123Z") : value;
}

function sendPreflight(reply: FastifyReply, methods: readonly string[]): FastifyReply {
  if (methods.length > 0) reply.header("allow", [...methods, "OPTIONS"].join(", "));
  return reply.headers(preflightHeaders).code(200).send();
}

function sendError(reply: FastifyReply, error: ServiceError): FastifyReply {
  return reply
    .code(error.status)
    .headers(error.headers)
    .header("content-type", jsonType)
    .send(JSON.stringify(error.body()));
}

function asServiceError(error: FastifyError): ServiceError {
  if (error instanceof ServiceError) return error;
  const status = error.statusCode;
  if (status !== undefined && status >= 400 && status < 500) return new ServiceError(status, error.message);
  return new ServiceError(500, `Internal error of the emulator: ${error.message}`);
}

/** Adds the fields of RFC 6749 to an error of an OAuth endpoint. */
function withOauthFields(error: ServiceError): ServiceError {
  if (error.extra["error"] !== undefined || error.status >= 500) return error;
  const code = error.status === 401 ? "invalid_token" : "invalid_request";
  const extra = { error: code, error_description: error.message };
  return new ServiceError(error.status, error.message, error.headers, extra);
}
