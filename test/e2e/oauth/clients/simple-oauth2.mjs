// simple-oauth2: the same story, with each way to send the secret that it has.
import { createRequire } from "node:module";
import { AuthorizationCode, ClientCredentials } from "simple-oauth2";
import { ask, expectUser, settings } from "./story.mjs";

const { base, authorize, id, secret, redirect, scope } = settings;
const tokens = { tokenHost: base, tokenPath: `${base}/oauth2/token`, revokePath: `${base}/oauth2/revoke` };
const page = new URL(authorize);
const auth = { ...tokens, authorizeHost: page.origin, authorizePath: page.pathname };
for (const options of [
  { authorizationMethod: "header", credentialsEncodingMode: "strict" },
  { authorizationMethod: "header", credentialsEncodingMode: "loose" },
  { authorizationMethod: "body" },
]) {
  const config = { client: { id, secret }, options };
  const alone = await new ClientCredentials({ ...config, auth: tokens }).getToken({ scope });
  await expectUser(alone.token.access_token, true);

  const client = new AuthorizationCode({ ...config, auth });
  const request = client.authorizeURL({ redirect_uri: redirect, scope, state: "s" });
  const code = new URL(await ask(request)).searchParams.get("code");
  const first = await client.getToken({ code, redirect_uri: redirect });
  const second = await first.refresh();
  await expectUser(second.token.access_token, true);
  await second.revokeAll();
  await expectUser(second.token.access_token, false);
}
console.log(`done ${createRequire(import.meta.url)("simple-oauth2/package.json").version}`);
process.exit(0);
