#!/usr/bin/env bash
# A server answers a renewal (grant refresh_token) without a new refresh token: it is absent, null, or an empty text. Which refresh token do six OAuth
# clients hold afterwards, and what does the next renewal send?
#
# Behaviour: RFC 6749, 6 says that the old one stays good then. golang.org/x/oauth2 0.38.0 and @badgateway/oauth2-client 3.3.1 keep it in all three
# cases. Authlib 1.9.10 and requests-oauthlib 2.0.0 keep it where it is absent, and replace it by null or the empty text. simple-oauth2 5.1.0 keeps
# it in none: the token that refresh() returns has no refresh token, its next refresh() sends an empty one, and so the user
# has to log in again after the second lifetime. openid-client 6.9.0 returns what it got, and refuses null and the empty text.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
echo '{ "type": "module", "private": true }' > package.json
npm install --silent --no-audit --no-fund openid-client@6.9.0 simple-oauth2@5.1.0 @badgateway/oauth2-client@3.3.1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check Authlib==1.9.10 requests==2.34.2 requests-oauthlib==2.0.0 oauthlib==4.0.1
mkdir go; cat > go/go.mod <<'GO'
module renewal
go 1.25.0
require golang.org/x/oauth2 v0.38.0
GO
cat > server.mjs <<'JS'
// A token endpoint: the last part of the path says what the answer has in place of a refresh token. The access token is what the request sent.
import { createServer } from "node:http";
const members = { absent: "", null: ',"refresh_token":null', empty: ',"refresh_token":""' };
const server = createServer(async (request, response) => {
  let body = "";
  for await (const part of request) body += part;
  const sent = new URLSearchParams(body).get("refresh_token") ?? "nothing";
  response.setHeader("content-type", "application/json");
  const member = members[request.url.split("/").pop()];
  response.end(`{"access_token":"sent ${sent || "an empty text"}","token_type":"Bearer","expires_in":3600${member}}`);
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
cat > clients.mjs <<'JS'
import * as openid from "openid-client";
import { AuthorizationCode } from "simple-oauth2";
import { OAuth2Client } from "@badgateway/oauth2-client";
const base = process.argv[2];
for (const kind of ["absent", "null", "empty"]) {
  const path = `/token/${kind}`;
  const say = (client, held, next) => console.log(`${kind} ${client}: ${JSON.stringify(held) ?? "none"}, then ${next}`);
  const failed = (error) => `an error (${error.message})`;
  const config = new openid.Configuration({ issuer: base, token_endpoint: base + path }, "id", "secret");
  openid.allowInsecureRequests(config);
  await openid.refreshTokenGrant(config, "old").then(
    (tokens) => say("openid-client", tokens.refresh_token, "the caller decides"),
    (error) => say("openid-client", undefined, failed(error)),
  );
  const simple = new AuthorizationCode({ client: { id: "id", secret: "secret" }, auth: { tokenHost: base, tokenPath: path } });
  const first = await simple.createToken({ access_token: "a", refresh_token: "old", expires_in: 1 }).refresh();
  const second = await first.refresh().then(({ token }) => token.access_token, failed);
  say("simple-oauth2", first.token.refresh_token, second);
  const gateway = new OAuth2Client({ server: base, clientId: "id", clientSecret: "secret", tokenEndpoint: path });
  const renewed = await gateway.refreshToken({ accessToken: "a", refreshToken: "old", expiresAt: 1 });
  say("badgateway", renewed.refreshToken, (await gateway.refreshToken(renewed)).accessToken);
}
JS
cat > clients.py <<'PY'
import json, os, sys
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.requests_client import OAuth2Session as Authlib
from requests_oauthlib import OAuth2Session as Requests

def renew(session, address):
    try:
        return session.refresh_token(address)["access_token"]
    except Exception as error:
        return f"an error ({type(error).__name__})"

for kind in ["absent", "null", "empty"]:
    address = f"{sys.argv[1]}/token/{kind}"
    token = {"access_token": "a", "refresh_token": "old", "token_type": "Bearer"}
    for name, session in [("authlib", Authlib("id", "secret", token=dict(token))), ("requests-oauthlib", Requests("id", token=dict(token)))]:
        renew(session, address)
        held = session.token.get("refresh_token", "none")
        print(f"{kind} {name}: {json.dumps(held)}, then {renew(session, address)}")
PY
cat > go/main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"golang.org/x/oauth2"
)

func main() {
	for _, kind := range []string{"absent", "null", "empty"} {
		config := oauth2.Config{ClientID: "id", Endpoint: oauth2.Endpoint{TokenURL: os.Args[1] + "/token/" + kind, AuthStyle: oauth2.AuthStyleInParams}}
		renew := func(token *oauth2.Token) *oauth2.Token {
			token.Expiry = time.Now().Add(-time.Hour)
			renewed, err := config.TokenSource(context.Background(), token).Token()
			if err != nil {
				panic(err)
			}
			return renewed
		}
		first := renew(&oauth2.Token{AccessToken: "a", RefreshToken: "old"})
		held := first.RefreshToken
		fmt.Printf("%s x/oauth2: %q, then %s\n", kind, held, renew(first).AccessToken)
	}
}
GO
(cd go && go mod tidy 2> /dev/null && go build -o ../clients .)
node server.mjs > port & server=$!; trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
base="http://127.0.0.1:$(cat port)"
{ node clients.mjs "$base"; venv/bin/python clients.py "$base"; ./clients "$base"; } | sort | tee seen
cat > expected <<'SEEN'
absent authlib: "old", then sent old
absent badgateway: "old", then sent old
absent openid-client: none, then the caller decides
absent requests-oauthlib: "old", then sent old
absent simple-oauth2: none, then sent an empty text
absent x/oauth2: "old", then sent old
empty authlib: "", then sent nothing
empty badgateway: "old", then sent old
empty openid-client: none, then an error (invalid response encountered)
empty requests-oauthlib: "", then sent nothing
empty simple-oauth2: "", then sent an empty text
empty x/oauth2: "old", then sent old
null authlib: null, then sent nothing
null badgateway: "old", then sent old
null openid-client: none, then an error (invalid response encountered)
null requests-oauthlib: null, then sent nothing
null simple-oauth2: null, then sent an empty text
null x/oauth2: "old", then sent old
SEEN
sort expected | diff - seen && echo "As described."
