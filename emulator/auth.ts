/** Tokens of requests, and their scopes. */
import type { Clock } from "./clock.js";
import { fingerprint, generateSecret } from "./encryption.js";
import type { Scope } from "./enums.js";
import { createDeniedError, createUnauthorizedError } from "./errors.js";
import type { TokenRow, UserRow } from "./model.js";
import type { Store } from "./store.js";

/** Caller of a request. */
export interface Caller {
  user: UserRow;
  token: TokenRow;
}

/** @throws ServiceError 403 when the caller's token lacks a scope. */
export function requireScope({ token }: Caller, scope: Scope): void {
  if (!token.scopes.includes(scope))
    throw createDeniedError(`Access denied: the token lacks the scope ${scope}.`);
}

const bearer = /^Bearer +(\S+) *$/i;

/** Returns the token of a request from the Authorization header, else from the query (spec, "Authentication" 1). */
export function findToken(authorization: string | undefined, query: unknown): string | undefined {
  if (authorization !== undefined) {
    const match = bearer.exec(authorization);
    if (match?.[1] !== undefined) return match[1];
  }
  const value = (query as Record<string, unknown> | undefined)?.["access_token"];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Returns the password of Basic credentials, whatever the user name is. */
export function extractPassword(encoded: string): string {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  return text.slice(text.indexOf(":") + 1);
}

/** Access tokens, looked up by their hash: the store does not hold the tokens themselves. */
export class Tokens {
  private readonly byHash = new Map<string, TokenRow>();
  // Rows by token, to avoid hashing, which takes a large part of the time of a small request.
  private readonly recent = new Map<string, TokenRow>();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {
    this.reload();
  }

  /** Reloads the tokens after the store was filled or cleared. */
  reload(): void {
    this.byHash.clear();
    this.recent.clear();
    for (const row of this.store.tokens.all()) this.byHash.set(row.hash, row);
  }

  /** Finds a token of any kind, whether expired or not. */
  find(token: string): TokenRow | undefined {
    const cached = this.recent.get(token);
    if (cached !== undefined) return cached;
    const row = this.byHash.get(fingerprint(token));
    if (row !== undefined) {
      if (this.recent.size > 1000) this.recent.clear();
      this.recent.set(token, row);
    }
    return row;
  }

  isExpired(row: TokenRow): boolean {
    return row.expiresAt !== null && row.expiresAt <= this.clock.now();
  }

  /** Returns the caller that a token identifies. @throws ServiceError 401 when the token is unknown or expired. */
  caller(token: string): Caller {
    const row = this.find(token);
    const user = row === undefined ? undefined : this.store.users.get(row.userId);
    if (row === undefined || user === undefined || (row.kind !== "personal" && row.kind !== "access")) {
      throw createUnauthorizedError("The access token is not valid.");
    }
    if (this.isExpired(row)) throw createUnauthorizedError("The access token has expired.");
    return { user, token: row };
  }

  /** Creates a token and returns its text, which the store holds (encrypted) only when `remember` is set. */
  create(options: {
    user: UserRow;
    kind: TokenRow["kind"];
    scopes: readonly Scope[];
    expiresInSeconds?: number | undefined;
    token?: string | undefined;
    remember?: boolean;
    more?: Partial<TokenRow>;
  }): { token: string; row: TokenRow } {
    const { store, clock } = this;
    const token = options.token ?? generateSecret();
    const row = store.tokens.insert({
      kind: options.kind,
      hash: fingerprint(token),
      userId: options.user.id,
      scopes: [...options.scopes],
      expiresAt:
        options.expiresInSeconds === undefined ? null : clock.now() + options.expiresInSeconds * 1000,
      clientId: null,
      sealed: options.remember === true ? store.encryption.encrypt(token) : null,
      ...options.more,
    });
    this.byHash.set(row.hash, row);
    return { token, row };
  }

  remove(row: TokenRow): void {
    this.byHash.delete(row.hash);
    this.recent.clear();
    this.store.tokens.remove(row);
  }
}
