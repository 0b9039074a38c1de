/** Token providers that renew their tokens: client credentials and refresh tokens. */
import { type Clock, systemClock } from "../clock.js";
import { ServiceError } from "../errors.js";
import type { OAuthServer, Tokens } from "./oauth-server.js";
import type { TokenProvider } from "./token.js";

/** Stores tokens beyond the end of the process, such as in a credentials file. */
export interface TokenStore {
  load(): Promise<Tokens | undefined>;
  save(tokens: Tokens): Promise<void>;
  /** Runs the work while no other process does, since refresh tokens can often be used only once. */
  exclusively?<T>(work: () => Promise<T>): Promise<T>;
}

export interface RenewingOptions {
  /** Identifies the user of the tokens. Clients with the same identity and address share one rate limiter. Not a secret. */
  identity?: string;
  clock?: Clock;
}

export interface ClientCredentialsOptions extends RenewingOptions {
  /** Stores the token for the next process. Without it, each process requests its own. */
  store?: TokenStore;
}

/** Tokens of a program without a user (grant client_credentials). New ones are requested before they expire. */
export function clientCredentials(
  server: OAuthServer,
  scopes: readonly string[],
  { store, ...options }: ClientCredentialsOptions = {},
): TokenProvider {
  const identity = `client ${server.clientId}`;
  const request = () => server.clientCredentials(scopes);
  return new RenewingTokens(store ? renewInStore(store, options, request) : request, {
    identity,
    ...options,
  });
}

/** Tokens of a user who has logged in. They are renewed with the refresh token, and stored. */
export function refreshingToken(
  server: OAuthServer,
  store: TokenStore,
  options: RenewingOptions = {},
): TokenProvider {
  const request = async (stored: Tokens | undefined) => {
    if (stored?.refreshToken === undefined) throw loginNeeded();
    const renewed = await server.refresh(stored.refreshToken);
    // A server that grants the same scopes again need not return them.
    return stored.scopes === undefined ? renewed : { scopes: stored.scopes, ...renewed };
  };
  return new RenewingTokens(renewInStore(store, options, request), options);
}

/** Uses the stored tokens while they are valid. Otherwise requests new ones, while no other process does. */
function renewInStore(
  store: TokenStore,
  { clock = systemClock }: RenewingOptions,
  request: (stored: Tokens | undefined) => Promise<Tokens>,
): (rejected: string | undefined) => Promise<Tokens> {
  const alone = <T>(work: () => Promise<T>) => (store.exclusively ? store.exclusively(work) : work());
  return async (rejected) => {
    const isValid = (tokens: Tokens | undefined): tokens is Tokens =>
      tokens !== undefined && tokens.accessToken !== rejected && !isStale(tokens, clock.now());
    const found = await store.load();
    if (isValid(found)) return found;
    return alone(async () => {
      // Another process may have renewed them in the meantime.
      const stored = await store.load();
      if (isValid(stored)) return stored;
      const tokens = await request(stored);
      await store.save(tokens);
      return tokens;
    });
  };
}

/** Renews tokens before they expire and when one is rejected, never twice at the same time. */
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
    return signal ? abortWith(signal, renewed) : renewed;
  }
}

const AHEAD_MS = 60_000;

/** Whether a token expires within a minute, or within a tenth of its lifetime if that is short. */
function isStale({ obtainedAt, expiresAt }: Tokens, now: number): boolean {
  if (expiresAt === undefined) return false;
  return now >= expiresAt - Math.min(AHEAD_MS, (expiresAt - obtainedAt) / 10);
}

/** Ends the wait of one caller when its signal is aborted. The renewal continues, since others wait for it. */
function abortWith<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
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
    what: "no refresh token is stored for this connection",
    remedy: 'Log in again with "workspacectl login".',
  });
}
