import { systemClock, type Clock } from "../clock.js";
import { ServiceError } from "../errors.js";
import type { OAuthServer, Tokens } from "./oauth-server.js";
import type { TokenProvider } from "./token.js";

/** Where tokens outlive the process, such as a credentials file. */
export interface TokenStore {
  load(): Promise<Tokens | undefined>;
  save(tokens: Tokens): Promise<void>;
  /** Runs the work while no other process does: refresh tokens are often good for one use. */
  exclusively?<T>(work: () => Promise<T>): Promise<T>;
}

export interface RenewingOptions {
  /** Whose tokens these are; clients of one identity and address share one rate limiter. Not a secret. */
  identity?: string;
  clock?: Clock;
}

export interface ClientCredentialsOptions extends RenewingOptions {
  /** Where the token is kept for the next process; without one each process asks for its own. */
  store?: TokenStore;
}

/** Tokens of a program that acts for itself: grant client_credentials, asked for again before they expire. */
export function clientCredentials(
  server: OAuthServer,
  scopes: readonly string[],
  { store, ...options }: ClientCredentialsOptions = {},
): TokenProvider {
  const identity = `client ${server.clientId}`;
  const ask = () => server.clientCredentials(scopes);
  return new RenewingTokens(store ? keptIn(store, options, ask) : ask, { identity, ...options });
}

/** Tokens of a user who has logged in: renewed by the refresh token, and kept in the store. */
export function refreshingToken(
  server: OAuthServer,
  store: TokenStore,
  options: RenewingOptions = {},
): TokenProvider {
  const ask = (kept: Tokens | undefined) => {
    if (kept?.refreshToken === undefined) throw loginNeeded();
    return server.refresh(kept.refreshToken);
  };
  return new RenewingTokens(keptIn(store, options, ask), options);
}

/** Takes the tokens of the store while they are good, else asks for others while no other process does. */
function keptIn(
  store: TokenStore,
  { clock = systemClock }: RenewingOptions,
  ask: (kept: Tokens | undefined) => Promise<Tokens>,
): (rejected: string | undefined) => Promise<Tokens> {
  const alone = <T>(work: () => Promise<T>) => (store.exclusively ? store.exclusively(work) : work());
  return async (rejected) => {
    const isGood = (tokens: Tokens | undefined): tokens is Tokens =>
      tokens !== undefined && tokens.accessToken !== rejected && !isStale(tokens, clock.now());
    const found = await store.load();
    if (isGood(found)) return found;
    return alone(async () => {
      // Another process may have renewed them in the meantime.
      const kept = await store.load();
      if (isGood(kept)) return kept;
      const tokens = await ask(kept);
      await store.save(tokens);
      return tokens;
    });
  };
}

/** Holds tokens, renews them before they expire and when one is rejected; never twice at the same time. */
class RenewingTokens implements TokenProvider {
  readonly identity?: string;
  readonly #renew: (rejected: string | undefined) => Promise<Tokens>;
  readonly #clock: Clock;
  #current: Tokens | undefined;
  #renewing: Promise<Tokens> | undefined;

  constructor(
    renew: (rejected: string | undefined) => Promise<Tokens>,
    { identity, clock }: RenewingOptions,
  ) {
    if (identity !== undefined) this.identity = identity;
    this.#renew = renew;
    this.#clock = clock ?? systemClock;
  }

  token({
    rejected,
    signal,
  }: {
    rejected?: string;
    signal?: AbortSignal | undefined;
  }): string | Promise<string> {
    const current = this.#current;
    if (current && current.accessToken !== rejected && !isStale(current, this.#clock.now()))
      return current.accessToken;
    this.#renewing ??= this.#renew(rejected)
      .then((tokens) => (this.#current = tokens))
      .finally(() => (this.#renewing = undefined));
    const renewed = this.#renewing.then((tokens) => tokens.accessToken);
    return signal ? unless(signal, renewed) : renewed;
  }
}

const AHEAD_MS = 60_000;

/** Soon to expire: a minute ahead, or a tenth of a short life. */
function isStale({ obtainedAt, expiresAt }: Tokens, now: number): boolean {
  if (expiresAt === undefined) return false;
  return now >= expiresAt - Math.min(AHEAD_MS, (expiresAt - obtainedAt) / 10);
}

/** One caller's signal ends that caller's wait, not the renewal that others wait for too. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason as Error);
    if (signal.aborted) abort();
    signal.addEventListener("abort", abort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
  });
}

function loginNeeded(): ServiceError {
  return new ServiceError({
    code: "unauthorized",
    what: "no refresh token is kept for this connection",
    remedy: "Log in again.",
  });
}
