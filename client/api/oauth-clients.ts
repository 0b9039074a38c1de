/** OAuth clients, which register themselves. */
import { z } from "zod";
import { personalToken } from "../auth/token.js";
import type { Http } from "../http.js";
import { path } from "../path.js";
import { apiObject, type Patch, unchecked } from "../schema.js";
import type { CallOptions } from "../transport.js";

export type GrantType = "authorization_code" | "refresh_token" | "client_credentials";

export const OAuthClient = apiObject({
  client_id: z.string(),
  registration_client_uri: unchecked<string>(),
  client_id_issued_at: unchecked<number>(),
  /** Epoch seconds; 0: never. */
  client_secret_expires_at: unchecked<number>(),
  client_name: unchecked<string>(),
  redirect_uris: unchecked<string[]>(),
  grant_types: unchecked<GrantType[]>(),
  response_types: unchecked<"code"[]>(),
  token_endpoint_auth_method: unchecked<string>(),
  client_uri: unchecked<string>(),
  description: unchecked<string>(),
  token_expires_in: unchecked<number>(),
});
export type OAuthClient = z.infer<typeof OAuthClient>;

/** As registered: the only time that the two secrets are shown. */
export const RegisteredOAuthClient = OAuthClient.extend({
  client_secret: unchecked<string>(),
  registration_access_token: unchecked<string>(),
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
  "Check the OAuth applications in the web application: remove a client of that name that was created just now, and register again. Its secret is not shown a second time.";

/** A request about one client carries the registration access token of that client. */
const addressClient = (clientId: string, registrationToken: string) => ({
  path: path`/oauth2/register/${clientId}`,
  bearer: personalToken(registrationToken),
});

/**
 * Registration of OAuth clients (spec: OAuth 2.0). The spec does not say how the caller authenticates to register a
 * client: the token of this library's user is sent. All other calls need the client's registration access token.
 */
export const oauthClients = {
  /** POST /oauth2/register. Errors: invalid-value, unauthorized; ambiguous when the response, and so the secret, is lost. */
  register:
    (http: Http) =>
    (body: OAuthClientCreate, options?: CallOptions): Promise<RegisteredOAuthClient> => {
      const request = { method: "POST" as const, path: "/oauth2/register", body };
      return http.once(RegisteredOAuthClient, request, LOST, options);
    },
  /** GET /oauth2/register/:client_id, without the secret. Errors: unauthorized, not-found. */
  get:
    (http: Http) =>
    (clientId: string, registrationToken: string, options?: CallOptions): Promise<OAuthClient> =>
      http.get(OAuthClient, addressClient(clientId, registrationToken), options),
  /** PATCH /oauth2/register/:client_id. Errors: invalid-value, unauthorized, not-found. */
  update:
    (http: Http) =>
    (
      clientId: string,
      registrationToken: string,
      body: OAuthClientUpdate,
      options?: CallOptions,
    ): Promise<OAuthClient> => {
      const request = { method: "PATCH" as const, ...addressClient(clientId, registrationToken), body };
      return http.send(OAuthClient, request, options);
    },
  /** DELETE /oauth2/register/:client_id. Errors: unauthorized. */
  delete:
    (http: Http) =>
    async (clientId: string, registrationToken: string, options?: CallOptions): Promise<void> => {
      await http.remove(addressClient(clientId, registrationToken), options);
    },
};
