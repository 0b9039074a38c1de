/** Endpoints and tables of OAuth. */
import { z } from "zod";
import { findToken } from "../auth.js";
import type { Context } from "../context.js";
import { grantTypes } from "../enums.js";
import { createEmptyValueError } from "../errors.js";
import { type BodyOf, type Fields, integer, nonBlank, text, textList } from "../fields.js";
import { isLoopback } from "../gate.js";
import type { ClientRow } from "../model.js";
import * as oauth from "../oauth.js";
import { defineSchema, respondCreated, respondOk, serializeFields, textOrNull } from "../response.js";
import { defineEndpoints, type Resource } from "../route.js";

const area = "OAuth 2.0";
const open = defineEndpoints("/oauth2", { area, caller: "open" });

const clientFields = {
  client_name: nonBlank.nullish(),
  redirect_uris: textList.nullish(),
  grant_types: textList.nullish(),
  response_types: textList.nullish(),
  token_endpoint_auth_method: z.enum(["client_secret_basic"]).nullish(),
  client_uri: nonBlank.nullish(),
  description: nonBlank.nullish(),
  token_expires_in: integer
    .min(1)
    .max(31_536_000)
    .nullish()
    .describe("Seconds that an access token lives; default 3600."),
} as const satisfies Fields;

const clientSchema = defineSchema("OAuthClient", {
  client_id: text,
  registration_client_uri: text,
  client_id_issued_at: integer,
  client_secret_expires_at: integer,
  client_name: text,
  redirect_uris: textList,
  grant_types: textList,
  response_types: textList,
  token_endpoint_auth_method: text,
  client_uri: textOrNull,
  description: textOrNull,
  token_expires_in: integer,
});

const newClientSchema = defineSchema("NewOAuthClient", {
  ...clientSchema.fields,
  client_secret: text,
  registration_access_token: text,
});

const tokenSchema = defineSchema("TokenResponse", {
  access_token: text,
  token_type: text,
  expires_in: integer,
  refresh_token: text,
  refresh_token_expires_in: integer,
});

type Values = BodyOf<typeof clientFields>;

function serializeClient({ service }: Pick<Context, "service">, client: ClientRow) {
  return serializeFields(client, clientSchema, {
    registration_client_uri: `${service.links.api}/oauth2/register/${encodeURIComponent(client.client_id)}`,
    client_id_issued_at: Math.floor(client.issuedAt / 1000),
    client_secret_expires_at: 0,
  });
}

/** Returns the values of a client after a request, and checks the rules between them. */
function pickClientValues(body: Values, before?: ClientRow) {
  const name = body.client_name === undefined ? before?.client_name : body.client_name;
  if (name == null) throw createEmptyValueError("client_name");
  const values = {
    client_name: name,
    redirect_uris: body.redirect_uris ?? before?.redirect_uris ?? [],
    grant_types: body.grant_types ?? before?.grant_types ?? ["authorization_code"],
    response_types: body.response_types ?? before?.response_types ?? ["code"],
    token_endpoint_auth_method: body.token_endpoint_auth_method ?? "client_secret_basic",
    client_uri: body.client_uri === undefined ? (before?.client_uri ?? null) : body.client_uri,
    description: body.description === undefined ? (before?.description ?? null) : body.description,
    token_expires_in: body.token_expires_in ?? before?.token_expires_in ?? oauth.defaultTokenSeconds,
  };
  const known: readonly string[] = grantTypes;
  if (values.grant_types.length === 0 || !values.grant_types.every((type) => known.includes(type))) {
    throw oauth.createOauthError(400, "invalid_client_metadata", "Value of 'grant_types' cannot be empty.");
  }
  if (!values.response_types.every((type) => type === "code")) {
    throw oauth.createOauthError(
      400,
      "invalid_client_metadata",
      "Value of 'response_types' cannot be empty.",
    );
  }
  const needsRedirect = values.grant_types.includes("authorization_code");
  if ((needsRedirect && values.redirect_uris.length === 0) || !values.redirect_uris.every(isRedirectUri)) {
    throw oauth.createOauthError(400, "invalid_redirect_uri", "Value of 'redirect_uris' cannot be empty.");
  }
  return values;
}

/**
 * Accepts an absolute address without a fragment (RFC 6749, 3.1.2), over HTTPS, over HTTP on this machine, or with a
 * private-use scheme (RFC 9700, 2.6; RFC 8252, 7). This excludes script in a browser.
 */
function isRedirectUri(uri: string): boolean {
  if (!URL.canParse(uri) || uri.includes("#")) return false;
  const { protocol, hostname } = new URL(uri);
  if (protocol === "http:") return isLoopback(hostname);
  return protocol === "https:" || protocol.includes(".");
}

/** Returns the client in the path for the bearer of its registration token. */
function requireOwnClient(context: Context): ClientRow {
  const sent = findToken(context.headers.authorization, {});
  const refused = oauth.createOauthError(401, "invalid_token", "The registration access token is not valid.");
  if (sent === undefined) throw refused;
  const client = oauth.findClient(context.service, context.param("client_id"));
  if (client === undefined) throw oauth.createOauthError(404, "not_found", "The client is not found.");
  const token = context.service.tokens.find(sent);
  if (token?.kind !== "registration" || token.clientId !== client.client_id) throw refused;
  return client;
}

const tokenFields = {
  grant_type: nonBlank,
  client_id: nonBlank.optional(),
  client_secret: nonBlank.optional(),
  code: nonBlank.optional(),
  redirect_uri: nonBlank.optional(),
  code_verifier: nonBlank.optional(),
  refresh_token: nonBlank.optional(),
  scope: nonBlank.optional(),
} as const satisfies Fields;

type TokenContext = Context<Fields, typeof tokenFields>;

/** What a request of each grant type is granted. */
const grants: Record<string, (context: TokenContext, client: ClientRow) => oauth.Grant> = {
  authorization_code: ({ service, body }, client) => {
    if (body.code === undefined) throw createEmptyValueError("code");
    return oauth.redeemCode(service, client, body.code, body);
  },
  refresh_token: ({ service, body }, client) => {
    if (body.refresh_token == null) throw createEmptyValueError("refresh_token");
    const scopes = body.scope == null ? undefined : oauth.parseScopes(body.scope);
    const row = oauth.redeemRefreshToken(service, client, body.refresh_token, scopes);
    return { ...row, scopes: scopes ?? row.scopes };
  },
  client_credentials: ({ body }, client) => {
    if (body.scope === undefined) throw createEmptyValueError("scope");
    return { userId: client.ownerId, scopes: oauth.listGrantableScopes(client, body.scope) };
  },
};

export const oauthResource: Resource = {
  tables: { tokens: { belongsTo: { users: "userId" } }, clients: { key: "client_id" } },
  routes: [
    open(
      "POST /register",
      "Register a client, with the access token of any user, whose scopes it may get at most",
      {
        caller: "token",
        body: clientFields,
        response: respondCreated(newClientSchema),
        handle: (context) => {
          const { service, user, body, caller } = context;
          const values = { ...pickClientValues(body), scopes: [...(caller?.token.scopes ?? [])] };
          const { client, secret } = oauth.createClient(service, user.id, values);
          const { token } = service.tokens.create({
            user,
            kind: "registration",
            scopes: [],
            more: { clientId: client.client_id },
          });
          return {
            ...serializeClient(context, client),
            client_secret: secret,
            registration_access_token: token,
          };
        },
      },
    ),
    open("GET /register/:client_id", "Read a client, with its registration access token", {
      response: respondOk(clientSchema),
      handle: (context) => serializeClient(context, requireOwnClient(context)),
    }),
    open("PATCH /register/:client_id", "Change a client, with its registration access token", {
      body: clientFields,
      response: respondOk(clientSchema),
      handle: (context) => {
        const client = requireOwnClient(context);
        Object.assign(client, pickClientValues(context.body, client));
        return serializeClient(context, context.store.clients.update(client));
      },
    }),
    open(
      "DELETE /register/:client_id",
      "Delete a client and revoke its tokens, with its registration access token",
      {
        handle: (context) => {
          const { store, service } = context;
          const client = requireOwnClient(context);
          const tokens = [...store.tokens.all()].filter((row) => row.clientId === client.client_id);
          for (const row of tokens) service.tokens.remove(row);
          store.clients.remove(client);
        },
      },
    ),
    open("POST /token", "Tokens for a code, for a refresh token, or for the client itself", {
      form: true,
      body: tokenFields,
      response: respondOk(tokenSchema),
      handle: (context) => {
        const { service, body } = context;
        const grant = Object.hasOwn(grants, body.grant_type) ? grants[body.grant_type] : undefined;
        const client = oauth.authenticateClient(context);
        if (grant === undefined) {
          throw oauth.createOauthError(
            400,
            "unsupported_grant_type",
            "Value of 'grant_type' cannot be empty.",
          );
        }
        if (!client.grant_types.includes(body.grant_type)) {
          throw oauth.createOauthError(
            400,
            "unauthorized_client",
            `The client may not use ${body.grant_type}.`,
          );
        }
        return oauth.issueTokens(service, client, grant(context, client));
      },
    }),
    open("POST /revoke", "Revoke an access token, or a refresh token with the tokens issued from it", {
      form: true,
      body: {
        token: nonBlank.optional(),
        access_token: nonBlank.optional(),
        token_type_hint: z.enum(["access_token", "refresh_token"]).optional(),
        client_id: nonBlank.optional(),
        client_secret: nonBlank.optional(),
      },
      response: respondOk(defineSchema("Revoked", {})),
      handle: (context) => {
        const { service, body } = context;
        const client = oauth.identifyClient(context);
        const token = body.token ?? body.access_token;
        if (token == null) throw createEmptyValueError("token");
        oauth.revoke(service, client, token);
        return {};
      },
    }),
  ],
};
