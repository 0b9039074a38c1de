/** Tests what authorization servers answer that the specification does not show: the standards allow it, and real servers do it. */
import nock from "nock";
import { beforeEach, describe, expect, it } from "vitest";
import { OAuthServer, type OAuthServerOptions, refreshingToken, type Tokens } from "../../client/index.js";
import { failure, FakeClock, host, mockedClient, says, useNock } from "./helpers.js";

useNock();

let clock: FakeClock;
beforeEach(() => (clock = new FakeClock()));

const page = "https://login.example.com/authorize";
const redirectUri = "http://127.0.0.1:9999/callback";
const token = { access_token: "one", token_type: "Bearer", expires_in: 3600 };
const scopes = ["WORKSPACE"];

function server(options: Partial<OAuthServerOptions> = {}): OAuthServer {
  return new OAuthServer({ baseUrl: `${host}/api`, fetch, clock, clientId: "ci", ...options });
}

/** Returns from the consent page with these parameters. */
async function returnWith(params: Record<string, string>) {
  const oauth = server({ authorizeUrl: page });
  const request = await oauth.authorization({ redirectUri, scopes });
  const back = new URL(redirectUri);
  back.search = new URLSearchParams({ state: request.state, ...params }).toString();
  return oauth.exchangeCode(back, { redirectUri, ...request });
}

describe("the redirect", () => {
  it.each(["https://login.example.com/realms/a", `${host}`, `${host}/api`])(
    "may name the issuer %s",
    async (iss) => {
      nock(host).post("/api/oauth2/token").reply(200, token);
      expect(await returnWith({ code: "c", iss })).toMatchObject({ accessToken: "one" });
    },
  );

  it.each(["https://evil.example.com", "https://login.example.com.evil.example", "nonsense"])(
    "may not come from the issuer %s",
    async (iss) => {
      const error = await failure(returnWith({ code: "c", iss }), "invalid-response");
      expect(error.message).toContain(`the authorization comes from ${iss}`);
    },
  );

  it.each([
    ["invalid_scope", "invalid-value", "login --scopes"],
    ["access_denied", "denied", "allow access"],
    ["temporarily_unavailable", "server", "Log in again later"],
    ["unauthorized_client", "invalid-value", "how the client is registered"],
    ["constructor", "invalid-value", "how the client is registered"],
  ] as const)("says why it refuses: %s", async (error, code, remedy) => {
    const refused = returnWith({ error, error_description: "not\u001B[31m for you" });
    const { message } = await failure(refused, code);
    expect(message).toContain(
      `the authorization was refused (${error}), with the message "not [31m for you".`,
    );
    expect(message).toContain(remedy);
  });
});

describe("a token response", () => {
  const lives = 1800 * 1000;
  it.each([
    ["null for what is absent", { refresh_token: null, scope: null, id_token: null }, {}],
    ["empty texts", { refresh_token: "", scope: "" }, {}],
    ["a lifetime as a string", { expires_in: "1800" }, { expiresAt: lives }],
    ["no lifetime", { expires_in: undefined }, { expiresAt: undefined }],
    ["a lifetime that is none", { expires_in: "soon" }, { expiresAt: undefined }],
    ["a negative lifetime", { expires_in: -1 }, { expiresAt: undefined }],
    ["another case of the token type", { token_type: "bearer" }, {}],
    ["no token type", { token_type: undefined }, {}],
    ["an ID token that nobody reads", { id_token: "e30.e30." }, {}],
    ["the granted scopes", { scope: "A B" }, { scopes: ["A", "B"] }],
    ["the granted scopes as a list", { scope: ["A", "B"] }, { scopes: ["A", "B"] }],
  ])("may have %s", async (_, more, seen) => {
    nock(host)
      .post("/api/oauth2/token")
      .reply(200, { ...token, ...more });
    const { expiresAt, obtainedAt, ...tokens } = await server().clientCredentials(scopes);
    const lifetime = expiresAt === undefined ? undefined : expiresAt - obtainedAt;
    expect({ ...tokens, expiresAt: lifetime }).toEqual({
      accessToken: "one",
      expiresAt: 3600 * 1000,
      ...seen,
    });
  });

  it("must be for a bearer", async () => {
    nock(host)
      .post("/api/oauth2/token")
      .reply(200, { ...token, token_type: "mac" });
    await failure(server().clientCredentials(scopes), "invalid-response");
  });

  it("keeps the granted scopes when a renewal does not repeat them", async () => {
    let stored: Tokens = {
      accessToken: "old",
      obtainedAt: 0,
      expiresAt: 1,
      refreshToken: "r",
      scopes: ["A"],
    };
    const store = {
      load: () => Promise.resolve(stored),
      save: (tokens: Tokens) => Promise.resolve(void (stored = tokens)),
    };
    nock(host).post("/api/oauth2/token").reply(200, token);
    nock(host).get("/api/user").reply(200, { id: 1 });
    await mockedClient({ clock, token: refreshingToken(server(), store, { clock }) }).user.get();
    expect(stored).toMatchObject({ accessToken: "one", scopes: ["A"] });
  });
});

describe("a client's secret", () => {
  const secret = "s3cret +/~";
  const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;
  const isInForm = (body: unknown) => (body as Record<string, unknown>)["client_secret"] === secret;
  const refuse = (reply: nock.Interceptor) =>
    reply.reply(401, { error: "invalid_client", error_description: secret });
  const endpoint = () => nock(host).post("/api/oauth2/token", isInForm);
  const withBasic = (text: string) =>
    nock(host, { reqheaders: { authorization: basic(text) } }).post(
      "/api/oauth2/token",
      (body) => !isInForm(body),
    );

  it("is sent in the form, or in the header with or without escapes, as the server takes it", async () => {
    const oauth = server({ clientSecret: secret });
    refuse(endpoint());
    refuse(withBasic("ci:s3cret+%2B%2F%7E"));
    withBasic(`ci:${secret}`).times(2).reply(200, token);
    await oauth.clientCredentials(scopes);
    await oauth.clientCredentials(scopes);
  });

  it("is not repeated by an error", async () => {
    nock(host)
      .post("/api/oauth2/token")
      .times(3)
      .reply(401, { error: "invalid_client", error_description: `${secret} ${btoa(`ci:${secret}`)}` });
    const error = await failure(server({ clientSecret: secret }).clientCredentials(scopes), "unauthorized");
    expect(error.message).not.toContain(secret);
  });

  it("is wrong when the server does not know it in the form and cannot read the header", async () => {
    endpoint().reply(401, { error: "invalid_client" });
    nock(host).post("/api/oauth2/token").times(2).reply(400, { error: "invalid_request" });
    const error = await failure(server({ clientSecret: secret }).clientCredentials(scopes), "unauthorized");
    expect(error.remedy).toContain("check client id and secret");
  });

  it("is not tried in other ways when something else is wrong", async () => {
    endpoint().reply(400, { error: "invalid_grant" });
    await failure(server({ clientSecret: secret }).refresh("r"), "unauthorized");
  });
});

describe("a revocation", () => {
  it("may be for tokens that the server does not revoke", async () => {
    nock(host).post("/api/oauth2/revoke").reply(400, { error: "unsupported_token_type" });
    expect(await server().revoke("t", "access_token")).toBe(false);
    nock(host).post("/api/oauth2/revoke").reply(200);
    expect(await server().revoke("t", "refresh_token")).toBe(true);
    nock(host).post("/api/oauth2/revoke").reply(401, says("Unknown client"));
    await failure(server().revoke("t"), "unauthorized");
  });
});
