import { z } from "zod";
import { personalToken } from "../auth/token.js";
import { Area } from "../http.js";
import { path } from "../path.js";
import type { CallOptions } from "../transport.js";
import { told, wire, type Patch } from "../wire.js";

export type GrantType = "authorization_code" | "refresh_token" | "client_credentials";

export const OAuthClient = wire({
  client_id: z.string(),
  registration_client_uri: told<string>(),
  client_id_issued_at: told<number>(),
  /** Epoch seconds; 0: never. */
  client_secret_expires_at: told<number>(),
  client_name: told<string>(),
  redirect_uris: told<string[]>(),
  grant_types: told<GrantType[]>(),
  response_types: told<"code"[]>(),
  token_endpoint_auth_method: told<string>(),
  client_uri: told<string>(),
  description: told<string>(),
  token_expires_in: told<number>(),
});
export type OAuthClient = z.infer<typeof OAuthClient>;

/** As registered: the only time that the two secrets are shown. */
export const RegisteredOAuthClient = OAuthClient.extend({
  client_secret: told<string>(),
  registration_access_token: told<string>(),
});
export type RegisteredOAuthClient = z.infer<typeof RegisteredOAuthClient>;

export interface OAuthClientCreate {
  client_name: string;
  redirect_uris: string[];
  grant_types: GrantType[];
  response_types: "code"[];
  token_endpoint_auth_method: "client_secret_basic";
  client_uri?: string;
  description?: string;
  token_expires_in?: number;
}

export type OAuthClientUpdate = Patch<OAuthClientCreate>;

const LOST =
  "Look at the OAuth applications in the web application: remove a client of that name made just now, and register again; its secret is not shown a second time.";

/**
 * Registration of OAuth clients (spec: OAuth 2.0). How the caller of the registration authenticates is not in the
 * spec: the client's own token is sent. All else needs the registration access token of the client in question.
 */
export class OAuthClients extends Area {
  /** POST /oauth2/register. Errors: invalid-value, unauthorized; ambiguous when the answer, and so the secret, is lost. */
  register(body: OAuthClientCreate, options?: CallOptions): Promise<RegisteredOAuthClient> {
    const request = { method: "POST" as const, path: "/oauth2/register", body };
    return this.http.once(RegisteredOAuthClient, request, LOST, options);
  }

  /** GET /oauth2/register/:client_id, without the secret. Errors: unauthorized, not-found. */
  get(clientId: string, registrationToken: string, options?: CallOptions): Promise<OAuthClient> {
    return this.http.get(OAuthClient, client(clientId, registrationToken), options);
  }

  /** PATCH /oauth2/register/:client_id. Errors: invalid-value, unauthorized, not-found. */
  update(
    clientId: string,
    registrationToken: string,
    body: OAuthClientUpdate,
    options?: CallOptions,
  ): Promise<OAuthClient> {
    const request = { ...client(clientId, registrationToken), body };
    return this.http.send(OAuthClient, { method: "PATCH", ...request }, options);
  }

  /** DELETE /oauth2/register/:client_id. Errors: unauthorized. */
  async delete(clientId: string, registrationToken: string, options?: CallOptions): Promise<void> {
    await this.http.remove(client(clientId, registrationToken), options);
  }
}

function client(clientId: string, registrationToken: string) {
  return { path: path`/oauth2/register/${clientId}`, bearer: personalToken(registrationToken) };
}
