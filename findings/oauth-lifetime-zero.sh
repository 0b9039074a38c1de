#!/usr/bin/env bash
# What a token response with `expires_in: 0` means to six OAuth clients, and the same as a string ("0"; some servers send lifetimes as strings).
#
# Behaviour: with the number 0, the token never expires for golang.org/x/oauth2 0.36.0, @badgateway/oauth2-client 3.3.1, Authlib 1.9.1 and
# requests-oauthlib 2.0.0 (oauthlib 4.0.1); it has a lifetime of 0 seconds for openid-client 6.9.0, and has expired for simple-oauth2 5.1.0.
# With the string "0", @badgateway/oauth2-client and Authlib change their minds: the token has expired. So a server that means "does not expire"
# makes a third of its clients ask for a new token before each request, and one that means "do not use it again" is not understood by the others.
# RFC 6749 asks for the lifetime in seconds, and does not say what 0 means.
set -euo pipefail
export LC_ALL=C
folder=$(mktemp -d); trap 'rm -rf "$folder"' EXIT; cd "$folder"
echo '{ "type": "module", "private": true }' > package.json
npm install --silent --no-audit --no-fund openid-client@6.9.0 simple-oauth2@5.1.0 @badgateway/oauth2-client@3.3.1
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check Authlib==1.9.1 requests==2.34.2 requests-oauthlib==2.0.0 oauthlib==4.0.1
mkdir go; cat > go/go.mod <<'GO'
module lifetime
go 1.25.0
require golang.org/x/oauth2 v0.36.0
GO
cat > server.mjs <<'JS'
// A token endpoint: the last part of the path is the lifetime as it stands in the JSON.
import { createServer } from "node:http";
const server = createServer((request, response) => {
  request.resume().on("end", () => {
    const lifetime = decodeURIComponent(request.url.split("/").pop());
    response.setHeader("content-type", "application/json");
    response.end(`{"access_token":"a","token_type":"Bearer","expires_in":${lifetime}}`);
  });
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
JS
cat > clients.mjs <<'JS'
import * as openid from "openid-client";
import { ClientCredentials } from "simple-oauth2";
import { OAuth2Client } from "@badgateway/oauth2-client";
const base = process.argv[2];
for (const lifetime of ["3600", "0", '"0"']) {
  const path = `/token/${encodeURIComponent(lifetime)}`;
  const say = (client, text) => console.log(`${lifetime} ${client}: ${text}`);
  const config = new openid.Configuration({ issuer: base, token_endpoint: base + path }, "id", "secret");
  openid.allowInsecureRequests(config);
  say("openid-client", `lifetime ${(await openid.clientCredentialsGrant(config)).expiresIn()}`);
  const auth = { tokenHost: base, tokenPath: path };
  const simple = await new ClientCredentials({ client: { id: "id", secret: "secret" }, auth }).getToken({});
  say("simple-oauth2", `expired ${simple.expired()}`);
  const gateway = new OAuth2Client({ server: base, clientId: "id", clientSecret: "secret", tokenEndpoint: path });
  const { expiresAt } = await gateway.clientCredentials();
  say("badgateway", expiresAt === null ? "never" : `expired ${expiresAt <= Date.now()}`);
}
JS
cat > clients.py <<'PY'
import os, sys, time, urllib.parse
os.environ["OAUTHLIB_INSECURE_TRANSPORT"] = os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.requests_client import OAuth2Session as Authlib
from oauthlib.oauth2 import BackendApplicationClient
from requests_oauthlib import OAuth2Session as Requests
for lifetime in ["3600", "0", '"0"']:
    address = sys.argv[1] + "/token/" + urllib.parse.quote(lifetime)
    expired = Authlib("id", "secret").fetch_token(address, grant_type="client_credentials").is_expired()
    print(lifetime, "authlib:", "never" if expired is None else f"expired {expired}")
    token = Requests(client=BackendApplicationClient("id")).fetch_token(address, client_id="id", client_secret="secret")
    end = token.get("expires_at")
    print(lifetime, "requests-oauthlib:", "never" if end is None else f"expired {end <= time.time()}")
PY
cat > go/main.go <<'GO'
package main

import (
	"context"
	"fmt"
	"net/url"
	"os"

	"golang.org/x/oauth2/clientcredentials"
)

func main() {
	for _, lifetime := range []string{"3600", "0", `"0"`} {
		config := clientcredentials.Config{ClientID: "id", ClientSecret: "secret", TokenURL: os.Args[1] + "/token/" + url.PathEscape(lifetime)}
		token, err := config.Token(context.Background())
		if err != nil {
			panic(err)
		}
		if token.Expiry.IsZero() {
			fmt.Println(lifetime, "x/oauth2: never")
		} else {
			fmt.Println(lifetime, "x/oauth2: expired", !token.Valid())
		}
	}
}
GO
(cd go && go mod tidy 2> /dev/null && go build -o ../clients .)
node server.mjs > port & server=$!; trap 'kill $server; rm -rf "$folder"' EXIT
until [ -s port ]; do sleep 0.1; done
base="http://127.0.0.1:$(cat port)"
{ node clients.mjs "$base"; venv/bin/python clients.py "$base"; ./clients "$base"; } | sort | tee seen
cat > expected <<'SEEN'
"0" authlib: expired True
"0" badgateway: expired true
"0" openid-client: lifetime 0
"0" requests-oauthlib: never
"0" simple-oauth2: expired true
"0" x/oauth2: never
0 authlib: never
0 badgateway: never
0 openid-client: lifetime 0
0 requests-oauthlib: never
0 simple-oauth2: expired true
0 x/oauth2: never
3600 authlib: expired False
3600 badgateway: expired false
3600 openid-client: lifetime 3600
3600 requests-oauthlib: expired False
3600 simple-oauth2: expired false
3600 x/oauth2: expired false
SEEN
sort expected | diff - seen && echo "As described."
