// openid-client: tokens for the client itself, a renewal, a user's consent, a revocation.
import { createRequire } from "node:module";
import * as openid from "openid-client";
import { ask, expectUser, settings } from "./story.mjs";

const { base, authorize, id, secret, redirect, scope } = settings;
const server = {
  issuer: base,
  authorization_endpoint: authorize,
  token_endpoint: `${base}/oauth2/token`,
  revocation_endpoint: `${base}/oauth2/revoke`,
};
for (const method of [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)]) {
  const config = new openid.Configuration(server, id, undefined, method);
  openid.allowInsecureRequests(config);
  const alone = await openid.clientCredentialsGrant(config, { scope });
  await expectUser((await openid.refreshTokenGrant(config, alone.refresh_token)).access_token, true);

  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const expectedState = openid.randomState();
  const page = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope,
    state: expectedState,
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const back = new URL(await ask(page.href));
  const tokens = await openid.authorizationCodeGrant(config, back, { pkceCodeVerifier, expectedState });
  await expectUser(tokens.access_token, true);
  await openid.tokenRevocation(config, tokens.refresh_token);
  await expectUser(tokens.access_token, false);

  const wrong = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: "NONE",
    state: expectedState,
  });
  const refusal = new URL(await ask(wrong.href));
  const refused = await openid
    .authorizationCodeGrant(config, refusal, { expectedState })
    .catch((error) => error.error);
  if (refused !== "invalid_scope") throw new Error(`expected invalid_scope, got ${refused}`);
}
console.log(`done ${createRequire(import.meta.url)("openid-client/package.json").version}`);
process.exit(0);
