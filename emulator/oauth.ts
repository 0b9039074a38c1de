/** Tokens, grants and errors of OAuth. */
import type { IncomingHttpHeaders } from "node:http";
import { fingerprint, generateSecret, isSame } from "./encryption.js";
import { isScope, type Scope, scopes as allScopes } from "./enums.js";
import { ServiceError } from "./errors.js";
import type { ClientRow, TokenRow, UserRow } from "./model.js";
import type { Service } from "./service.js";

/**
 * OAuth 2.0 authorization server (spec, "OAuth 2.0" and "Authentication"). Errors carry the fields of RFC 6749
 * besides the service's own `errors`.
 */

export type OauthErrorCode =
  | "invalid_request"
  | "invalid_client"
  | "invalid_client_metadata"
  | "invalid_grant"
  | "unauthorized_client"
  | "unsupported_grant_type"
  | "unsupported_response_type"
  | "unsupported_token_type"
  | "invalid_redirect_uri"
  | "invalid_scope"
  | "invalid_token"
  | "not_found";

/** Default lifetime of access tokens, unless the client sets another one. */
export const defaultTokenSeconds = 3600;
const refreshTokenSeconds = 30 * 24 * 3600;
const codeSeconds = 600;

export function createOauthError(
  status: 400 | 401 | 404,
  code: OauthErrorCode,
  message: string,
): ServiceError {
  const headers: Record<string, string> =
    status === 401 ? { "www-authenticate": 'Basic realm="oauth2"' } : {};
  return new ServiceError(status, message, headers, { error: code, error_description: message });
}

/** Request with client credentials in the Basic header or in the form. */
interface ClientRequest {
  service: Service;
  headers: IncomingHttpHeaders;
  body: { client_id?: string | undefined; client_secret?: string | undefined };
}

export function findClient(service: Service, clientId: string): ClientRow | undefined {
  return service.store.clients.byKey(0, clientId);
}

/** Creates a client and returns its secret, which is stored as a hash only. */
export function createClient(
  service: Service,
  ownerId: number,
  values: Omit<ClientRow, "id" | "client_id" | "secretHash" | "ownerId" | "issuedAt">,
  fixed: { clientId?: string; clientSecret?: string } = {},
): { client: ClientRow; secret: string } {
  const { store, clock } = service;
  const secret = fixed.clientSecret ?? generateSecret();
  const client = store.clients.insert({
    ...values,
    client_id: fixed.clientId ?? generateSecret().slice(0, 32),
    secretHash: fingerprint(secret),
    ownerId,
    issuedAt: clock.now(),
  });
  return { client, secret };
}

/** Authenticates a client by its Basic header or by form fields. @throws ServiceError 401. */
export function authenticateClient({ service, headers, body: form }: ClientRequest): ClientRow {
  const basic = parseBasicCredentials(headers.authorization);
  const sent = basic ?? [{ id: form.client_id, secret: form.client_secret }];
  if (sent.some(({ id, secret }) => id === undefined || secret === undefined))
    throw createOauthError(401, "invalid_client", "Client credentials are required.");
  for (const { id = "", secret = "" } of sent) {
    const client = findClient(service, id);
    const isOther = basic !== undefined && form.client_id !== undefined && form.client_id !== id;
    if (client !== undefined && !isOther && isSame(client.secretHash, fingerprint(secret))) return client;
  }
  throw createBadClientError();
}

interface ClientCredentials {
  id?: string | undefined;
  secret?: string | undefined;
}

/** Returns the credentials as the spec has them, without escapes, and as RFC 6749, 2.3.1 does: both are form-encoded. */
function parseBasicCredentials(header = ""): ClientCredentials[] | undefined {
  const encoded = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  if (colon < 0) throw createOauthError(401, "invalid_client", "The Basic credentials are malformed.");
  const plain = { id: text.slice(0, colon), secret: text.slice(colon + 1) };
  return [plain, { id: unescapeForm(plain.id), secret: unescapeForm(plain.secret) }];
}

const unescapeForm = (text: string): string =>
  new URLSearchParams(`text=${text.replaceAll("&", "%26")}`).get("text") ?? "";

/** Parses scopes separated by spaces or commas. */
export function parseScopes(text: string): Scope[] {
  const names = text.split(/[\s,]+/).filter((name) => name !== "");
  if (names.length === 0) throw createOauthError(400, "invalid_scope", "Value of 'scope' cannot be empty.");
  const unknown = names.find((name) => !isScope(name));
  if (unknown !== undefined) throw createOauthError(400, "invalid_scope", `Unknown scope '${unknown}'.`);
  return [...new Set(names.filter(isScope))];
}

/** Returns the maximum scopes of a client: those of the token that registered it. */
export function listAllowedScopes(client: ClientRow): readonly Scope[] {
  return client.scopes ?? allScopes;
}

/** Parses the scopes that a client requests. @throws ServiceError when they exceed the maximum. */
export function listGrantableScopes(client: ClientRow, scope: string): Scope[] {
  const scopes = parseScopes(scope);
  const beyond = scopes.filter((each) => !listAllowedScopes(client).includes(each));
  if (beyond.length > 0) {
    throw createOauthError(
      400,
      "invalid_scope",
      `The client may not ask for ${beyond.join(", ")}: the token that registered it has no such scope.`,
    );
  }
  return scopes;
}

/** Values that an authorization code is bound to. */
export interface CodeRequest {
  scopes: readonly Scope[];
  redirectUri: string;
  /** Whether the client sent the redirect address itself, and therefore must repeat it for the token. */
  isNamed: boolean;
  challenge: string | null;
}

/** Creates the code that the authorize page redirects with. */
export function issueCode(service: Service, user: UserRow, client: ClientRow, request: CodeRequest): string {
  const { scopes, redirectUri, isNamed, challenge } = request;
  const { token } = service.tokens.create({
    user,
    kind: "code",
    scopes,
    expiresInSeconds: codeSeconds,
    more: { clientId: client.client_id, redirectUri, isNamed, challenge, family: generateSecret() },
  });
  return token;
}

/** Whom tokens act for, and what they allow. A renewal continues the family of the used token. */
export type Grant = Pick<TokenRow, "userId" | "scopes" | "family">;

/** Creates the tokens of a grant and returns the token response of the spec. */
export function issueTokens(
  service: Service,
  client: ClientRow,
  { userId, scopes, family = generateSecret() }: Grant,
) {
  const user = service.store.users.require(userId);
  const create = (kind: "access" | "refresh", expiresInSeconds: number): string => {
    const more = { clientId: client.client_id, family };
    return service.tokens.create({ user, scopes, kind, expiresInSeconds, more }).token;
  };
  return {
    access_token: create("access", client.token_expires_in),
    token_type: "Bearer",
    expires_in: client.token_expires_in,
    refresh_token: create("refresh", refreshTokenSeconds),
    refresh_token_expires_in: refreshTokenSeconds,
  };
}

const createBadClientError = (): ServiceError =>
  createOauthError(401, "invalid_client", "The client credentials are not valid.");

const createBadGrantError = (message: string): ServiceError =>
  createOauthError(400, "invalid_grant", message);

/**
 * Marks a code or refresh token as used, so that it works once. A second use means that it was stolen, so the whole grant is revoked
 * (RFC 6749, 4.1.2; RFC 9700, 4.14.2).
 */
function redeem(service: Service, row: TokenRow): void {
  const { tokens, clock } = service;
  if (row.spent === true) {
    endGrant(service, row);
    throw createBadGrantError("It was used before: all tokens of its grant are revoked.");
  }
  if (tokens.isExpired(row)) throw createBadGrantError("The grant has expired.");
  dropExpired(service, row);
  row.spent = true;
  // Stored for as long as the refresh token that results from it can live.
  row.expiresAt = clock.now() + refreshTokenSeconds * 1000;
  service.store.tokens.update(row);
}

/** Returns the code or refresh token if it belongs to this client. */
function requireGrant(service: Service, text: string, kind: "code" | "refresh", client: ClientRow): TokenRow {
  const row = service.tokens.find(text);
  if (row?.kind !== kind || row.clientId !== client.client_id) {
    throw createBadGrantError(kind === "code" ? "The code is not valid." : "The refresh token is not valid.");
  }
  return row;
}

/** Returns the tokens that resulted from one consent. */
function listFamily(service: Service, { userId, family }: TokenRow): TokenRow[] {
  return service.store.tokens.of(userId).filter((each) => each.family === family);
}

/** Revokes a grant. Used tokens remain, to detect further uses. */
function endGrant(service: Service, row: TokenRow): void {
  for (const each of listFamily(service, row)) if (each.spent !== true) service.tokens.remove(each);
}

function dropExpired(service: Service, row: TokenRow): void {
  for (const each of listFamily(service, row)) {
    if (each !== row && service.tokens.isExpired(each)) service.tokens.remove(each);
  }
}

/** What a client sends with an authorization code. */
interface CodeForm {
  redirect_uri?: string | null | undefined;
  code_verifier?: string | null | undefined;
}

export function redeemCode(
  service: Service,
  client: ClientRow,
  code: string,
  { redirect_uri = null, code_verifier = null }: CodeForm,
): TokenRow {
  const row = requireGrant(service, code, "code", client);
  redeem(service, row);
  // A client that did not send a redirect address may omit it here too, but may not send another one.
  const mayBeMissing = row.isNamed !== true && redirect_uri === null;
  if (!mayBeMissing && row.redirectUri !== redirect_uri) {
    throw createBadGrantError("The redirect_uri is not the one of the authorization.");
  }
  checkVerifier(row.challenge ?? null, code_verifier);
  return row;
}

/**
 * Verifies PKCE. A verifier without a challenge is refused too, since an attacker may have removed the challenge (RFC
 * 9700, 4.8.2).
 */
function checkVerifier(challenge: string | null, verifier: string | null): void {
  if (challenge === null) {
    if (verifier !== null) throw createBadGrantError("The authorization had no code_challenge.");
    return;
  }
  if (verifier === null) throw createBadGrantError("Value of 'code_verifier' cannot be empty.");
  // The challenge of a verifier (S256) is its fingerprint.
  if (!isSame(fingerprint(verifier), challenge))
    throw createBadGrantError("The code_verifier does not match.");
}

/** @param scopes Requested scopes, which must not exceed the granted ones. */
export function redeemRefreshToken(
  service: Service,
  client: ClientRow,
  token: string,
  scopes: readonly Scope[] = [],
): TokenRow {
  const row = requireGrant(service, token, "refresh", client);
  if (row.spent !== true && !scopes.every((scope) => row.scopes.includes(scope))) {
    throw createOauthError(400, "invalid_scope", "A refresh cannot widen the scope.");
  }
  redeem(service, row);
  return row;
}

/** Identifies the client of a revocation, where `client_id` may replace the Basic header. */
export function identifyClient(request: ClientRequest): ClientRow {
  const { client_id, client_secret } = request.body;
  if (parseBasicCredentials(request.headers.authorization) !== undefined || client_secret !== undefined) {
    return authenticateClient(request);
  }
  const client = client_id === undefined ? undefined : findClient(request.service, client_id);
  if (client === undefined) throw createBadClientError();
  return client;
}

/** Revokes an access token, or a refresh token with its grant. An unknown token counts as revoked (RFC 7009). */
export function revoke(service: Service, client: ClientRow, token: string): void {
  const row = service.tokens.find(token);
  if (row === undefined || (row.kind !== "access" && row.kind !== "refresh")) return;
  if (row.clientId !== client.client_id) throw createBadGrantError("The token was issued to another client.");
  if (row.kind === "refresh") endGrant(service, row);
  else service.tokens.remove(row);
}
