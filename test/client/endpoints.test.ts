/** Tests the method, path and body of each endpoint. */
import nock from "nock";
import { describe, expect, it } from "vitest";
import { rows } from "./endpoint-rows.js";
import { endAfterFirstPage, host, mockedClient, useNock } from "./helpers.js";

useNock();

/* Sends a request to every endpoint of the specification. */

it.each(rows)("%s", async (endpoint, call, answer, body) => {
  const [method = "", target = ""] = endpoint.split(" ");
  const scope = nock(host, { reqheaders: { authorization: "Bearer the-token", accept: "application/json" } });
  const request = scope.intercept(`/api${target}`, method, body as nock.DataMatcherMap | undefined);
  if (answer) request.reply(200, answer);
  else request.reply(204);
  const [array] = Object.entries(answer ?? {}).find(([, value]) => Array.isArray(value)) ?? [];
  if (array !== undefined) endAfterFirstPage(`/api${target.split("?")[0] ?? ""}`, array);
  expect(await call(mockedClient({ token: "the-token" }))).toEqual(answer ?? true);
});

describe("the registration of OAuth clients", () => {
  const registration = {
    client_name: "ci",
    redirect_uris: ["https://ci.example.com"],
    grant_types: ["client_credentials" as const],
    response_types: ["code" as const],
    token_endpoint_auth_method: "client_secret_basic" as const,
  };

  it("sends the user's token to register", async () => {
    const scope = nock(host, { reqheaders: { authorization: "Bearer mine" } });
    scope.post("/api/oauth2/register", registration).reply(201, { client_id: "c", client_secret: "s" });
    const made = await mockedClient({ token: "mine" }).oauth.register(registration);
    expect(made).toEqual({ client_id: "c", client_secret: "s" });
  });

  it("sends the registration token for all other requests", async () => {
    const scope = nock(host, { reqheaders: { authorization: "Bearer registration" } });
    scope.get("/api/oauth2/register/c").reply(200, { client_id: "c" });
    scope
      .patch("/api/oauth2/register/c", { description: "d" })
      .reply(200, { client_id: "c", description: "d" });
    scope.delete("/api/oauth2/register/c").reply(204);
    const { oauth } = mockedClient({ token: "mine" });
    expect(await oauth.get("c", "registration")).toEqual({ client_id: "c" });
    expect(await oauth.update("c", "registration", { description: "d" })).toMatchObject({ description: "d" });
    await oauth.delete("c", "registration");
  });
});

it("a comparison contains the commits of all pages", async () => {
  const commits = Array.from({ length: 120 }, (_, i) => ({ revision: `r${i}` }));
  for (const [page, size] of [
    [1, 100],
    [2, 99],
  ] as const) {
    nock(host)
      .get(`/api/workspaces/acme/projects/web/repository/comparison/a...b?page=${page}&per_page=${size}`)
      .reply(200, { commits: commits.slice((page - 1) * size, page * size), ahead: 120, behind: 3 });
  }
  const comparison = await mockedClient().comparison.get("acme", "web", "a", "b");
  expect(comparison).toEqual({ commits, ahead: 120, behind: 3 });
});
