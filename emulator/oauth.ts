import { createHash, timingSafeEqual } from "node:crypto";
import { ServiceError } from "./errors.js";
import type { ClientRow, TokenRow, UserRow } from "./model.js";
import { isScope, type Scope } from "./scopes.js";
import type { Service } from "./service.js";
import { fingerprint, randomSecret } from "./vault.js";

/**
 * The OAuth 2.0 authorization server (spec, "OAuth 2.0" and "Authentication"). Errors carry the fields of RFC 6749
 * beside the service's own `errors`.
 */
export type OauthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_token_type"
  | "invalid_redirect_uri"
  | "invalid_scope"
  | "invalid_token"
  | "not_found";

export const grantTypes = ["authorization_code", "refresh_token", "client_credentials"] as const;

/** Access tokens live this long unless the client says otherwise. */
export const defaultTokenSeconds = 3600;
export const refreshTokenSeconds = 30 * 24 * 3600;
const codeSeconds = 600;

export function oauthError(status: 400 | 401 | 404, code: OauthErrorCode, message: string): ServiceError {
  const headers: Record<string, string> =
    status === 401 ? { "www-authenticate": 'Basic realm="oauth2"' } : {};
  return new ServiceError(status, message, headers, { error: code, error_description: message });
}

export function findClient(service: Service, clientId: string): ClientRow | undefined {
  return service.store.clients.byKey(0, clientId);
}

/** Whether two secrets are the same, without telling by the time it takes. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(Buffer.from(fingerprint(a)), Buffer.from(fingerprint(b)));
}

/** What a client is made of; the secret is known only to whoever made it. */
export function createClient(
  service: Service,
  ownerId: number,
  values: Omit<ClientRow, "id" | "client_id" | "secretHash" | "ownerId" | "issuedAt">,
  fixed: { clientId?: string; clientSecret?: string } = {},
): { client: ClientRow; secret: string } {
  const { store, clock } = service;
  const secret = fixed.clientSecret ?? randomSecret();
  const client = store.clients.insert({
    ...values,
    id: store.newId(),
    client_id: fixed.clientId ?? randomSecret().slice(0, 32),
    secretHash: fingerprint(secret),
    ownerId,
    issuedAt: clock.now(),
  });
  return { client, secret };
}

/** The client that speaks, by Basic header or by form fields; 401 when it is not the one it says. */
export function authenticateClient(
  service: Service,
  authorization: string | string[] | undefined,
  form: { client_id?: string | null; client_secret?: string | null },
): ClientRow {
  const basic = basicCredentials(authorization);
  const id = basic?.id ?? form.client_id ?? undefined;
  const secret = basic?.secret ?? form.client_secret ?? undefined;
  if (id === undefined || secret === undefined) {
    throw oauthError(401, "invalid_client", "Client credentials are required.");
  }
  const client = findClient(service, id);
  if (client === undefined || !isSame(client.secretHash, fingerprint(secret))) {
    throw oauthError(401, "invalid_client", "The client credentials are not valid.");
  }
  return client;
}

function basicCredentials(header: string | string[] | undefined): { id: string; secret: string } | undefined {
  if (typeof header !== "string") return undefined;
  const match = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header);
  if (match?.[1] === undefined) return undefined;
  const text = Buffer.from(match[1], "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) throw oauthError(401, "invalid_client", "The Basic credentials are malformed.");
  return { id: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Scopes of a request, separated by blanks or commas. */
export function parseScopes(text: string): Scope[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  if (names.length === 0) throw oauthError(400, "invalid_scope", "Value of 'scope' cannot be empty.");
  const granted: Scope[] = [];
  for (const name of new Set(names)) {
    if (!isScope(name)) throw oauthError(400, "invalid_scope", `Unknown scope '${name}'.`);
    granted.push(name);
  }
  return granted;
}

/** A code for the redirect of the authorize page. */
export function issueCode(
  service: Service,
  user: UserRow,
  client: ClientRow,
  scopes: readonly Scope[],
  redirectUri: string | null,
  challenge: string | null,
): string {
  const { token } = service.tokens.create({
    user,
    kind: "code",
    scopes,
    expiresInSeconds: codeSeconds,
    more: { clientId: client.client_id, redirectUri, challenge, family: randomSecret() },
  });
  return token;
}

/** The token response of the spec, with new tokens in it. */
export function issueTokens(
  service: Service,
  user: UserRow,
  client: ClientRow,
  scopes: readonly Scope[],
  family: string,
) {
  const base = { user, scopes } as const;
  const more = { clientId: client.client_id, family };
  const access = service.tokens.create({
    ...base,
    kind: "access",
    expiresInSeconds: client.token_expires_in,
    more,
  });
  const refresh = service.tokens.create({
    ...base,
    kind: "refresh",
    expiresInSeconds: refreshTokenSeconds,
    more,
  });
  return {
    access_token: access.token,
    token_type: "Bearer",
    expires_in: client.token_expires_in,
    refresh_token: refresh.token,
    refresh_token_expires_in: refreshTokenSeconds,
  };
}

const badGrant = (message: string): ServiceError => oauthError(400, "invalid_grant", message);

/** The grant a code or refresh token stands for; used up by this, so that it works once. */
function redeem(service: Service, text: string, kind: "code" | "refresh", client: ClientRow): TokenRow {
  const row = service.tokens.find(text);
  if (row?.kind !== kind || row.clientId !== client.client_id) {
    throw badGrant(kind === "code" ? "The code is not valid." : "The refresh token is not valid.");
  }
  service.tokens.remove(row);
  if (service.tokens.isExpired(row)) throw badGrant("The grant has expired.");
  return row;
}

export function redeemCode(
  service: Service,
  client: ClientRow,
  request: { code: string; redirectUri: string | null; verifier: string | null },
): TokenRow {
  const row = redeem(service, request.code, "code", client);
  if (row.redirectUri != null && row.redirectUri !== request.redirectUri) {
    throw badGrant("The redirect_uri is not the one of the authorization.");
  }
  if (row.challenge != null) {
    if (request.verifier === null) throw badGrant("Value of 'code_verifier' cannot be empty.");
    if (!isSame(challengeOf(request.verifier), row.challenge))
      throw badGrant("The code_verifier does not match.");
  }
  return row;
}

/** @param scopes What is asked for; no more than was granted. */
export function redeemRefreshToken(
  service: Service,
  client: ClientRow,
  token: string,
  scopes: readonly Scope[] = [],
): TokenRow {
  const known = service.tokens.find(token);
  if (known !== undefined && !scopes.every((scope) => known.scopes.includes(scope))) {
    throw oauthError(400, "invalid_scope", "A refresh cannot widen the scope.");
  }
  return redeem(service, token, "refresh", client);
}

/** PKCE S256. */
export function challengeOf(verifier: string): string {
  return createHash("sha256").update(verifier).digest("base64url");
}

/** The client of a revocation: the Basic header is optional there, `client_id` then names it. */
export function identifyClient(
  service: Service,
  authorization: string | string[] | undefined,
  form: { client_id?: string | null; client_secret?: string | null },
): ClientRow {
  if (basicCredentials(authorization) !== undefined || form.client_secret != null) {
    return authenticateClient(service, authorization, form);
  }
  const client = form.client_id == null ? undefined : findClient(service, form.client_id);
  if (client === undefined) throw oauthError(401, "invalid_client", "The client credentials are not valid.");
  return client;
}

/** Revoke an access token, or a refresh token with all of its grant. An unknown token is revoked already (RFC 7009). */
export function revoke(service: Service, client: ClientRow, token: string): void {
  const row = service.tokens.find(token);
  if (row === undefined || (row.kind !== "access" && row.kind !== "refresh")) return;
  if (row.clientId !== client.client_id) throw badGrant("The token was issued to another client.");
  const family =
    row.kind === "refresh"
      ? service.store.tokens.of(row.userId).filter((each) => each.family === row.family)
      : [row];
  for (const each of family) service.tokens.remove(each);
}
