/** Requests with authorization, rate limit and repetitions. */
import { setMaxListeners } from "node:events";
import { checkSendableToken, hashTokenIdentity, type TokenProvider } from "./auth/token.js";
import { showBaseAddress } from "./base-address.js";
import { recordChange } from "./changes.js";
import { check } from "./check-response.js";
import { joinSignals } from "./clock.js";
import { createErrorFromResponse } from "./error-from-response.js";
import { isServiceError, ServiceError, type ServiceErrorCode } from "./errors.js";
import { describeExchange } from "./exchange.js";
import { classifyFault } from "./faults.js";
import { describePage, explainNoJson } from "./foreign-page.js";
import { OwnCreations } from "./own-creations.js";
import { PageSizes } from "./page-window.js";
import { queryString } from "./path.js";
import { createSharedRateLimiter, type RateLimiter } from "./rate-limit.js";
import { isPause, isTooSoon, isUsedUp, readRateHeaders, retryAfterMs } from "./rate-response.js";
import { listCredentialsIn } from "./request-credentials.js";
import { computeBackoffMs } from "./retry.js";
import type { Schema } from "./schema.js";
import { type Incoming, NotSent } from "./send.js";
import { DeepJsonError, parseShallowJson } from "./shallow-json.js";
import { watchResponse } from "./slow-response.js";
import type { TransportSettings } from "./transport-settings.js";

/** A request as an API area describes it. */
export interface ServiceRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  path: string;
  query?: object | undefined;
  /** Sent as JSON; names as in the spec. */
  body?: unknown;
  /** Sent as a form in place of `body`: the OAuth endpoints. */
  form?: string;
  /** Credentials of an OAuth client, as the whole header. */
  basic?: string | undefined;
  scopes?: readonly string[] | undefined;
  right?: string | undefined;
  /** Another token than that of the client's user, or none (`nobody`). */
  bearer?: TokenProvider | "nobody";
  /** Remedies of this endpoint, where the usual one does not fit. */
  remedies?: Partial<Record<ServiceErrorCode, string>>;
  /** Whether sending it twice equals sending it once. Default: all but POST. */
  repeatable?: boolean;
}

export interface CallOptions {
  signal?: AbortSignal | undefined;
}

/** Sends requests: credentials, rate limit, retries and errors are the same for every endpoint. */
export class Transport {
  readonly settings: TransportSettings;
  readonly sizes = new PageSizes();
  readonly #own = new OwnCreations();
  readonly #ownLimiter: RateLimiter;

  constructor(settings: TransportSettings) {
    this.settings = settings;
    this.#ownLimiter = this.limiter();
    // Many requests may share one signal, which is not the leak that Node warns of.
    for (const signal of [settings.signal, settings.hurry]) if (signal) setMaxListeners(0, signal);
  }

  limiter(tokens: TokenProvider | "nobody" = this.settings.tokens): RateLimiter {
    const { address, clock, shares } = this.settings;
    const who = tokens === "nobody" ? tokens : hashTokenIdentity(tokens);
    return createSharedRateLimiter(`${address.origin} ${who}`, clock, shares);
  }

  /** The response's JSON (undefined when it has no body), or a ServiceError. */
  async call(request: ServiceRequest, options: CallOptions = {}): Promise<unknown> {
    const signal = this.#signal(options.signal);
    const repeatable = request.repeatable ?? request.method !== "POST";
    for (let attempt = 1; ; attempt++) {
      try {
        const response = await this.#attempt(request, attempt, signal);
        this.#own.note(request, response, this.settings.clock.now());
        return response;
      } catch (error) {
        this.#showAddress(error instanceof Repeatable ? error.cause : error);
        if (isServiceError(error) && (await this.#awaitOwn(request, error, signal))) continue;
        if (!(error instanceof Repeatable)) throw error;
        const { cause } = error;
        if (cause.mayHaveBeenApplied && !repeatable) throw cause;
        if (attempt > this.settings.retry.limit) throw cause;
        // If the service has named a time for the next attempt, the limiter delays all requests until then.
        if (error.isPaused) continue;
        await this.pause(attempt, request, cause, signal).catch((reason: unknown) => {
          // The failed attempt says whether something may have been applied.
          throw this.settings.hurry?.aborted && !signal?.aborted ? cause : reason;
        });
      }
    }
  }

  /** Checks a response. */
  check<T>(schema: Schema<T>, body: unknown, request: { method: string; path: string }): T {
    try {
      return check(schema, body, request);
    } catch (error) {
      this.#showAddress(error);
      throw error;
    }
  }

  #showAddress(error: unknown): void {
    const { address, addressSource } = this.settings;
    if (isServiceError(error)) showBaseAddress(error, address, addressSource);
  }

  /** Waits before a repetition. */
  async pause(
    repetition: number,
    { method, path }: { method: string; path: string },
    reason: ServiceError,
    signal?: AbortSignal,
  ): Promise<void> {
    const { retry, random, clock, onProgress, hurry } = this.settings;
    const waitMs = computeBackoffMs(retry, repetition, random);
    const attempts = retry.limit + 1;
    onProgress?.({
      ...{ type: "retry", method, path },
      ...{ attempt: repetition + 1, attempts, waitMs, reason: reason.code },
    });
    await clock.sleep(waitMs, joinSignals(signal, hurry));
  }

  /** Whether a request that failed concerns an object of this client that the service did not show yet. Waits until it may do so. */
  async #awaitOwn(
    request: ServiceRequest,
    error: ServiceError,
    signal: AbortSignal | undefined,
  ): Promise<boolean> {
    const { clock } = this.settings;
    const created = this.#own.find(request, error, clock.now());
    if (created === undefined) return false;
    const { paths, waitMs } = created;
    if (request.method !== "GET" || !paths.includes(request.path))
      for (const path of paths) {
        const isShown = await this.#attempt({ method: "GET", path }, 1, signal).then(
          () => true,
          () => false,
        );
        if (!isShown) continue;
        // It may have appeared since the request was refused, for each of several requests.
        this.#own.drop(path);
        return true;
      }
    await clock.sleep(waitMs, signal);
    return true;
  }

  #signal(own: AbortSignal | undefined): AbortSignal | undefined {
    const { signal } = this.settings;
    if (own) setMaxListeners(0, own);
    return joinSignals(own, signal);
  }

  /** One attempt. Sending again with a fresh token, or after the rate limit, is part of it. */
  async #attempt(
    request: ServiceRequest,
    attempt: number,
    signal: AbortSignal | undefined,
  ): Promise<unknown> {
    const tokens = request.bearer === "nobody" ? undefined : (request.bearer ?? this.settings.tokens);
    let token = tokens && (await this.#token(tokens, { signal }));
    const { clock, maxWaitMs } = this.settings;
    const until = clock.now() + maxWaitMs;
    for (let again = false, renewed = false; ; again = true) {
      const response = await this.#exchange(request, token, attempt, again, signal);
      if (response === AGAIN) continue;
      if (response.status < 300) return this.#parse(request, response, token);
      if (isTooSoon(response) && clock.now() < until) continue;
      const asked = response.status === 503 && response.header("retry-after") !== undefined;
      const secrets = listCredentialsIn(request, token);
      const error = createErrorFromResponse(request, response.status, response.text, secrets, {
        turnedAway: asked,
        location: response.header("location"),
        missingStatus: this.settings.missingStatus,
        credential: tokens === this.settings.tokens ? this.settings.credential : undefined,
      });
      if (response.status === 401 && tokens && token && !renewed) {
        const other = await this.#token(tokens, { rejected: token, signal });
        renewed = true;
        if (other !== token) {
          token = other;
          continue;
        }
      }
      if (response.status >= 500) throw new Repeatable(error, asked);
      throw error;
    }
  }

  async #token(tokens: TokenProvider, options: Parameters<TokenProvider["token"]>[0]): Promise<string> {
    return checkSendableToken(await tokens.token(options));
  }

  /** Sends it once, when the rate limit admits it. */
  async #exchange(
    request: ServiceRequest,
    token: string | undefined,
    attempt: number,
    again: boolean,
    signal: AbortSignal | undefined,
  ): Promise<Incoming | typeof AGAIN> {
    const { address, send, clock, maxWaitMs, maxConcurrency, onProgress, permit, hurry } = this.settings;
    const { method, path } = request;
    const limiter = request.bearer === undefined ? this.#ownLimiter : this.limiter(request.bearer);
    signal?.throwIfAborted();
    const wait = limiter.admit({ method, path, maxWaitMs, maxConcurrency, onProgress, signal, hurry, again });
    if (wait) await wait;
    try {
      await permit?.ensure();
    } catch (error) {
      limiter.release(undefined);
      throw error;
    }

    let response: Incoming | undefined;
    let refused = false;
    const started = clock.now();
    const attempts = this.settings.retry.limit + 1;
    const watch = onProgress && watchResponse({ method, path, attempt, attempts }, this.settings, onProgress);
    if (method !== "GET") recordChange();
    try {
      response = await send({
        method,
        target: address.prefix + path + queryString(request.query),
        headers: this.#headers(request, token),
        body: request.form ?? (request.body === undefined ? undefined : JSON.stringify(request.body)),
        signal,
        isPermitted: permit && (() => permit.isCertain),
        onBegin: watch?.begin,
      });
      refused = isUsedUp(response);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof NotSent) return AGAIN;
      const fault = classifyFault(error, request, address.origin);
      this.#debug(request, fault.error.code, started, attempt, undefined);
      throw fault.repeatable ? new Repeatable(fault.error) : fault.error;
    } finally {
      watch?.end();
      if (response && isPause(response))
        limiter.pause(
          retryAfterMs(response, clock.now()),
          describePage(response.text, listCredentialsIn(request, token)),
        );
      else if (response) limiter.unpaused();
      limiter.release(response && readRateHeaders(response), refused);
    }
    // A response may have waited while this process stood still. Nobody may continue with it before the permit is checked, and the next
    // request fails if it has ended.
    if (permit && !permit.isCertain) await permit.ensure()?.catch(() => undefined);
    this.#debug(
      request,
      String(response.status),
      started,
      attempt,
      response.header("x-rate-limit-remaining"),
    );
    this.settings.onExchange?.(describeExchange(request, response, clock.now()));
    return refused ? AGAIN : response;
  }

  #headers({ body, form, basic }: ServiceRequest, token: string | undefined): Record<string, string> {
    const headers: Record<string, string> = {
      accept: "application/json",
      "user-agent": this.settings.userAgent,
    };
    if (token !== undefined) headers["authorization"] = `Bearer ${token}`;
    else if (basic !== undefined) headers["authorization"] = basic;
    if (form !== undefined) headers["content-type"] = "application/x-www-form-urlencoded";
    else if (body !== undefined) headers["content-type"] = "application/json";
    return headers;
  }

  #parse(request: ServiceRequest, response: Incoming, token: string | undefined): unknown {
    if (response.status === 204 || response.text === "") return undefined;
    try {
      return parseShallowJson(response.text);
    } catch (error) {
      const { what, remedy } = explainNoJson(response.text, listCredentialsIn(request, token));
      throw new Repeatable(
        new ServiceError({
          code: "invalid-response",
          method: request.method,
          path: request.path,
          status: response.status,
          what:
            error instanceof DeepJsonError ? `the response cannot be used, because ${error.message}` : what,
          remedy,
          mayHaveBeenApplied: request.method !== "GET",
        }),
      );
    }
  }

  #debug(
    { method, path }: ServiceRequest,
    outcome: string,
    started: number,
    attempt: number,
    remaining: string | undefined,
  ): void {
    const { debug, clock } = this.settings;
    if (!debug) return;
    const ms = Math.round(clock.now() - started);
    debug(`${method} ${path} ${outcome} ${ms}ms attempt=${attempt} remaining=${remaining ?? "?"}`);
  }
}

/** The service refused the request because of its rate limit, so the limiter waits for the reset, or the permit ended before it was sent. */
const AGAIN = Symbol("again");

/** A fault after which another attempt may succeed. */
class Repeatable extends Error {
  override readonly cause: ServiceError;
  /** Whether all requests wait until the service accepts requests again. */
  readonly isPaused: boolean;

  constructor(cause: ServiceError, isPaused = false) {
    super(cause.message);
    this.cause = cause;
    this.isPaused = isPaused;
  }
}
