// @node-oauth/oauth2-server, with the paths of the service below /api: node node-oauth.mjs PORT
import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { text } from "node:stream/consumers";
import OAuth2Server from "@node-oauth/oauth2-server";

const [port] = process.argv.slice(2);
const require = createRequire(import.meta.url);
const { version } = require("@node-oauth/oauth2-server/package.json");
const scopes = process.env.SCOPES.split(" ");
const user = { id: 1, name: "Ann" };
const secrets = { public: undefined, form: process.env.SECRET, header: process.env.SECRET };
const codes = new Map();
const tokens = new Map();

const model = {
  getClient: (id, secret) => {
    if (!Object.hasOwn(secrets, id) || (secret && secret !== secrets[id])) return false;
    const grants = ["authorization_code", "refresh_token", "client_credentials"];
    return { id, grants, redirectUris: [process.env.REDIRECT] };
  },
  saveAuthorizationCode: (code, client, owner) => {
    codes.set(code.authorizationCode, { ...code, client, user: owner });
    return codes.get(code.authorizationCode);
  },
  getAuthorizationCode: (code) => codes.get(code),
  revokeAuthorizationCode: ({ authorizationCode }) => codes.delete(authorizationCode),
  saveToken: (token, client, owner) => {
    const saved = { ...token, client, user: owner };
    tokens.set(token.accessToken, saved);
    if (token.refreshToken) tokens.set(token.refreshToken, saved);
    return saved;
  },
  getAccessToken: (token) => tokens.get(token),
  getRefreshToken: (token) => tokens.get(token),
  revokeToken: ({ refreshToken }) => tokens.delete(refreshToken),
  getUserFromClient: () => user,
  generateRefreshToken: () => randomUUID(),
  validateScope: (_user, _client, asked = []) => (asked.every((one) => scopes.includes(one)) ? asked : false),
  verifyScope: () => true,
};
const oauth = new OAuth2Server({
  model,
  requireClientAuthentication: { authorization_code: false, refresh_token: false },
});

createServer((incoming, outgoing) => {
  const { pathname, searchParams } = new URL(incoming.url, `http://127.0.0.1:${port}`);
  void text(incoming).then(async (body) => {
    const { method, headers } = incoming;
    const query = Object.fromEntries(searchParams);
    const request = new OAuth2Server.Request({
      method,
      headers,
      query,
      body: Object.fromEntries(new URLSearchParams(body)),
    });
    const response = new OAuth2Server.Response();
    try {
      if (pathname === "/api/oauth2/token") await oauth.token(request, response);
      else if (pathname === "/api/oauth2/authorize")
        await oauth.authorize(request, response, { authenticateHandler: { handle: () => user } });
      else response.status = 404;
    } catch (error) {
      if (!response.headers.location) {
        response.status = error.code ?? 500;
        response.body = { error: error.name, error_description: error.message };
      }
    }
    outgoing.writeHead(response.status ?? 200, { ...response.headers, "content-type": "application/json" });
    outgoing.end(JSON.stringify(response.body ?? {}));
  });
}).listen(Number(port), "127.0.0.1", () => console.log(`ready ${version}`));
