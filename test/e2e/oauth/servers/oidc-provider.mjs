// oidc-provider, with the paths of the service below /api: node oidc-provider.mjs PORT FORM
import { createServer } from "node:http";
import { createRequire } from "node:module";
import Provider from "oidc-provider";

const [port, form] = process.argv.slice(2);
const { version } = createRequire(import.meta.url)("oidc-provider/package.json");
const base = process.env.BASE;
const scopes = process.env.SCOPES.split(" ");
const secret = process.env.SECRET;
const jwt = { sign: { alg: "RS256" } };
const common = {
  application_type: "native",
  redirect_uris: ["http://127.0.0.1/callback"],
  grant_types: ["authorization_code", "refresh_token", "client_credentials"],
};
const resources = {
  enabled: true,
  defaultResource: () => base,
  useGrantedResource: () => true,
  getResourceServerInfo: () => ({ scope: scopes.join(" "), accessTokenFormat: form, jwt }),
};
const provider = new Provider(base, {
  clients: [
    { ...common, client_id: "public", token_endpoint_auth_method: "none" },
    { ...common, client_id: "form", client_secret: secret, token_endpoint_auth_method: "client_secret_post" },
    {
      ...common,
      client_id: "header",
      client_secret: secret,
      token_endpoint_auth_method: "client_secret_basic",
    },
    { ...common, client_id: "narrow", token_endpoint_auth_method: "none", scope: "openid WORKSPACE" },
  ].map((client) => ({
    ...client,
    grant_types:
      client.token_endpoint_auth_method === "none" ? common.grant_types.slice(0, 2) : common.grant_types,
  })),
  scopes: ["openid", "offline_access", ...scopes],
  routes: {
    authorization: "/oauth2/authorize",
    token: "/oauth2/token",
    revocation: "/oauth2/revoke",
    registration: "/oauth2/register",
  },
  features: {
    revocation: { enabled: true },
    clientCredentials: { enabled: true },
    registration: { enabled: true },
    registrationManagement: { enabled: true },
    ...(form === "jwt" ? { resourceIndicators: resources } : {}),
  },
  issueRefreshToken: () => true,
  rotateRefreshToken: true,
  pkce: { required: () => true },
});

const handle = provider.callback();
createServer((request, response) => {
  const isBelow = request.url.startsWith("/api/");
  if (isBelow) Object.assign(request, { originalUrl: request.url, url: request.url.slice("/api".length) });
  return handle(request, response);
}).listen(Number(port), "127.0.0.1", () => console.log(`ready ${version}`));
