/** The OAuth endpoints of a service. */
import * as oauth from "oauth4webapi";
import { readPageAddress } from "../address.js";
import { type ClientConnection, connect, type ConnectionOptions } from "../connect.js";
import { isServiceError, ServiceError } from "../errors.js";
import type { CallOptions, ServiceRequest } from "../transport.js";
import { personalToken } from "./token.js";

export interface OAuthServerOptions extends ConnectionOptions {
  clientId: string;
  /** Absent for a public client, which only uses PKCE. */
  clientSecret?: string;
  /** Address of the consent page, which the spec does not name. Only `authorization` needs it. */
  authorizeUrl?: string;
}

/** The response of the token endpoint. Times are milliseconds since the epoch. */
export interface Tokens {
  accessToken: string;
  obtainedAt: number;
  expiresAt?: number;
  refreshToken?: string;
  refreshTokenExpiresAt?: number;
}

export interface AuthorizationRequest {
  /** Open this in a browser. */
  url: string;
  /** Keep these two for `exchangeCode`. The verifier is a secret. */
  state: string;
  codeVerifier: string;
}

const TOKEN_PATH = "/oauth2/token";
const REVOKE_PATH = "/oauth2/revoke";

/**
 * The service's authorization server (spec: OAuth 2.0, Authentication). oauth4webapi implements the protocol. Requests
 * go through our transport, so errors, retries and debug lines are the same. The client's secret is sent in the form
 * body: in a Basic header, RFC 6749 escapes it and the spec does not.
 */
export class OAuthServer {
  readonly clientId: string;
  readonly #connection: ClientConnection;
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #parties: readonly [oauth.AuthorizationServer, oauth.Client, oauth.ClientAuth];
  readonly #now: () => number;

  constructor(options: OAuthServerOptions) {
    this.clientId = options.clientId;
    const { authorizeUrl, allowInsecure } = options;
    const page = authorizeUrl ? readPageAddress(authorizeUrl, allowInsecure) : undefined;
    this.#connection = connect(options, personalToken("none"));
    this.#now = () => this.#connection.transport.settings.clock.now();
    const { origin, prefix } = this.#connection.address;
    this.#server = {
      issuer: origin + prefix,
      token_endpoint: origin + prefix + TOKEN_PATH,
      revocation_endpoint: origin + prefix + REVOKE_PATH,
      ...(page ? { authorization_endpoint: page } : {}),
    };
    this.#client = { client_id: options.clientId };
    const { clientSecret } = options;
    const authentication = clientSecret ? oauth.ClientSecretPost(clientSecret) : oauth.None();
    this.#parties = [this.#server, this.#client, authentication];
  }

  /** The address at which a user allows this client to act for them: authorization code with PKCE (S256). */
  async authorization({
    redirectUri,
    scopes,
  }: {
    redirectUri: string;
    scopes: readonly string[];
  }): Promise<AuthorizationRequest> {
    const endpoint = this.#server.authorization_endpoint;
    if (endpoint === undefined) {
      throw new ServiceError({
        code: "invalid-value",
        field: "authorizeUrl",
        what: "the address of the consent page is not known",
        remedy: "Set authorizeUrl: the service's API does not return it.",
      });
    }
    const codeVerifier = oauth.generateRandomCodeVerifier();
    const state = oauth.generateRandomState();
    const url = new URL(endpoint);
    const params = {
      response_type: "code",
      client_id: this.clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(" "),
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(codeVerifier),
      code_challenge_method: "S256",
    };
    for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
    return { url: url.href, state, codeVerifier };
  }

  /** Exchanges a code for tokens. Takes the whole address of the redirect, or the code that a user pasted. */
  async exchangeCode(
    response: URL | { code: string },
    { redirectUri, state, codeVerifier }: { redirectUri: string; state: string; codeVerifier: string },
    options: CallOptions = {},
  ): Promise<Tokens> {
    const received = response instanceof URL ? response : new URLSearchParams({ code: response.code, state });
    return this.#tokens(async () => {
      const params = oauth.validateAuthResponse(this.#server, this.#client, received, state);
      const given = [params, redirectUri, codeVerifier, this.#http(options, false)] as const;
      const response = await oauth.authorizationCodeGrantRequest(...this.#parties, ...given);
      return oauth.processAuthorizationCodeResponse(this.#server, this.#client, response);
    });
  }

  /** POST /oauth2/token, grant client_credentials. Errors: unauthorized, invalid-value (scope). */
  clientCredentials(scopes: readonly string[], options: CallOptions = {}): Promise<Tokens> {
    return this.#tokens(async () => {
      const given = [{ scope: scopes.join(" ") }, this.#http(options)] as const;
      const response = await oauth.clientCredentialsGrantRequest(...this.#parties, ...given);
      return oauth.processClientCredentialsResponse(this.#server, this.#client, response);
    });
  }

  /** POST /oauth2/token, grant refresh_token. Errors: unauthorized when the refresh token is no longer valid. */
  async refresh(refreshToken: string, options: CallOptions = {}): Promise<Tokens> {
    const tokens = await this.#tokens(async () => {
      const given = [refreshToken, this.#http(options)] as const;
      const response = await oauth.refreshTokenGrantRequest(...this.#parties, ...given);
      return oauth.processRefreshTokenResponse(this.#server, this.#client, response);
    });
    // A server that does not rotate the refresh token omits it.
    return { refreshToken, ...tokens };
  }

  /** POST /oauth2/revoke. Errors: unauthorized. */
  async revoke(
    token: string,
    hint?: "access_token" | "refresh_token",
    options: CallOptions = {},
  ): Promise<void> {
    await this.#translated(async () => {
      const more = hint ? { additionalParameters: { token_type_hint: hint } } : {};
      const given = [token, { ...this.#http(options), ...more }] as const;
      await oauth.processRevocationResponse(await oauth.revocationRequest(...this.#parties, ...given));
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Sends the requests of oauth4webapi through our transport, which throws for every status but success. */
  #http({ signal }: CallOptions, repeatable = true) {
    const { transport, address } = this.#connection;
    const remedies = {
      unauthorized:
        "Check client id and secret; a code or refresh token that is no longer valid requires a new login.",
    };
    const customFetch = async (url: string, { body }: { body?: unknown }): Promise<Response> => {
      const path = url.slice(address.origin.length + address.prefix.length);
      const request: ServiceRequest = { method: "POST", path, form: String(body), bearer: "nobody" };
      const response = await transport.call({ ...request, repeatable, remedies }, { signal });
      return response === undefined ? new Response(null, { status: 200 }) : Response.json(response);
    };
    // Whether http:// is allowed was decided when the address was read.
    return { [oauth.customFetch]: customFetch, [oauth.allowInsecureRequests]: true };
  }

  async #tokens(ask: () => Promise<oauth.TokenEndpointResponse>): Promise<Tokens> {
    const { access_token, refresh_token, ...response } = await this.#translated(ask);
    // Servers that say 0 mostly mean that the token does not expire; a 401 renews one that does.
    const after = (name: string, seconds: unknown) =>
      typeof seconds === "number" && seconds > 0 ? { [name]: this.#now() + seconds * 1000 } : {};
    return {
      accessToken: access_token,
      obtainedAt: this.#now(),
      ...after("expiresAt", response.expires_in),
      ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
      ...after("refreshTokenExpiresAt", response["refresh_token_expires_in"]),
    };
  }

  /** Passes on only the message of oauth4webapi's errors, because their cause is the response. */
  async #translated<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isServiceError(error)) throw error;
      if (error instanceof oauth.AuthorizationResponseError) {
        throw new ServiceError({
          code: "denied",
          what: `the authorization was refused (${error.error})`,
          remedy: "Log in again and allow access.",
        });
      }
      if (!(error instanceof oauth.OperationProcessingError)) throw error;
      throw new ServiceError({
        code: "invalid-response",
        what: `the authorization server's response is not usable: ${error.message}`,
        remedy: "Log in again, and check the base address.",
      });
    }
  }
}
