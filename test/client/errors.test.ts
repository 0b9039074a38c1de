/** Tests client/errors.ts. */
import { inspect } from "node:util";
import nock from "nock";
import { describe, expect, it } from "vitest";
import { isServiceError } from "../../client/index.js";
import { failure, host, mockedClient, says, useNock } from "./helpers.js";

useNock();

const createGroup = () => mockedClient({ retry: { limit: 0 } }).groups.create("acme", { name: "QA" });

describe("a service error", () => {
  it.each([
    [400, "API is disabled in this workspace.", "api-disabled", /administrator can enable it/],
    [400, "Invalid url: /workspaces/acme/group", "invalid-url", /check the base address/],
    [400, "Value of 'name' cannot be empty.", "invalid-value", /Set 'name' to a value/],
    [400, "Something else.", "invalid-value", /correct what its message names/],
    [400, "A group of this name already exists.", "conflict", /Choose another name/],
    [401, "Wrong authentication data", "unauthorized", /get a new one/],
    [403, "Access denied", "denied", /scope WORKSPACE and the rights of a workspace administrator/],
    [404, "Not found", "not-found", /was deleted, whether the token/],
    [409, "Group exists", "conflict", /already exists/],
  ])("has a code and a remedy: %i %s", async (status, message, code, remedy) => {
    nock(host).post("/api/workspaces/acme/groups").reply(status, says(message));
    const error = await failure(createGroup());
    expect(error).toMatchObject({ code, status, method: "POST", path: "/workspaces/acme/groups" });
    expect(error.message).toMatch(`POST /workspaces/acme/groups: ${status} ${message}`);
    expect(error.message).toMatch(remedy);
    expect(error.serviceMessages).toEqual([message]);
    expect(error.mayHaveBeenApplied).toBe(false);
  });

  it("names the field of an empty value", async () => {
    nock(host).post("/api/workspaces/acme/groups").reply(400, says("Value of 'name' cannot be empty."));
    expect((await failure(createGroup())).field).toBe("name");
  });

  it("names the scopes and rights that a refused request requires", async () => {
    nock(host).delete("/api/workspaces/acme/projects/web").reply(403, says("Access denied"));
    const error = await failure(mockedClient().projects.delete("acme", "web"), "denied");
    expect(error.remedy).toBe(
      "This requires a token with the scopes WORKSPACE and PROJECT_DELETE and the rights of a workspace administrator: use such a token.",
    );
  });

  it.each([
    [401, "<html>Sign on</html>"],
    [403, "<html>Blocked</html>"],
    [403, ""],
    [403, '{"message":"Forbidden"}'],
    [404, "<html>Nothing here</html>"],
    [410, "gone"],
  ])(
    "is that of another server if the response is not in the form of the service: %i %s",
    async (status, page) => {
      nock(host).get("/api/workspaces/acme/projects/web").reply(status, page);
      const error = await failure(mockedClient().projects.get("acme", "web"), "invalid-response");
      expect(error.message).toMatch(
        /: \d+ a response that is not the service's\. A proxy, a firewall or another server/,
      );
    },
  );

  it("names the title of a page, without the token that it repeats, and nothing else of it", async () => {
    const head = "<html><head><title lang='en'>Access blocked:\n ticket 4711 \u001b[31m";
    const page = `${head}(token-of-the-tests)</title></head><body>Secret body</body></html>`;
    nock(host).get("/api/workspaces/acme/projects/web").reply(403, page);
    const client = mockedClient({ token: "token-of-the-tests" });
    const { message } = await failure(client.projects.get("acme", "web"), "invalid-response");
    expect(message).toContain(
      `403 a response that is not the service's: a page with the title "Access blocked: ticket 4711 [31m([secret])". A proxy`,
    );
    expect(message).not.toContain("Secret body");
  });

  it("means that an object is missing also without a body, which the specification does not show", async () => {
    nock(host).get("/api/workspaces/acme/projects/web").reply(404);
    await failure(mockedClient().projects.get("acme", "web"), "not-found");
  });

  it("does not contain the HTML page of a gateway", async () => {
    nock(host).get("/api/user").reply(502, "<html>Bad gateway</html>");
    const error = await failure(mockedClient({ retry: { limit: 0 } }).user.get(), "server");
    expect(error.message).toBe(
      "GET /user: 502 without an error message from the service. The service failed; try again later.",
    );
  });

  it("is thrown for a redirect, which is not followed with the token", async () => {
    const location = "https://ann:secret@sso.example.com/login?ticket=secret#secret";
    nock(host).get("/api/user").reply(302, "", { location });
    const error = await failure(mockedClient().user.get(), "invalid-response");
    expect(error.message).toContain("302 a redirect to https://sso.example.com/login. ");
    expect(error.remedy).toMatch(/check the base address/);
  });

  it("names the login that a proxy asks for", async () => {
    nock(host).get("/api/user").reply(407, "<html>Who are you?</html>");
    const error = await failure(mockedClient().user.get(), "invalid-response");
    expect(error.remedy).toMatch(/^A proxy asks for a login: write its user and password into HTTPS_PROXY/);
  });

  it("is recognized by its code", async () => {
    nock(host).get("/api/user").reply(404, says("Not found"));
    const error: unknown = await mockedClient()
      .user.get()
      .catch((e: unknown) => e);
    expect(isServiceError(error, "not-found")).toBe(true);
    expect(isServiceError(error, "denied", "conflict")).toBe(false);
    expect(isServiceError(new Error("no"))).toBe(false);
  });
});

describe("an invalid response", () => {
  it("is reported with the path of the value, but without the value", async () => {
    nock(host)
      .get("/api/workspaces/acme/groups?page=1&per_page=100")
      .reply(200, {
        groups: [
          { id: 1, name: "QA" },
          { id: "two", name: "Dev" },
        ],
      });
    const error = await failure(mockedClient().groups.list("acme").toArray(), "invalid-response");
    expect(error.message).toMatch(
      "groups[1].id in the response is not what the service documents (expected number)",
    );
    expect(error.message).not.toMatch("two");
  });

  it("is requested again if it is not JSON, since it may come from a proxy", async () => {
    nock(host).get("/api/user").reply(200, "<html>Try again later");
    nock(host).get("/api/user").reply(200, { id: 1 });
    expect(await mockedClient().user.get()).toEqual({ id: 1 });
  });

  it("to a request that must not be repeated is an error at once, and says that it may have had an effect", async () => {
    const path = "/workspaces/acme/projects/web/pipelines/1/executions";
    nock(host).post(`/api${path}`).reply(200, "<html>Try again later");
    const starting = mockedClient().executions.create("acme", "web", 1, {
      to_revision: { revision: "HEAD" },
    });
    expect(await failure(starting, "ambiguous")).toMatchObject({ mayHaveBeenApplied: true });
  });

  it("is reported if it never is JSON", async () => {
    nock(host).get("/api/user").times(5).reply(200, "<html>Sign in to the guest network");
    const error = await failure(mockedClient().user.get(), "invalid-response");
    expect(error.message).toMatch("GET /user: 200 a response that is not the service's. A proxy");
    expect(error.message).not.toMatch("guest");
    nock(host).get("/api/user").times(5).reply(200, "gone fishing");
    const other = await failure(mockedClient().user.get(), "invalid-response");
    expect(other.message).toMatch("GET /user: 200 the response is not JSON.");
  });

  it("may be valid despite unknown fields, which are retained", async () => {
    nock(host)
      .get("/api/user")
      .reply(200, { id: 1, name: null, badge: { color: "blue" } });
    expect(await mockedClient().user.get()).toEqual({ id: 1, name: null, badge: { color: "blue" } });
  });

  it("may be valid despite a wrong type of a field that the client does not use", async () => {
    nock(host).get("/api/user").reply(200, { id: 1, title: 5 });
    expect(await mockedClient().user.get()).toEqual({ id: 1, title: 5 });
  });
});

describe("printing an error", () => {
  const secret = "s3cr3t-value";

  it("shows neither the token nor the body nor the query", async () => {
    nock(host).post("/api/workspaces/acme/variables").reply(400, says("Value of 'key' cannot be empty."));
    const client = mockedClient({ token: "the-token-itself" });
    const error = await failure(
      client.variables.create("acme", { key: "A", value: secret, encrypted: true }),
    );
    for (const text of [error.message, error.stack, JSON.stringify(error), inspect(error, { depth: 9 })]) {
      expect(text).not.toMatch(secret);
      expect(text).not.toMatch("the-token-itself");
    }
  });

  it("shows no token of a client", () => {
    const client = mockedClient({ token: "the-token-itself" });
    expect(inspect(client, { depth: 9, showHidden: true })).not.toMatch("the-token-itself");
  });

  it("shows no token that cannot be sent", () => {
    expect(() => mockedClient({ token: `two\nlines-${secret}` })).toThrow(
      "the token contains invalid characters. Copy the token as the service showed it",
    );
    expect(() => mockedClient({ token: " " })).toThrow("the token is empty");
  });

  it("shows no control characters of a response", async () => {
    nock(host).get("/api/user").reply(404, says("gone\u001b[2J\nfor good"));
    expect((await failure(mockedClient().user.get())).serviceMessages).toEqual(["gone [2J for good"]);
  });
});
