"""Authlib's client: the same story, with its two ways to send the secret."""
import importlib.metadata
import json
import os

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"
from authlib.common.security import generate_token
from authlib.integrations.requests_client import OAuth2Session

story = json.loads(os.environ["STORY"])
token_endpoint = story["base"] + "/oauth2/token"


def expect_user(session, status):
    seen = session.get(story["base"] + "/user").status_code
    if seen != status:
        raise SystemExit(f"expected {status}, got {seen}")


for method in ["client_secret_basic", "client_secret_post"]:
    settings = {"token_endpoint_auth_method": method, "scope": story["scope"], "revocation_endpoint_auth_method": method}
    alone = OAuth2Session(story["id"], story["secret"], **settings)
    alone.fetch_token(token_endpoint, grant_type="client_credentials")
    expect_user(alone, 200)

    session = OAuth2Session(story["id"], story["secret"], redirect_uri=story["redirect"], code_challenge_method="S256", **settings)
    verifier = generate_token(48)
    page, state = session.create_authorization_url(story["authorize"], code_verifier=verifier)
    print("open", page, flush=True)
    session.fetch_token(token_endpoint, authorization_response=input(), state=state, code_verifier=verifier)
    session.refresh_token(token_endpoint, refresh_token=session.token["refresh_token"])
    expect_user(session, 200)
    refresh_token = session.token["refresh_token"]
    session.revoke_token(story["base"] + "/oauth2/revoke", token=refresh_token, token_type_hint="refresh_token")
    expect_user(session, 401)
print("done", importlib.metadata.version("authlib"))
