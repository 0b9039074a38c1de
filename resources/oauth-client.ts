/** Resource type `OAuthClient`. */
import { z } from "zod";
import { RegisteredOAuthClient } from "../client/api/oauth-clients.js";
import { defineResource, output } from "./definition/define-resource.js";
import { redirectAddress, webAddress } from "./definition/formats.js";
import { createSingleSource } from "./definition/lists.js";
import { emptyOrText, optional, text } from "./definition/primitives.js";

const grantType = z.enum(["authorization_code", "refresh_token", "client_credentials"]);

/** Spec, Resources: OAuth client registration record; Endpoints: OAuth 2.0. Managed with the client's own registration token. */
export const oauthClient = defineResource({
  type: "OAuthClient",
  noun: "OAuth client",
  description: "An application that may ask for tokens, registered dynamically.",
  effect: "rights",
  remote: RegisteredOAuthClient,
  args: {
    clientName: text.describe("Name on the consent page. It need not be unique."),
    redirectUris: z.array(redirectAddress).describe("Addresses to which the browser may be redirected."),
    grantTypes: z.array(grantType).min(1).describe("Ways in which the application gets tokens."),
    responseTypes: z.array(z.literal("code")).describe("Response types of the authorization page."),
    tokenEndpointAuthMethod: z
      .literal("client_secret_basic")
      .describe("How the application authenticates itself."),
    clientUri: optional(webAddress, "Web page of the application."),
    description: optional(emptyOrText, "Purpose of the application."),
    tokenExpiresIn: optional(z.int().positive(), "Lifetime of access tokens in seconds."),
  },
  outputs: {
    clientId: output("client_id", z.string().describe("Id of the client.")),
    clientSecret: output(
      "client_secret",
      z.string().describe("Secret of the client, which is only shown at the registration."),
    ),
    registrationAccessToken: output(
      "registration_access_token",
      z.string().describe("Token that manages the registration, which is only shown at the registration."),
    ),
    registrationClientUri: output(
      "registration_client_uri",
      optional(z.string(), "Address at which the registration is managed."),
    ),
    clientIdIssuedAt: output(
      "client_id_issued_at",
      optional(z.int(), "When the id was issued, in seconds since 1970-01-01 UTC."),
    ),
    clientSecretExpiresAt: output(
      "client_secret_expires_at",
      optional(z.int(), "When the secret expires, in seconds since 1970-01-01 UTC; 0: never."),
    ),
  },
  id: ["clientId"],
  identity: { state: "clientId", apiName: "client_id" },
  // Names are not unique, so none identifies a client.
  naturalKey: [],
  secret: ["clientSecret", "registrationAccessToken"],
  sets: ["redirectUris", "grantTypes", "responseTypes"],
  examples: {
    create: {
      clientName: "Dashboard",
      redirectUris: ["https://dashboard.example.com/callback"],
      grantTypes: ["authorization_code", "refresh_token"],
      responseTypes: ["code"],
      tokenEndpointAuthMethod: "client_secret_basic",
    },
    update: { clientName: "Delivery dashboard", description: "Shows what is deployed" },
    outside: { redirectUris: ["https://elsewhere.example.com/callback"] },
  },

  sources: ({ api }, { clientId, registrationAccessToken: token }) => [
    createSingleSource(`oauth2/register/${clientId}`, () => api.oauth.get(clientId, token)),
  ],
  create: ({ api }, body) => api.oauth.register(body),
  update: ({ api }, body, { clientId, registrationAccessToken: token }) =>
    api.oauth.update(clientId, token, body),
  delete: ({ api }, { clientId, registrationAccessToken: token }) => api.oauth.delete(clientId, token),
});
