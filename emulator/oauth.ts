import { createHash } from "node:crypto";
import { ServiceError } from "./errors.js";
import type { ClientRow, TokenRow, UserRow } from "./model.js";
import { isScope, scopes as allScopes, type Scope } from "./scopes.js";
import type { Service } from "./service.js";
import { fingerprint, isSame, randomSecret } from "./vault.js";

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
  const isOther = basic !== undefined && form.client_id != null && form.client_id !== basic.id;
  if (client === undefined || isOther || !isSame(client.secretHash, fingerprint(secret))) {
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

/** What a client may get at most: the scopes of the token that registered it. */
export function allowedScopes(client: ClientRow): readonly Scope[] {
  return client.scopes ?? allScopes;
}

/** The scopes that a client asks for; refused when it may not get all of them. */
export function grantableScopes(client: ClientRow, asked: string): Scope[] {
  const scopes = parseScopes(asked);
  const beyond = scopes.filter((scope) => !allowedScopes(client).includes(scope));
  if (beyond.length > 0) {
    throw oauthError(
      400,
      "invalid_scope",
      `The client may not ask for ${beyond.join(", ")}: the token that registered it has no such scope.`,
    );
  }
  return scopes;
}

/** What an authorization code is bound to. */
export interface CodeRequest {
  scopes: readonly Scope[];
  redirectUri: string;
  /** Whether the client named the address itself, and so must name it again for the token. */
  isNamed: boolean;
  challenge: string | null;
}

/** A code for the redirect of the authorize page. */
export function issueCode(service: Service, user: UserRow, client: ClientRow, request: CodeRequest): string {
  const { scopes, redirectUri, isNamed, challenge } = request;
  const { token } = service.tokens.create({
    user,
    kind: "code",
    scopes,
    expiresInSeconds: codeSeconds,
    more: { clientId: client.client_id, redirectUri, isNamed, challenge, family: randomSecret() },
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

/**
 * The grant a code or refresh token stands for; used up by this, so that it works once. One that is used again was
 * stolen, or its thief was faster: everything that came of its grant ends (RFC 6749, 4.1.2; RFC 9700, 4.14.2).
 */
function redeem(service: Service, row: TokenRow): void {
  const { tokens, clock } = service;
  if (row.spent === true) {
    endGrant(service, row);
    throw badGrant("It was used before: all tokens of its grant are revoked.");
  }
  if (tokens.isExpired(row)) throw badGrant("The grant has expired.");
  dropExpired(service, row);
  row.spent = true;
  // Remembered for as long as the refresh token that comes of it can live.
  row.expiresAt = clock.now() + refreshTokenSeconds * 1000;
  service.store.tokens.update(row);
}

/** A code or refresh token, if it is one of this client's. */
function grantOf(service: Service, text: string, kind: "code" | "refresh", client: ClientRow): TokenRow {
  const row = service.tokens.find(text);
  if (row?.kind !== kind || row.clientId !== client.client_id) {
    throw badGrant(kind === "code" ? "The code is not valid." : "The refresh token is not valid.");
  }
  return row;
}

/** Everything that came of one consent. */
function familyOf(service: Service, { userId, family }: TokenRow): TokenRow[] {
  return service.store.tokens.of(userId).filter((each) => each.family === family);
}

/** Revoke all of a grant; what was used stays remembered as used. */
function endGrant(service: Service, row: TokenRow): void {
  for (const each of familyOf(service, row)) if (each.spent !== true) service.tokens.remove(each);
}

function dropExpired(service: Service, row: TokenRow): void {
  for (const each of familyOf(service, row)) {
    if (each !== row && service.tokens.isExpired(each)) service.tokens.remove(each);
  }
}

export function redeemCode(
  service: Service,
  client: ClientRow,
  request: { code: string; redirectUri: string | null; verifier: string | null },
): TokenRow {
  const row = grantOf(service, request.code, "code", client);
  redeem(service, row);
  // An address that was not named need not be repeated, but may not be another one.
  const mayBeMissing = row.isNamed !== true && request.redirectUri === null;
  if (!mayBeMissing && row.redirectUri !== request.redirectUri) {
    throw badGrant("The redirect_uri is not the one of the authorization.");
  }
  checkVerifier(row.challenge ?? null, request.verifier);
  return row;
}

/** PKCE: a verifier without a challenge is refused as well (RFC 9700, 4.8.2), since somebody took the challenge away. */
function checkVerifier(challenge: string | null, verifier: string | null): void {
  if (challenge === null) {
    if (verifier !== null) throw badGrant("The authorization had no code_challenge.");
    return;
  }
  if (verifier === null) throw badGrant("Value of 'code_verifier' cannot be empty.");
  if (!isSame(challengeOf(verifier), challenge)) throw badGrant("The code_verifier does not match.");
}

/** @param scopes What is asked for; no more than was granted. */
export function redeemRefreshToken(
  service: Service,
  client: ClientRow,
  token: string,
  scopes: readonly Scope[] = [],
): TokenRow {
  const row = grantOf(service, token, "refresh", client);
  if (row.spent !== true && !scopes.every((scope) => row.scopes.includes(scope))) {
    throw oauthError(400, "invalid_scope", "A refresh cannot widen the scope.");
  }
  redeem(service, row);
  return row;
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
  if (row.kind === "refresh") endGrant(service, row);
  else service.tokens.remove(row);
}
