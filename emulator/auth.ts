import type { Clock } from "./clock.js";
import { unauthorized } from "./errors.js";
import type { TokenRow, UserRow } from "./model.js";
import type { Scope } from "./scopes.js";
import type { Store } from "./store.js";
import { fingerprint, randomSecret } from "./vault.js";

/** The caller of a request. */
export interface Caller {
  user: UserRow;
  token: TokenRow;
}

const bearer = /^Bearer +(\S+) *$/i;

/** The token of a request: the Authorization header, else the query parameter (spec, "Authentication" 1). */
export function tokenOf(authorization: string | undefined, query: unknown): string | undefined {
  if (authorization !== undefined) {
    const match = bearer.exec(authorization);
    if (match?.[1] !== undefined) return match[1];
  }
  const value = (query as Record<string, unknown> | undefined)?.["access_token"];
  return typeof value === "string" && value !== "" ? value : undefined;
}

/** Tokens by what the store keeps of them. */
export class Tokens {
  private readonly byHash = new Map<string, TokenRow>();
  // Hashing is a good part of a small request's time.
  private readonly recent = new Map<string, TokenRow>();

  constructor(
    private readonly store: Store,
    private readonly clock: Clock,
  ) {
    this.reload();
  }

  /** Learn the tokens again after the store was filled or emptied. */
  reload(): void {
    this.byHash.clear();
    this.recent.clear();
    for (const row of this.store.tokens.all()) this.byHash.set(row.hash, row);
  }

  /** A token by its text, whatever its kind or age. */
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

  /** Who sends this token, or why it is no good: 401. */
  caller(token: string): Caller {
    const row = this.find(token);
    const user = row === undefined ? undefined : this.store.users.get(row.userId);
    if (row === undefined || user === undefined || (row.kind !== "personal" && row.kind !== "access")) {
      throw unauthorized("The access token is not valid.");
    }
    if (this.isExpired(row)) throw unauthorized("The access token has expired.");
    return { user, token: row };
  }

  /** Keep a token; returns its text, which is in no other place unless `remember` is set. */
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
    const token = options.token ?? randomSecret();
    const row = store.tokens.insert({
      id: store.newId(),
      kind: options.kind,
      hash: fingerprint(token),
      userId: options.user.id,
      scopes: [...options.scopes],
      expiresAt:
        options.expiresInSeconds === undefined ? null : clock.now() + options.expiresInSeconds * 1000,
      clientId: null,
      sealed: options.remember === true ? store.vault.seal(token) : null,
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
