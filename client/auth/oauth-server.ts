import * as oauth from "oauth4webapi";
import { readPageAddress } from "../address.js";
import { connect, type ClientConnection, type ConnectionOptions } from "../connect.js";
import { isServiceError, ServiceError } from "../errors.js";
import type { CallOptions } from "../transport.js";
import { personalToken } from "./token.js";

export interface OAuthServerOptions extends ConnectionOptions {
  clientId: string;
  /** None for a public client, which proves itself by PKCE alone. */
  clientSecret?: string;
  /** Where a user gives consent; the spec names no address for it. Needed for `authorization` only. */
  authorizeUrl?: string;
}

/** What the token endpoint gave; times are milliseconds since the epoch. */
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
  /** Keep these two for `exchangeCode`; the verifier is a secret. */
  state: string;
  codeVerifier: string;
}

const TOKEN_PATH = "/oauth2/token";
const REVOKE_PATH = "/oauth2/revoke";

/**
 * The service's authorization server (spec: OAuth 2.0, Authentication). The protocol is oauth4webapi's; requests go
 * the way of all others, so errors, repetition and debug lines are the same. The client's secret travels in the form
 * body: in a Basic header, escaping it (RFC 6749) and not escaping it (as the spec writes it) differ.
 */
export class OAuthServer {
  readonly clientId: string;
  readonly #connection: ClientConnection;
  readonly #server: oauth.AuthorizationServer;
  readonly #client: oauth.Client;
  readonly #authentication: oauth.ClientAuth;
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
    this.#authentication = clientSecret ? oauth.ClientSecretPost(clientSecret) : oauth.None();
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
        remedy: "Give authorizeUrl; the service's API does not tell it.",
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

  /** Tokens for the code that came back: the redirect's whole address, or the code that a user pasted. */
  async exchangeCode(
    answer: URL | { code: string },
    { redirectUri, state, codeVerifier }: { redirectUri: string; state: string; codeVerifier: string },
    options: CallOptions = {},
  ): Promise<Tokens> {
    const came = answer instanceof URL ? answer : new URLSearchParams({ code: answer.code, state });
    return this.#tokens(async () => {
      const params = oauth.validateAuthResponse(this.#server, this.#client, came, state);
      const http = this.#http(options, false);
      const [server, client, auth] = [this.#server, this.#client, this.#authentication];
      const response = await oauth.authorizationCodeGrantRequest(
        server,
        client,
        auth,
        params,
        redirectUri,
        codeVerifier,
        http,
      );
      return oauth.processAuthorizationCodeResponse(server, client, response);
    });
  }

  /** POST /oauth2/token, grant client_credentials. Errors: unauthorized, invalid-value (scope). */
  clientCredentials(scopes: readonly string[], options: CallOptions = {}): Promise<Tokens> {
    return this.#tokens(async () => {
      const [server, client, auth] = [this.#server, this.#client, this.#authentication];
      const params = { scope: scopes.join(" ") };
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        auth,
        params,
        this.#http(options),
      );
      return oauth.processClientCredentialsResponse(server, client, response);
    });
  }

  /** POST /oauth2/token, grant refresh_token. Errors: unauthorized when the refresh token is no longer good. */
  async refresh(refreshToken: string, options: CallOptions = {}): Promise<Tokens> {
    const tokens = await this.#tokens(async () => {
      const [server, client, auth] = [this.#server, this.#client, this.#authentication];
      const response = await oauth.refreshTokenGrantRequest(
        server,
        client,
        auth,
        refreshToken,
        this.#http(options),
      );
      return oauth.processRefreshTokenResponse(server, client, response);
    });
    // A server that does not rotate it leaves it out.
    return { refreshToken, ...tokens };
  }

  /** POST /oauth2/revoke. Errors: unauthorized. */
  async revoke(
    token: string,
    hint?: "access_token" | "refresh_token",
    options: CallOptions = {},
  ): Promise<void> {
    await this.#translated(async () => {
      const http = {
        ...this.#http(options),
        ...(hint ? { additionalParameters: { token_type_hint: hint } } : {}),
      };
      const response = await oauth.revocationRequest(
        this.#server,
        this.#client,
        this.#authentication,
        token,
        http,
      );
      await oauth.processRevocationResponse(response);
    });
  }

  close(): Promise<void> {
    return this.#connection.close();
  }

  /** How oauth4webapi sends: through our transport, which throws for every status but success. */
  #http({ signal }: CallOptions, repeatable = true) {
    const { transport, address } = this.#connection;
    const remedies = {
      unauthorized:
        "Check client id and secret; a code or refresh token that is no longer good needs a new login.",
    };
    const customFetch = async (url: string, { body }: { body?: unknown }): Promise<Response> => {
      const path = url.slice(address.origin.length + address.prefix.length);
      const form = String(body);
      const request = {
        method: "POST" as const,
        path,
        form,
        bearer: "nobody" as const,
        repeatable,
        remedies,
      };
      const answer = await transport.call(request, { signal });
      return answer === undefined ? new Response(null, { status: 200 }) : Response.json(answer);
    };
    // Whether http:// is allowed was decided when the address was read.
    return { [oauth.customFetch]: customFetch, [oauth.allowInsecureRequests]: true };
  }

  async #tokens(ask: () => Promise<oauth.TokenEndpointResponse>): Promise<Tokens> {
    const answer = await this.#translated(ask);
    const after = (seconds: unknown) =>
      typeof seconds === "number" ? this.#now() + seconds * 1000 : undefined;
    const expiresAt = after(answer.expires_in);
    const refreshTokenExpiresAt = after(answer["refresh_token_expires_in"]);
    return {
      accessToken: answer.access_token,
      obtainedAt: this.#now(),
      ...(expiresAt === undefined ? {} : { expiresAt }),
      ...(answer.refresh_token === undefined ? {} : { refreshToken: answer.refresh_token }),
      ...(refreshTokenExpiresAt === undefined ? {} : { refreshTokenExpiresAt }),
    };
  }

  /** The library's own errors carry the answer in their cause: only their words go on. */
  async #translated<T>(ask: () => Promise<T>): Promise<T> {
    try {
      return await ask();
    } catch (error) {
      if (isServiceError(error)) throw error;
      if (error instanceof oauth.AuthorizationResponseError) {
        throw new ServiceError({
          code: "denied",
          what: `the authorization was refused (${error.error})`,
          remedy: "Log in again and allow the access.",
        });
      }
      if (!(error instanceof oauth.OperationProcessingError)) throw error;
      throw new ServiceError({
        code: "invalid-response",
        what: `the authorization server's answer is not usable: ${error.message}`,
        remedy: "Begin the login anew; check the base address.",
      });
    }
  }
}
