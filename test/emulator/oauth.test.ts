/** Tests emulator/oauth.ts. */
import { describe, expect, test } from "vitest";
import { form, oauthBody, record, registered } from "./oauth-support.js";
import { callerOf, make, message, send, start, ws } from "./support.js";

describe("a client registration", () => {
  test("returns a secret and a registration token once; later reads return neither", async () => {
    const { emulator, response, client } = await registered();
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({ ...record, client_secret_expires_at: 0 });
    const own = callerOf(emulator, client.registration_access_token);
    const path = client.registration_client_uri.slice(emulator.baseUrl.length);
    const read = await own("GET", path);
    expect(read.body).toMatchObject({ ...record, client_id: client.client_id });
    expect(read.body).not.toHaveProperty("client_secret");
    expect(read.body).not.toHaveProperty("registration_access_token");
  });

  test("requires a valid token and valid values", async () => {
    const { emulator, call } = await start();
    const anonymous = await send(emulator.baseUrl, "POST", "/oauth2/register", { body: record });
    expect([anonymous.status, oauthBody(anonymous).error]).toEqual([401, "invalid_token"]);
    for (const [more, error] of [
      [{ client_name: "" }, "invalid_request"],
      [{ grant_types: ["password"] }, "invalid_client_metadata"],
      [{ response_types: ["token"] }, "invalid_client_metadata"],
      [{ redirect_uris: [] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["javascript:alert(1)"] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["http://tool.example.com/back"] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["https://tool.example.com/back#"] }, "invalid_redirect_uri"],
      [{ redirect_uris: ["tool:/back"] }, "invalid_redirect_uri"],
      [{ token_expires_in: "600" }, "invalid_request"],
    ] as const) {
      const response = await call("POST", "/oauth2/register", { ...record, ...more });
      expect([response.status, oauthBody(response).error]).toEqual([400, error]);
      expect(typeof message(response)).toBe("string");
    }
  });

  test("can be changed and deleted only with its own token; a deletion revokes the client's tokens", async () => {
    const { emulator, call, client, token } = await registered();
    const path = `/oauth2/register/${client.client_id}`;
    const own = callerOf(emulator, client.registration_access_token);
    expect((await call("PATCH", path, { description: "x" })).status).toBe(401);
    expect((await send(emulator.baseUrl, "GET", path)).status).toBe(401);
    expect((await own("GET", "/oauth2/register/unknown")).status).toBe(404);
    expect(await make(own, "PATCH", path, { client_name: "renamed" })).toMatchObject({
      ...record,
      client_name: "renamed",
    });
    expect((await own("PATCH", path, { redirect_uris: ["nonsense"] })).status).toBe(400);
    const access = oauthBody(
      await token({ grant_type: "client_credentials", scope: "USER_INFO" }),
    ).access_token;
    await make(own, "DELETE", path);
    expect((await own("GET", path)).status).toBe(404);
    expect((await callerOf(emulator, access)("GET", "/user")).status).toBe(401);
  });
});

describe("tokens", () => {
  test("of a client itself have the requested scopes and the client's lifetime", async () => {
    const { emulator, token } = await registered();
    const response = await token({ grant_type: "client_credentials", scope: "WORKSPACE USER_INFO" });
    expect(response.body).toMatchObject({ token_type: "Bearer", expires_in: 600 });
    const call = callerOf(emulator, oauthBody(response).access_token);
    expect((await call("GET", "/user")).status).toBe(200);
    expect((await call("GET", ws)).status).toBe(200);
    expect((await call("GET", "/user/keys")).status).toBe(403);
    await emulator.clock.advance(601_000);
    expect((await call("GET", "/user")).status).toBe(401);
  });

  test("require client credentials in the header or the form; wrong or missing ones return 401", async () => {
    const { emulator, client, token } = await registered();
    const fields = { grant_type: "client_credentials", scope: "WORKSPACE" };
    const { client_id, client_secret } = client;
    const inForm = await form(emulator, "/oauth2/token", { ...fields, client_id, client_secret });
    expect(inForm.status).toBe(200);
    for (const response of [
      await form(emulator, "/oauth2/token", fields),
      await form(emulator, "/oauth2/token", { ...fields, client_id, client_secret: "wrong" }),
      await token(fields, `${client_id}:wrong`),
      await token(fields, "unknown:secret"),
      await token(fields, "no colon"),
    ]) {
      expect([response.status, oauthBody(response).error]).toEqual([401, "invalid_client"]);
    }
  });

  test("accept a Basic header with and without the escapes of forms, whatever the secret has", async () => {
    const printable = Array.from({ length: 95 }, (_, at) => String.fromCharCode(32 + at)).join("");
    const client_id = "my-app:1 %41+";
    const { emulator } = await start({
      seed: {
        users: [{ email: "owner@example.com", name: "Olga Owner", tokens: [{}] }],
        workspaces: [{ domain: "acme" }],
        oauth_clients: [
          { client_id, client_secret: printable },
          { client_id: "plain-app", client_secret: printable },
        ],
      },
    });
    const fields = { grant_type: "client_credentials", scope: "WORKSPACE" };
    const escape = (text: string) => new URLSearchParams({ text }).toString().slice("text=".length);
    const statusOf = async (basic: string) => (await form(emulator, "/oauth2/token", fields, basic)).status;
    expect(await statusOf(`${escape(client_id)}:${escape(printable)}`)).toBe(200);
    expect(await statusOf(`${encodeURIComponent(client_id)}:${encodeURIComponent(printable)}`)).toBe(200);
    expect(await statusOf(`plain-app:${printable}`)).toBe(200);
    expect(await statusOf(`plain-app:${escape(escape(printable))}`)).toBe(401);
  });

  test("are refused for an incomplete or invalid request, with the error codes of RFC 6749", async () => {
    const { emulator, client, token } = await registered();
    for (const [fields, error] of [
      [{}, "invalid_request"],
      [{ grant_type: "client_credentials" }, "invalid_request"],
      [{ grant_type: "client_credentials", scope: "EVERYTHING" }, "invalid_scope"],
      [{ grant_type: "authorization_code" }, "invalid_request"],
      [{ grant_type: "authorization_code", code: "nonsense" }, "invalid_grant"],
      [{ grant_type: "refresh_token" }, "invalid_request"],
      [{ grant_type: "refresh_token", refresh_token: "nonsense" }, "invalid_grant"],
      [{ grant_type: "password" }, "unsupported_grant_type"],
    ] as const) {
      const response = await token(fields);
      expect([response.status, oauthBody(response).error]).toEqual([400, error]);
    }
    const json = await send(emulator.baseUrl, "POST", "/oauth2/token", {
      body: { grant_type: "client_credentials" },
    });
    expect(json.status).toBe(415);
    const own = callerOf(emulator, client.registration_access_token);
    await make(own, "PATCH", `/oauth2/register/${client.client_id}`, { grant_types: ["authorization_code"] });
    const refused = await token({ grant_type: "client_credentials", scope: "WORKSPACE" });
    expect([refused.status, oauthBody(refused).error]).toEqual([400, "unauthorized_client"]);
  });

  test("can be refreshed once, with the same or fewer scopes, until the refresh token expires", async () => {
    const { emulator, token } = await registered();
    const first = oauthBody(await token({ grant_type: "client_credentials", scope: "WORKSPACE USER_INFO" }));
    const refresh = (refresh_token: string, more = {}) =>
      token({ grant_type: "refresh_token", refresh_token, ...more });
    expect(oauthBody(await refresh(first.refresh_token, { scope: "USER_KEY" })).error).toBe("invalid_scope");
    const second = oauthBody(await refresh(first.refresh_token, { scope: "WORKSPACE" }));
    expect((await callerOf(emulator, second.access_token)("GET", ws)).status).toBe(200);
    expect((await callerOf(emulator, second.access_token)("GET", "/user")).status).toBe(403);
    expect((await refresh(first.refresh_token)).status).toBe(400);
    await emulator.clock.advance(31 * 24 * 3600 * 1000);
    expect((await refresh(second.refresh_token)).status).toBe(400);
  });

  test("of other kinds, for refresh or registration, do not authorize API requests", async () => {
    const { emulator, client, token } = await registered();
    const { refresh_token } = oauthBody(
      await token({ grant_type: "client_credentials", scope: "USER_INFO" }),
    );
    expect((await callerOf(emulator, refresh_token)("GET", "/user")).status).toBe(401);
    expect((await callerOf(emulator, client.registration_access_token)("GET", "/user")).status).toBe(401);
  });
});

describe("revocation", () => {
  test("revokes an access token alone, a refresh token with its grant, and accepts unknown tokens", async () => {
    const { emulator, client, basic, token } = await registered();
    const grant = async () =>
      oauthBody(await token({ grant_type: "client_credentials", scope: "USER_INFO" }));
    const works = async (access: string) => (await callerOf(emulator, access)("GET", "/user")).status === 200;
    const one = await grant();
    expect((await form(emulator, "/oauth2/revoke", { token: one.access_token }, basic)).status).toBe(200);
    expect(await works(one.access_token)).toBe(false);
    expect((await token({ grant_type: "refresh_token", refresh_token: one.refresh_token })).status).toBe(200);
    const two = await grant();
    const hint = { token: two.refresh_token, token_type_hint: "refresh_token", client_id: client.client_id };
    expect((await form(emulator, "/oauth2/revoke", hint)).status).toBe(200);
    expect(await works(two.access_token)).toBe(false);
    expect((await form(emulator, "/oauth2/revoke", { access_token: "unknown" }, basic)).status).toBe(200);
    const three = await grant();
    expect((await form(emulator, "/oauth2/revoke", { access_token: three.access_token }, basic)).status).toBe(
      200,
    );
    expect(await works(three.access_token)).toBe(false);
  });

  test("requires a token and a known client", async () => {
    const { emulator, client, basic } = await registered();
    expect((await form(emulator, "/oauth2/revoke", {}, basic)).status).toBe(400);
    expect(
      (await form(emulator, "/oauth2/revoke", { token: "x", token_type_hint: "id" }, basic)).status,
    ).toBe(400);
    expect((await form(emulator, "/oauth2/revoke", { token: "x" })).status).toBe(401);
    expect((await form(emulator, "/oauth2/revoke", { token: "x" }, `${client.client_id}:no`)).status).toBe(
      401,
    );
    expect((await form(emulator, "/oauth2/revoke", { token: emulator.token }, basic)).status).toBe(200);
    expect((await callerOf(emulator, emulator.token)("GET", "/user")).status).toBe(200);
  });
});
