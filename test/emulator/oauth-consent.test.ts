/** Tests the authorization code flow. */
import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { authorize, oauthBody, record, registered } from "./oauth-support.js";
import { callerOf, make, message, ws } from "./support.js";

describe("the authorization code flow", () => {
  const verifier = "a-verifier-that-is-long-enough-for-the-standard-43";
  const challenge = createHash("sha256").update(verifier).digest("base64url");
  const query = (client_id: string) => ({
    response_type: "code",
    client_id,
    redirect_uri: "https://tool.example.com/back",
    scope: "USER_INFO WORKSPACE",
    state: "xyz&<1>",
    code_challenge: challenge,
    code_challenge_method: "S256",
  });

  const redemption = (location: URL | undefined) => ({
    grant_type: "authorization_code",
    code: location?.searchParams.get("code") ?? "",
    redirect_uri: "https://tool.example.com/back",
  });

  test("returns tokens of the user who approved, and accepts the code once", async () => {
    const { emulator, client, token } = await registered();
    const { html, location } = await authorize(emulator, query(client.client_id), {
      user: "owner@example.com",
      decision: "approve",
    });
    expect(html).toContain("my tool");
    expect(html).toContain("USER_INFO");
    expect(location?.searchParams.get("state")).toBe("xyz&<1>");
    const code = location?.searchParams.get("code") ?? "";
    const fields = { grant_type: "authorization_code", code, redirect_uri: "https://tool.example.com/back" };
    const response = await token({ ...fields, code_verifier: verifier });
    expect(response.status).toBe(200);
    const user = await make(callerOf(emulator, oauthBody(response).access_token), "GET", "/user");
    expect(user.name).toBe("Olga Owner");
    expect((await token({ ...fields, code_verifier: verifier })).status).toBe(400);
  });

  test.each([
    ["a wrong verifier", { code_verifier: "wrong" }],
    ["no verifier", {}],
    ["another redirect address", { code_verifier: verifier, redirect_uri: "https://evil.example.com" }],
  ])("refuses %s", async (_, more) => {
    const { emulator, client, token } = await registered();
    const { location } = await authorize(emulator, query(client.client_id), {
      user: "owner@example.com",
      decision: "approve",
    });
    const code = location?.searchParams.get("code") ?? "";
    expect(code).not.toBe("");
    const redirect_uri = "https://tool.example.com/back";
    const response = await token({ grant_type: "authorization_code", code, redirect_uri, ...more });
    expect([response.status, oauthBody(response).error]).toEqual([400, "invalid_grant"]);
  });

  test("accepts a code for ten minutes", async () => {
    const { emulator, client, token } = await registered();
    const { location } = await authorize(emulator, query(client.client_id), {
      user: "owner@example.com",
      decision: "approve",
    });
    await emulator.clock.advance(601_000);
    const code = location?.searchParams.get("code") ?? "";
    const redirect_uri = "https://tool.example.com/back";
    const response = await token({
      grant_type: "authorization_code",
      code,
      redirect_uri,
      code_verifier: verifier,
    });
    expect(response.status).toBe(400);
  });

  test("returns an error to the client after a refusal, and never redirects for an unknown client or address", async () => {
    const { emulator, client } = await registered();
    const denied = await authorize(emulator, query(client.client_id), {
      user: "owner@example.com",
      decision: "deny",
    });
    expect(denied.location?.searchParams.get("error")).toBe("access_denied");
    expect(denied.location?.searchParams.get("state")).toBe("xyz&<1>");
    const unknown = await authorize(emulator, query("unknown"), {});
    expect([unknown.page.status, unknown.location]).toEqual([400, undefined]);
    const evil = { ...query(client.client_id), redirect_uri: "https://evil.example.com" };
    expect((await authorize(emulator, evil, {})).page.status).toBe(400);
  });

  test.each([
    ["invalid_scope", { scope: "EVERYTHING" }],
    ["unsupported_response_type", { response_type: "token" }],
    ["invalid_request", { response_type: "" }],
    ["invalid_request", { code_challenge_method: "plain" }],
    ["invalid_request", { code_challenge: "short" }],
  ])("sends a client back with %s when its request is %o", async (error, more) => {
    const { emulator, client } = await registered();
    const { page, location } = await authorize(emulator, { ...query(client.client_id), ...more }, {});
    expect(page.status).toBe(303);
    expect(location?.href).toMatch(/^https:\/\/tool\.example\.com\/back\?/);
    const { error_description, ...params } = Object.fromEntries(location?.searchParams ?? []);
    expect(params).toEqual({ error, state: "xyz&<1>" });
    expect(error_description).toBeTruthy();
  });

  test("sends a client back that may not use the grant, or that sends a parameter twice", async () => {
    const { emulator, client } = await registered();
    const own = callerOf(emulator, client.registration_access_token);
    const asked = new URLSearchParams(query(client.client_id)).toString();
    const open = async (more = "") => {
      const response = await fetch(`${emulator.authorizeUrl}?${asked}${more}`, { redirect: "manual" });
      const location = response.headers.get("location");
      return location === null ? response.status : new URL(location).searchParams.get("error");
    };
    expect(await open("&scope=WORKSPACE")).toBe("invalid_request");
    expect(await open("&client_id=other")).toBe(400);
    expect(await open(`&redirect_uri=${encodeURIComponent("https://evil.example.com")}`)).toBe(400);
    expect(await open("&state=other")).toBe(400);
    await make(own, "PATCH", `/oauth2/register/${client.client_id}`, { grant_types: ["client_credentials"] });
    expect(await open()).toBe("unauthorized_client");
  });

  test("accepts any port of a loopback address, and nothing else of another address", async () => {
    const { emulator, client } = await registered();
    const own = callerOf(emulator, client.registration_access_token);
    const redirect_uris = [
      "http://127.0.0.1/callback",
      "http://[::1]:1/callback",
      "https://tool.example.com/back",
    ];
    await make(own, "PATCH", `/oauth2/register/${client.client_id}`, { redirect_uris });
    const open = async (redirect_uri: string) =>
      (await authorize(emulator, { ...query(client.client_id), redirect_uri }, {})).page.status;
    for (const same of ["http://127.0.0.1:8976/callback", "http://[::1]:40000/callback"])
      expect([same, await open(same)]).toEqual([same, 200]);
    for (const other of [
      "http://127.0.0.1:8976/other",
      "http://127.0.0.1:8976@evil.example.com/callback",
      "http://127.0.0.1.evil.example.com/callback",
      "http://localhost:8976/callback",
      "https://127.0.0.1:8976/callback",
      "https://tool.example.com:8443/back",
    ])
      expect([other, await open(other)]).toEqual([other, 400]);
  });

  test("grants at most the scopes of the token that registered the client", async () => {
    const { emulator, client, token } = await registered(["USER_INFO"]);
    const forItself = { grant_type: "client_credentials" };
    expect((await token({ ...forItself, scope: "USER_INFO" })).status).toBe(200);
    const more = await token({ ...forItself, scope: "USER_INFO WORKSPACE" });
    expect([more.status, oauthBody(more).error]).toEqual([400, "invalid_scope"]);
    expect(message(more)).toContain("WORKSPACE");
    const asked = await authorize(emulator, query(client.client_id), { user: "owner@example.com" });
    expect(asked.location?.searchParams.get("error")).toBe("invalid_scope");
    expect(asked.location?.searchParams.get("error_description")).toContain("may not ask for WORKSPACE");
    const { scope: _, ...unsaid } = query(client.client_id);
    const { location } = await authorize(emulator, unsaid, {
      user: "owner@example.com",
      decision: "approve",
    });
    const tokens = await token({ ...redemption(location), code_verifier: verifier });
    const call = callerOf(emulator, oauthBody(tokens).access_token);
    expect([(await call("GET", "/user")).status, (await call("GET", ws)).status]).toEqual([200, 403]);
  });

  test("accepts a consent only from its own page, and only for the request shown there", async () => {
    const { emulator, client } = await registered();
    const asked = query(client.client_id);
    const approve = { user: "owner@example.com", decision: "approve" };
    const foreign = { origin: "https://evil.example.com" };
    expect(await authorize(emulator, asked, approve, foreign)).toMatchObject({
      status: 403,
      location: undefined,
    });
    expect((await authorize(emulator, asked, approve, { "sec-fetch-site": "cross-site" })).status).toBe(403);
    const { origin } = new URL(emulator.authorizeUrl);
    expect((await authorize(emulator, asked, approve, { origin })).status).toBe(303);
    for (const consent of ["", "x"])
      expect((await authorize(emulator, asked, { ...approve, consent })).status).toBe(400);
    const other = await authorize(emulator, { ...asked, scope: "USER_INFO" }, approve);
    const consent = /name="consent" value="([^"]+)"/.exec(other.html)?.[1] ?? "";
    expect((await authorize(emulator, asked, { ...approve, consent })).status).toBe(400);
  });

  test("revokes the tokens of a code that is used again", async () => {
    const { emulator, client, token } = await registered();
    const approve = { user: "owner@example.com", decision: "approve" };
    const { location } = await authorize(emulator, query(client.client_id), approve);
    const fields = { ...redemption(location), code_verifier: verifier };
    const first = oauthBody(await token(fields));
    const second = oauthBody(
      await token({ grant_type: "refresh_token", refresh_token: first.refresh_token }),
    );
    const works = async (text: string) => (await callerOf(emulator, text)("GET", "/user")).status === 200;
    expect([await works(first.access_token), await works(second.access_token)]).toEqual([true, true]);
    const replayed = await token(fields);
    expect([replayed.status, oauthBody(replayed).error]).toEqual([400, "invalid_grant"]);
    expect([await works(first.access_token), await works(second.access_token)]).toEqual([false, false]);
    const late = await token({ grant_type: "refresh_token", refresh_token: second.refresh_token });
    expect(late.status).toBe(400);
  });

  test("revokes the grant of a refresh token that is used again, and no other", async () => {
    const { emulator, token } = await registered();
    const grant = async () =>
      oauthBody(await token({ grant_type: "client_credentials", scope: "USER_INFO" }));
    const [one, other] = [await grant(), await grant()];
    const refresh = (refresh_token: string) => token({ grant_type: "refresh_token", refresh_token });
    const two = oauthBody(await refresh(one.refresh_token));
    const works = async (text: string) => (await callerOf(emulator, text)("GET", "/user")).status === 200;
    expect(await works(two.access_token)).toBe(true);
    expect((await refresh(one.refresh_token)).status).toBe(400);
    expect(await works(two.access_token)).toBe(false);
    expect((await refresh(two.refresh_token)).status).toBe(400);
    expect(await works(other.access_token)).toBe(true);
    expect((await refresh(other.refresh_token)).status).toBe(200);
  });

  test("refuses to redeem a code without PKCE after it was stripped", async () => {
    const { emulator, client, token } = await registered();
    const approve = { user: "owner@example.com", decision: "approve" };
    const { code_challenge: _, code_challenge_method: method, ...stripped } = query(client.client_id);
    const { location } = await authorize(emulator, stripped, approve);
    const response = await token({ ...redemption(location), code_verifier: verifier });
    expect([response.status, oauthBody(response).error]).toEqual([400, "invalid_grant"]);
    const halved = { ...stripped, code_challenge_method: method };
    const back = (await authorize(emulator, halved, approve)).location;
    expect(back?.searchParams.get("error")).toBe("invalid_request");
  });

  test("binds a code to its client and address, and forbids caching of tokens", async () => {
    const { emulator, call, client, token } = await registered();
    const approve = { user: "owner@example.com", decision: "approve" };
    const { location } = await authorize(emulator, query(client.client_id), approve);
    const fields = { ...redemption(location), code_verifier: verifier };
    const other = oauthBody(await call("POST", "/oauth2/register", record));
    const stolen = await token(fields, `${other.client_id}:${other.client_secret}`);
    expect([stolen.status, oauthBody(stolen).error]).toEqual([400, "invalid_grant"]);
    const response = await token(fields);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const { redirect_uri: _, ...unnamed } = query(client.client_id);
    const second = await authorize(emulator, unnamed, approve);
    const elsewhere = { ...redemption(second.location), redirect_uri: "https://tool.example.com/other" };
    expect((await token({ ...elsewhere, code_verifier: verifier })).status).toBe(400);
  });
});
