#!/usr/bin/env bash
# A logout at oidc-provider 9.13.3, with opaque access tokens and with JWTs. It answers a revocation with 200, text/plain and no body, as RFC 7009,
# 2.2 allows ("the content of the response body is ignored"), and refuses JWTs with unsupported_token_type. What do clients make of it?
#
# Behaviour: revokeAll() of simple-oauth2 5.1.0 sends the access token first, and throws in both cases. For an opaque one, because the type of the
# empty success is not JSON: the tokens are revoked (oidc-provider ends the grant with its access token), and the caller believes that they are not.
# For a JWT, because of the refusal: the refresh token is never sent, goes on to give access tokens, and a second call does the same.
# revoke("refresh_token") throws too, although the token is revoked then. openid-client 6.9.0 resolves for what is revoked, and
# throws for the JWT; Authlib 1.9.10 returns a refusal as an ordinary response.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
echo '{ "type": "module", "private": true }' > package.json
npm install --silent --no-audit --no-fund oidc-provider@9.13.3 openid-client@6.9.0 simple-oauth2@5.1.0
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check Authlib==1.9.10 requests==2.34.2
cat > server.mjs <<'JS'
// oidc-provider with JWTs as access tokens. GET /new returns a refresh token, as a login would.
import { createServer } from "node:http";
import Provider from "oidc-provider";
const form = process.argv[2];
const server = createServer().listen(0, "127.0.0.1", () => {
  const base = `http://127.0.0.1:${server.address().port}`;
  const api = { scope: "read", accessTokenFormat: form, jwt: { sign: { alg: "RS256" } } };
  const client = { client_id: "id", client_secret: "secret", redirect_uris: ["https://client.example.com/"], token_endpoint_auth_method: "client_secret_post", grant_types: ["authorization_code", "refresh_token"] };
  const provider = new Provider(base, {
    clients: [client],
    scopes: ["openid", "offline_access"],
    routes: { token: "/token", revocation: "/revoke" },
    findAccount: (_context, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    features: { revocation: { enabled: true }, devInteractions: { enabled: false }, resourceIndicators: { enabled: true, defaultResource: () => base, useGrantedResource: () => true, getResourceServerInfo: () => api } },
    rotateRefreshToken: false,
  });
  const handle = provider.callback();
  server.on("request", async (request, response) => {
    if (request.url !== "/new") return handle(request, response);
    const grant = new provider.Grant({ accountId: "ann", clientId: "id" });
    grant.addResourceScope(base, "read");
    const grantId = await grant.save();
    const known = await provider.Client.find("id");
    const token = new provider.RefreshToken({ accountId: "ann", client: known, grantId, scope: "read", resource: base, gty: "authorization_code", rotations: 0, iiat: Math.floor(Date.now() / 1000) });
    response.end(await token.save());
  });
  console.log(base);
});
JS
cat > clients.mjs <<'JS'
import * as openid from "openid-client";
import { AuthorizationCode } from "simple-oauth2";
const base = process.argv[2];
const form = { client_id: "id", client_secret: "secret" };
const renew = async (refresh_token) => {
  const body = new URLSearchParams({ ...form, grant_type: "refresh_token", refresh_token });
  const response = await fetch(`${base}/token`, { method: "POST", body });
  return { status: response.status, ...(await response.json()) };
};
const login = async () => {
  const refresh_token = await (await fetch(`${base}/new`)).text();
  return { refresh_token, access_token: (await renew(refresh_token)).access_token };
};
const say = async (client, outcome, { refresh_token }) =>
  console.log(`${client}: ${outcome}; the refresh token then: ${(await renew(refresh_token)).status}`);

if (process.argv[3] === "check") {
  await say("authlib, access token", process.argv[5], { refresh_token: process.argv[4] });
} else if (process.argv[3] === "login") {
  console.log(JSON.stringify(await login()));
} else {
  let tokens = await login();
  const auth = { tokenHost: base, tokenPath: "/token", revokePath: "/revoke" };
  const simple = new AuthorizationCode({ client: { id: "id", secret: "secret" }, auth, options: { authorizationMethod: "body" } });
  const token = simple.createToken(tokens);
  const attempt = (work) => work.then(() => "done", (error) => `throws ${error.data?.payload?.error ?? error.message}`);
  await say("simple-oauth2 revokeAll", await attempt(token.revokeAll()), tokens);
  await say("simple-oauth2 revokeAll again", await attempt(token.revokeAll()), tokens);
  await say("simple-oauth2 revoke refresh token", await attempt(token.revoke("refresh_token")), tokens);
  tokens = await login();
  const config = new openid.Configuration({ issuer: base, revocation_endpoint: `${base}/revoke` }, "id", undefined, openid.ClientSecretPost("secret"));
  openid.allowInsecureRequests(config);
  const refused = await openid.tokenRevocation(config, tokens.access_token).then(() => "done", (error) => `throws ${error.error}`);
  await say("openid-client, access token", refused, tokens);
  await openid.tokenRevocation(config, tokens.refresh_token);
  await say("openid-client, refresh token", "done", tokens);
}
JS
cat > client.py <<'PY'
import json, os, sys
os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.requests_client import OAuth2Session
tokens = json.loads(sys.argv[2])
session = OAuth2Session("id", "secret", revocation_endpoint_auth_method="client_secret_post")
answer = session.revoke_token(sys.argv[1] + "/revoke", token=tokens["access_token"], token_type_hint="access_token")
print(f"returns {answer.status_code} {answer.text and answer.json()['error']}".strip())
PY
for form in opaque jwt; do
  rm -f base
  node server.mjs $form > base 2> log & server=$!; trap 'kill $server; rm -rf "$folder"' EXIT
  until [ -s base ]; do sleep 0.1; done
  base=$(cat base)
  {
    node clients.mjs "$base"
    tokens=$(node clients.mjs "$base" login)
    outcome=$(venv/bin/python client.py "$base" "$tokens")
    node clients.mjs "$base" check "$(node -p 'JSON.parse(process.argv[1]).refresh_token' "$tokens")" "$outcome"
  } | sed "s/^/$form, /"
  kill $server
done | tee seen
trap 'rm -rf "$folder"' EXIT
cat > expected <<'SEEN'
opaque, simple-oauth2 revokeAll: throws The content-type is not JSON compatible; the refresh token then: 400
opaque, simple-oauth2 revokeAll again: throws The content-type is not JSON compatible; the refresh token then: 400
opaque, simple-oauth2 revoke refresh token: throws The content-type is not JSON compatible; the refresh token then: 400
opaque, openid-client, access token: done; the refresh token then: 400
opaque, openid-client, refresh token: done; the refresh token then: 400
opaque, authlib, access token: returns 200; the refresh token then: 400
jwt, simple-oauth2 revokeAll: throws unsupported_token_type; the refresh token then: 200
jwt, simple-oauth2 revokeAll again: throws unsupported_token_type; the refresh token then: 200
jwt, simple-oauth2 revoke refresh token: throws The content-type is not JSON compatible; the refresh token then: 400
jwt, openid-client, access token: throws unsupported_token_type; the refresh token then: 200
jwt, openid-client, refresh token: done; the refresh token then: 400
jwt, authlib, access token: returns 400 unsupported_token_type; the refresh token then: 200
SEEN
diff expected seen && echo "As described."
