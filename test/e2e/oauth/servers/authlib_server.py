"""Authlib, with the paths of the service below /api: python authlib_server.py PORT"""
import importlib.metadata
import logging
import os
import secrets
import sys
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.integrations.flask_oauth2 import AuthorizationServer
from authlib.oauth2.rfc6749 import AuthorizationCodeMixin, ClientMixin, TokenMixin, grants, list_to_scope, scope_to_list
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7591 import ClientRegistrationEndpoint
from authlib.oauth2.rfc7592 import ClientConfigurationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from flask import Flask, request
from werkzeug.serving import make_server

port = int(sys.argv[1])
scopes = os.environ["SCOPES"].split(" ")
registrations, codes, tokens, clients = {}, {}, {}, {}


class Client(ClientMixin):
    def __init__(self, client_id, client_secret="", method="none", **metadata):
        self.client_id, self.client_secret, self.method = client_id, client_secret, method
        self.client_metadata = metadata
        self.registration_token = secrets.token_urlsafe(16)

    @property
    def client_info(self):
        secret = {"client_secret": self.client_secret} if self.client_secret else {}
        return {"client_id": self.client_id, "client_id_issued_at": 1, "client_secret_expires_at": 0, **secret}

    def check_client(self, client):
        """Stands for its registration token, too."""
        return client is self

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return self.client_metadata["redirect_uris"][0]

    def get_allowed_scope(self, scope):
        return list_to_scope([one for one in scope_to_list(scope or "") if one in scopes])

    def check_redirect_uri(self, uri):
        return uri in self.client_metadata["redirect_uris"]

    def check_client_secret(self, secret):
        return secrets.compare_digest(self.client_secret.encode(), secret.encode())

    def check_endpoint_auth_method(self, method, endpoint):
        return self.method == method

    def check_response_type(self, kind):
        return kind == "code"

    def check_grant_type(self, kind):
        return kind in ["authorization_code", "refresh_token", "client_credentials"]


class Code(AuthorizationCodeMixin):
    def __init__(self, **values):
        self.__dict__.update(values)

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


class Token(TokenMixin):
    def __init__(self, client_id, user, token):
        self.client_id, self.user, self.revoked, self.issued_at = client_id, user, False, time.time()
        self.access_token, self.refresh_token = token["access_token"], token.get("refresh_token")
        self.scope, self.expires_in = token.get("scope", ""), token["expires_in"]

    def check_client(self, client):
        return self.client_id == client.client_id

    def get_scope(self):
        return self.scope

    def get_expires_in(self):
        return self.expires_in

    def is_expired(self):
        return time.time() > self.issued_at + self.expires_in

    def is_revoked(self):
        return self.revoked

    def get_user(self):
        return self.user

    def get_client(self):
        return clients[self.client_id]


METHODS = ["client_secret_basic", "client_secret_post", "none"]


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS

    def save_authorization_code(self, code, asked):
        payload = asked.payload
        codes[code] = Code(
            code=code,
            client_id=asked.client.client_id,
            redirect_uri=payload.redirect_uri,
            scope=payload.scope,
            user=asked.user,
            code_challenge=payload.data.get("code_challenge"),
            code_challenge_method=payload.data.get("code_challenge_method"),
        )

    def query_authorization_code(self, code, client):
        found = codes.get(code)
        return found if found and found.client_id == client.client_id else None

    def delete_authorization_code(self, authorization_code):
        del codes[authorization_code.code]

    def authenticate_user(self, authorization_code):
        return authorization_code.user


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        found = tokens.get(refresh_token)
        return found if found and not found.revoked else None

    def authenticate_user(self, refresh_token):
        return refresh_token.user

    def revoke_old_credential(self, refresh_token):
        refresh_token.revoked = True


class ClientGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = METHODS


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = METHODS

    def query_token(self, token_string, token_type_hint):
        return tokens.get(token_string)

    def revoke_token(self, token, request):
        token.revoked = True


class Registration(ClientRegistrationEndpoint):
    def authenticate_token(self, request):
        return "registrant" if request.headers.get("Authorization") == "Bearer registrant" else None

    def get_server_metadata(self):
        return {"token_endpoint_auth_methods_supported": METHODS, "scopes_supported": scopes}

    def save_client(self, client_info, client_metadata, request):
        client = Client(client_info["client_id"], client_info["client_secret"], "client_secret_basic", **client_metadata)
        clients[client.client_id] = client
        return client

    def generate_client_registration_info(self, client, request):
        uri = f"http://127.0.0.1:{port}/api/oauth2/register/{client.client_id}"
        return {"registration_client_uri": uri, "registration_access_token": client.registration_token}


class Configuration(ClientConfigurationEndpoint):
    def authenticate_token(self, request):
        token = request.headers.get("Authorization", "").removeprefix("Bearer ")
        return next((one for one in clients.values() if one.registration_token == token), None)

    def authenticate_client(self, request):
        return clients.get(request.uri.rsplit("/", 1)[-1])

    def check_permission(self, client, request):
        return request.credential is client

    def generate_client_registration_info(self, client, request):
        return Registration.generate_client_registration_info(self, client, request)

    def delete_client(self, client, request):
        del clients[client.client_id]


def save_token(token, asked):
    saved = Token(asked.client.client_id, asked.user, token)
    tokens[token["access_token"]] = saved
    if "refresh_token" in token:
        tokens[token["refresh_token"]] = saved


redirects = [os.environ["REDIRECT"]]
for client in [
    Client("public", redirect_uris=redirects),
    Client("form", os.environ["SECRET"], "client_secret_post", redirect_uris=redirects),
    Client("header", os.environ["SECRET"], "client_secret_basic", redirect_uris=redirects),
]:
    clients[client.client_id] = client

app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
app.config["OAUTH2_SCOPES_SUPPORTED"] = scopes
server = AuthorizationServer(app, query_client=clients.get, save_token=save_token)
server.scopes_supported = scopes
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(ClientGrant)
server.register_endpoint(Revocation)
server.register_endpoint(Registration)
server.register_endpoint(Configuration)

@app.get("/api/oauth2/authorize")
def authorize():
    from authlib.oauth2 import OAuth2Error

    try:
        grant = server.get_consent_grant(end_user="Ann")
    except OAuth2Error as error:
        return server.handle_error_response(request, error)
    return server.create_authorization_response(grant=grant, grant_user="Ann")


@app.post("/api/oauth2/token")
def issue():
    return server.create_token_response()


@app.post("/api/oauth2/revoke")
def revoke():
    return server.create_endpoint_response("revocation")


@app.post("/api/oauth2/register")
def register():
    return server.create_endpoint_response("client_registration")


@app.route("/api/oauth2/register/<client_id>", methods=["GET", "DELETE"])
def configure(client_id):
    return server.create_endpoint_response("client_configuration")


logging.getLogger("werkzeug").setLevel(logging.ERROR)
listening = make_server("127.0.0.1", port, app, threaded=True)
print(f"ready {importlib.metadata.version('authlib')}", flush=True)
listening.serve_forever()
