/** Tests tokens and OAuth. */
import { inspect } from "node:util";
import nock from "nock";
import { beforeEach, describe, expect, it } from "vitest";
import {
  clientCredentials,
  OAuthServer,
  type OAuthServerOptions,
  refreshingToken,
  type Tokens,
  type TokenStore,
} from "../../client/index.js";
import { failure, FakeClock, host, mockedClient, says, useNock } from "./helpers.js";

useNock();

let clock: FakeClock;
beforeEach(() => (clock = new FakeClock()));

const HOUR_S = 3600;
const token = (accessToken: string, more = {}) => ({
  access_token: accessToken,
  token_type: "Bearer",
  expires_in: HOUR_S,
  ...more,
});

function server(options: Partial<OAuthServerOptions> = {}): OAuthServer {
  const secret = { clientId: "ci", clientSecret: "client-s3cr3t" };
  return new OAuthServer({ baseUrl: `${host}/api`, fetch, clock, random: () => 1, ...secret, ...options });
}

/** Mocks the token endpoint for one request with these fields. */
const tokenEndpoint = (fields: Record<string, string>) =>
  nock(host).post("/api/oauth2/token", { client_id: "ci", client_secret: "client-s3cr3t", ...fields });

/** Mocks an endpoint that accepts only this token. */
const userOf = (bearer: string, times = 1) =>
  nock(host, { reqheaders: { authorization: `Bearer ${bearer}` } })
    .get("/api/user")
    .times(times);

/** Stores tokens in memory instead of a credentials file. */
function store(tokens: Tokens | undefined): TokenStore & { tokens: Tokens | undefined } {
  return {
    tokens,
    load() {
      return Promise.resolve(this.tokens);
    },
    save(next) {
      this.tokens = next;
      return Promise.resolve();
    },
  };
}

describe("client_credentials", () => {
  const granted = { grant_type: "client_credentials", scope: "WORKSPACE USER_INFO" };
  const client = () =>
    mockedClient({ clock, token: clientCredentials(server(), ["WORKSPACE", "USER_INFO"], { clock }) });

  it("requests one token for concurrent requests", async () => {
    tokenEndpoint(granted).reply(200, token("one"));
    userOf("one", 5).reply(200, { id: 1 });
    const c = client();
    await Promise.all([1, 2, 3, 4, 5].map(() => c.user.get()));
  });

  it("requests the next token before the first one expires", async () => {
    tokenEndpoint(granted).reply(200, token("one"));
    userOf("one", 2).reply(200, { id: 1 });
    const c = client();
    await c.user.get();
    clock.advance((HOUR_S - 61) * 1000);
    await c.user.get();
    clock.advance(1000);
    tokenEndpoint(granted).reply(200, token("two"));
    userOf("two").reply(200, { id: 1 });
    await c.user.get();
  });

  it.each([
    ["a short-lived token for most of its lifetime", 30, 26],
    ["a token whose lifetime is 0 until it is refused", 0, HOUR_S],
  ])("uses %s", async (_, lifetimeS, laterS) => {
    tokenEndpoint(granted).reply(200, token("one", { expires_in: lifetimeS }));
    userOf("one", 2).reply(200, { id: 1 });
    const c = client();
    await c.user.get();
    clock.advance(laterS * 1000);
    await c.user.get();
  });

  it("renews a refused token once for concurrent requests and repeats them", async () => {
    tokenEndpoint(granted).reply(200, token("one"));
    userOf("one", 3).reply(401, says("Expired"));
    tokenEndpoint(granted).reply(200, token("two"));
    userOf("two", 3).reply(200, { id: 1 });
    const c = client();
    await Promise.all([1, 2, 3].map(() => c.user.get()));
  });

  it("fails when the new token is refused too", async () => {
    tokenEndpoint(granted).reply(200, token("one"));
    tokenEndpoint(granted).reply(200, token("two"));
    userOf("one").reply(401, says("No"));
    userOf("two").reply(401, says("No"));
    await failure(client().user.get(), "unauthorized");
  });

  it("saves the token for the next process, which requests none", async () => {
    tokenEndpoint(granted).reply(200, token("one"));
    userOf("one", 2).reply(200, { id: 1 });
    const kept: Tokens[] = [];
    const store: TokenStore = {
      load: () => Promise.resolve(kept.at(-1)),
      save: (tokens) => Promise.resolve(void kept.push(tokens)),
    };
    for (let run = 0; run < 2; run++) {
      const scopes = ["WORKSPACE", "USER_INFO"];
      await mockedClient({
        clock,
        token: clientCredentials(server(), scopes, { clock, store }),
      }).user.get();
    }
    expect(kept).toMatchObject([{ accessToken: "one" }]);
  });

  it("reuses the token that the previous process saved", async () => {
    const s = store(undefined);
    const nextProcess = () =>
      mockedClient({
        clock,
        token: clientCredentials(server(), ["WORKSPACE", "USER_INFO"], { clock, store: s }),
      });
    tokenEndpoint(granted).reply(200, token("one"));
    userOf("one", 2).reply(200, { id: 1 });
    await nextProcess().user.get();
    await nextProcess().user.get();
    expect(s.tokens?.accessToken).toBe("one");
  });

  it("reports an unknown client", async () => {
    const unknown = { error: "invalid_client", error_description: "Unknown client" };
    nock(host).post("/api/oauth2/token").times(3).reply(401, unknown);
    const error = await failure(client().user.get(), "unauthorized");
    expect(error.message).toBe(
      "POST /oauth2/token: 401 invalid_client Unknown client. A code or refresh token that is no longer valid requires a new login (workspacectl login). If that fails too, check client id and secret.",
    );
  });

  it("repeats a token request when the authorization server fails", async () => {
    tokenEndpoint(granted).reply(503);
    tokenEndpoint(granted).reply(200, token("one"));
    userOf("one").reply(200, { id: 1 });
    await client().user.get();
  });
});

describe("a personal token", () => {
  it("is not retried after it was refused", async () => {
    userOf("mine").reply(401, says("Revoked"));
    await failure(mockedClient({ token: "mine" }).user.get(), "unauthorized");
  });

  it("may have a line break from copying", async () => {
    userOf("mine").reply(200, { id: 1 });
    await mockedClient({ token: "mine\n" }).user.get();
  });
});

describe("refresh_token", () => {
  const kept = (accessToken: string, endsInS: number): Tokens => ({
    accessToken,
    obtainedAt: clock.now() - 1000,
    expiresAt: clock.now() + endsInS * 1000,
    refreshToken: "refresh-1",
  });
  const client = (s: TokenStore) => mockedClient({ clock, token: refreshingToken(server(), s, { clock }) });

  it("uses the stored token until it expires", async () => {
    userOf("kept").reply(200, { id: 1 });
    await client(store(kept("kept", HOUR_S))).user.get();
  });

  it("renews an expired token and saves the new refresh token", async () => {
    const s = store(kept("old", -10));
    tokenEndpoint({ grant_type: "refresh_token", refresh_token: "refresh-1" }).reply(
      200,
      token("new", { refresh_token: "refresh-2", refresh_token_expires_in: 2 * HOUR_S }),
    );
    userOf("new").reply(200, { id: 1 });
    await client(s).user.get();
    expect(s.tokens).toEqual({
      accessToken: "new",
      obtainedAt: clock.now(),
      expiresAt: clock.now() + HOUR_S * 1000,
      refreshToken: "refresh-2",
      refreshTokenExpiresAt: clock.now() + 2 * HOUR_S * 1000,
    });
  });

  it("retains the old refresh token when the response has none", async () => {
    const s = store(kept("old", -10));
    tokenEndpoint({ grant_type: "refresh_token", refresh_token: "refresh-1" }).reply(200, token("new"));
    userOf("new").reply(200, { id: 1 });
    await client(s).user.get();
    expect(s.tokens?.refreshToken).toBe("refresh-1");
  });

  it("uses a token that another process has renewed meanwhile", async () => {
    const s = store(kept("old", HOUR_S));
    userOf("old").reply(401, says("Expired"));
    const c = client({
      ...s,
      load: () => Promise.resolve(s.tokens),
      exclusively: (work) => {
        // The previous owner of the lock has renewed the token.
        s.tokens = kept("theirs", HOUR_S);
        return work();
      },
    });
    userOf("theirs").reply(200, { id: 1 });
    await c.user.get();
  });

  it("requires a new login when the refresh token is no longer valid", async () => {
    tokenEndpoint({ grant_type: "refresh_token", refresh_token: "refresh-1" }).reply(400, {
      error: "invalid_grant",
      errors: [{ message: "The refresh token has expired." }],
    });
    const error = await failure(client(store(kept("old", -10))).user.get(), "unauthorized");
    expect(error.remedy).toMatch("requires a new login");
    expect(inspect(error, { depth: 9 })).not.toMatch(/refresh-1|client-s3cr3t/);
  });

  it("requires a new login when there is no token", async () => {
    const { remedy } = await failure(client(store(undefined)).user.get(), "unauthorized");
    expect(remedy).toBe('Log in again with "workspacectl login".');
  });

  it("lets one caller abort without stopping the renewal for others", async () => {
    tokenEndpoint({ grant_type: "refresh_token", refresh_token: "refresh-1" })
      .delay(20)
      .reply(200, token("new"));
    userOf("new").reply(200, { id: 1 });
    const c = client(store(kept("old", -10)));
    const abort = new AbortController();
    const impatient = c.user.get({ signal: abort.signal });
    const patient = c.user.get();
    abort.abort(new Error("enough"));
    await expect(impatient).rejects.toThrow("enough");
    expect(await patient).toEqual({ id: 1 });
  });
});

describe("authorization_code with PKCE", () => {
  const redirectUri = "http://127.0.0.1:9999/callback";
  const authorizeUrl = "https://workspace.example.com/oauth2/authorize?theme=dark";
  const publicClient = () => server({ clientSecret: undefined as never, authorizeUrl });

  it("opens the consent page and exchanges the code for tokens", async () => {
    const oauth = publicClient();
    const request = await oauth.authorization({ redirectUri, scopes: ["WORKSPACE"] });
    const query = Object.fromEntries(new URL(request.url).searchParams);
    expect(query).toMatchObject({
      theme: "dark",
      response_type: "code",
      client_id: "ci",
      redirect_uri: redirectUri,
      scope: "WORKSPACE",
      code_challenge_method: "S256",
    });
    nock(host)
      .post("/api/oauth2/token", {
        grant_type: "authorization_code",
        client_id: "ci",
        code: "the-code",
        redirect_uri: redirectUri,
        code_verifier: request.codeVerifier,
      })
      .reply(200, token("one"));
    const back = new URL(`${redirectUri}?code=the-code&state=${request.state}`);
    expect(await oauth.exchangeCode(back, { redirectUri, ...request })).toMatchObject({ accessToken: "one" });
  });

  it("accepts a pasted code", async () => {
    const oauth = publicClient();
    const request = await oauth.authorization({ redirectUri, scopes: [] });
    nock(host)
      .post("/api/oauth2/token", /code=pasted/)
      .reply(200, token("one"));
    expect(await oauth.exchangeCode({ code: "pasted" }, { redirectUri, ...request })).toMatchObject({
      accessToken: "one",
    });
  });

  it("refuses a response with another state", async () => {
    const oauth = publicClient();
    const request = await oauth.authorization({ redirectUri, scopes: [] });
    const forged = new URL(`${redirectUri}?code=c&state=another`);
    await failure(oauth.exchangeCode(forged, { redirectUri, ...request }), "invalid-response");
  });

  it("reports that the user refused access", async () => {
    const oauth = publicClient();
    const request = await oauth.authorization({ redirectUri, scopes: [] });
    const no = new URL(`${redirectUri}?error=access_denied&state=${request.state}`);
    const error = await failure(oauth.exchangeCode(no, { redirectUri, ...request }), "denied");
    expect(error.message).toMatch("the authorization was refused (access_denied)");
  });

  it("sends a code only once", async () => {
    const oauth = publicClient();
    const request = await oauth.authorization({ redirectUri, scopes: [] });
    nock(host).post("/api/oauth2/token").reply(502);
    await failure(oauth.exchangeCode({ code: "c" }, { redirectUri, ...request }), "server");
  });

  it("requires the address of the consent page", async () => {
    await failure(server().authorization({ redirectUri, scopes: [] }), "invalid-value");
  });
});

describe("revoke", () => {
  it("revokes a token", async () => {
    const form = {
      token: "t",
      token_type_hint: "refresh_token",
      client_id: "ci",
      client_secret: "client-s3cr3t",
    };
    nock(host).post("/api/oauth2/revoke", form).reply(200);
    await server().revoke("t", "refresh_token");
  });

  it("reports invalid client credentials", async () => {
    nock(host).post("/api/oauth2/revoke").times(3).reply(401, says("Invalid client credentials"));
    await failure(server().revoke("t"), "unauthorized");
  });
});
