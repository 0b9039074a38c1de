/** The OAuth endpoints of a service. */
import * as oauth from "oauth4webapi";
import { readPageAddress } from "../address.js";
import { type ClientConnection, connect, type ConnectionOptions } from "../connect.js";
import { isServiceError, ServiceError } from "../errors.js";
import type { CallOptions, ServiceRequest } from "../transport.js";
import { createRefusedError, readIssuer } from "./authorization-response.js";
import { ClientAuthentication } from "./client-authentication.js";
import { personalToken } from "./token.js";
import { readTokenResponse } from "./token-response.js";

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
  /** The granted scopes, where the server says so: it must if they are not those that were requested. */
  scopes?: string[];
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
 * go through our transport, so errors, retries and debug lines are the same.
 */
export class OAuthServer {
  readonly clientId: string;
  readonly #connection: ClientConnection;
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #authentication: ClientAuthentication;
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
    this.#authentication = new ClientAuthentication(options.clientId, options.clientSecret);
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
        what: "the address of the consent page, on which users allow access, is not known",
        remedy:
          "Set it with --authorize-url (authorizeUrl in code), such as https://HOST/oauth2/authorize. Its documentation or an administrator knows it: the API does not return it.",
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
    const received =
      response instanceof URL ? response.searchParams : new URLSearchParams({ code: response.code, state });
    const { issuer, authorization_endpoint: page = issuer } = this.#server;
    const server = { ...this.#server, issuer: readIssuer(received, [page, issuer]) ?? issuer };
    return this.#tokens(async (way) => {
      const params = oauth.validateAuthResponse(server, this.#client, received, state);
      const given = [params, redirectUri, codeVerifier, this.#http(options, false)] as const;
      const response = await oauth.authorizationCodeGrantRequest(server, this.#client, way, ...given);
      return oauth.processAuthorizationCodeResponse(server, this.#client, response);
    });
  }

  /** POST /oauth2/token, grant client_credentials. Errors: unauthorized, invalid-value (scope). */
  clientCredentials(scopes: readonly string[], options: CallOptions = {}): Promise<Tokens> {
    return this.#tokens(async (way) => {
      const given = [{ scope: scopes.join(" ") }, this.#http(options)] as const;
      const response = await oauth.clientCredentialsGrantRequest(this.#server, this.#client, way, ...given);
      return oauth.processClientCredentialsResponse(this.#server, this.#client, response);
    });
  }

  /** POST /oauth2/token, grant refresh_token. Errors: unauthorized when the refresh token is no longer valid. */
  async refresh(refreshToken: string, options: CallOptions = {}): Promise<Tokens> {
    const tokens = await this.#tokens(async (way) => {
      const given = [refreshToken, this.#http(options)] as const;
      const response = await oauth.refreshTokenGrantRequest(this.#server, this.#client, way, ...given);
      return oauth.processRefreshTokenResponse(this.#server, this.#client, response);
    });
    // A server that does not rotate the refresh token omits it.
    return { refreshToken, ...tokens };
  }

  /**
   * POST /oauth2/revoke. Errors: unauthorized.
   * @returns false when the server cannot revoke tokens of this kind (RFC 7009, 2.2.1)
   */
  async revoke(
    token: string,
    hint?: "access_token" | "refresh_token",
    options: CallOptions = {},
  ): Promise<boolean> {
    const more = hint ? { additionalParameters: { token_type_hint: hint } } : {};
    const given = [token, { ...this.#http(options), ...more }] as const;
    try {
      await this.#translated(async (way) =>
        oauth.processRevocationResponse(
          await oauth.revocationRequest(this.#server, this.#client, way, ...given),
        ),
      );
      return true;
    } catch (error) {
      if (isServiceError(error) && error.oauthError === "unsupported_token_type") return false;
      throw error;
    }
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Sends the requests of oauth4webapi through our transport, which throws for every status but success. */
  #http({ signal }: CallOptions, repeatable = true) {
    const { transport, address } = this.#connection;
    const remedies = {
      unauthorized:
        "A code or refresh token that is no longer valid requires a new login (workspacectl login). If that fails too, check client id and secret.",
    };
    const customFetch = async (url: string, init: RequestInit): Promise<Response> => {
      const path = url.slice(address.origin.length + address.prefix.length);
      const basic = new Headers(init.headers).get("authorization") ?? undefined;
      const request: ServiceRequest = {
        method: "POST",
        path,
        form: (init.body as URLSearchParams).toString(),
        bearer: "nobody",
      };
      const response = await transport.call({ ...request, basic, repeatable, remedies }, { signal });
      if (response === undefined) return new Response(null, { status: 200 });
      return Response.json(readTokenResponse(response));
    };
    // Whether http:// is allowed was decided when the address was read.
    return { [oauth.customFetch]: customFetch, [oauth.allowInsecureRequests]: true };
  }

  async #tokens(ask: Ask<oauth.TokenEndpointResponse>): Promise<Tokens> {
    const { access_token, refresh_token, scope, ...response } = await this.#translated(ask);
    const after = (name: string, seconds: unknown) =>
      typeof seconds === "number" ? { [name]: this.#now() + seconds * 1000 } : {};
    return {
      accessToken: access_token,
      obtainedAt: this.#now(),
      ...after("expiresAt", response.expires_in),
      ...(refresh_token === undefined ? {} : { refreshToken: refresh_token }),
      ...after("refreshTokenExpiresAt", response["refresh_token_expires_in"]),
      ...(scope === undefined ? {} : { scopes: scope.split(/[\s,]+/).filter((name) => name !== "") }),
    };
  }

  /** Passes on only the message of oauth4webapi's errors, because their cause is the response. */
  async #translated<T>(ask: Ask<T>): Promise<T> {
    try {
      return await this.#authentication.send(ask);
    } catch (error) {
      if (error instanceof oauth.AuthorizationResponseError) throw createRefusedError(error);
      const isTheirs =
        error instanceof oauth.OperationProcessingError || error instanceof oauth.UnsupportedOperationError;
      if (!isTheirs) throw error;
      throw new ServiceError({
        code: "invalid-response",
        what: `the service's response to the login cannot be used: ${error.message}`,
        remedy:
          "Log in again. If that fails too, check the base address (--base-url): another server may have responded.",
      });
    }
  }
}

/** Sends a request with the client's credentials. */
type Ask<T> = (way: oauth.ClientAuth) => Promise<T>;
