/** Tests what all endpoints have in common. */
import { describe, expect, test } from "vitest";
import { as, callerOf, make, message, send, start, ws } from "./support.js";

describe("authentication", () => {
  test("accepts a token in the header or the query, and returns 401 without one or with a wrong one", async () => {
    const { emulator } = await start();
    expect((await send(emulator.baseUrl, "GET", "/user", { token: emulator.token })).status).toBe(200);
    expect((await send(emulator.baseUrl, "GET", `/user?access_token=${emulator.token}`)).status).toBe(200);
    const none = await send(emulator.baseUrl, "GET", "/user");
    const wrong = await send(emulator.baseUrl, "GET", "/user", { token: "nonsense" });
    expect([none.status, wrong.status]).toEqual([401, 401]);
    expect(message(none)).toBe("An access token is required.");
    expect(emulator.journal.requests[1]).toMatchObject({
      path: "/user",
      query: "",
      user: "owner@example.com",
    });
  });

  test("refuses a token without the scope, and names the scope", async () => {
    const { emulator } = await start();
    const call = callerOf(emulator, await emulator.createToken({ scopes: ["WORKSPACE", "VARIABLE_INFO"] }));
    expect((await call("GET", `${ws}/variables`)).status).toBe(200);
    const refused = await call("POST", `${ws}/variables`, { key: "A", value: "1" });
    expect(refused.status).toBe(403);
    expect(message(refused)).toBe("Access denied: the token lacks the scope VARIABLE_ADD.");
    expect((await call("GET", "/user")).status).toBe(403);
  });

  test("refuses an expired token with 401", async () => {
    const { emulator } = await start();
    const call = callerOf(emulator, await emulator.createToken({ expiresInSeconds: 60 }));
    expect((await call("GET", "/user")).status).toBe(200);
    await emulator.clock.advance(61_000);
    expect((await call("GET", "/user")).status).toBe(401);
  });

  test("refuses every request with the documented message in a workspace with the API disabled", async () => {
    const { emulator, call } = await start();
    await emulator.setApiEnabled("acme", false);
    for (const path of [ws, `${ws}/projects`, `${ws}/projects/web/pipelines`]) {
      const response = await call("GET", path);
      expect([response.status, message(response)]).toEqual([400, "API is disabled in this workspace."]);
    }
    await emulator.setApiEnabled("acme", true);
    expect((await call("GET", ws)).status).toBe(200);
  });

  test("refuses a user who is no member, and returns 404 for an unknown workspace", async () => {
    const { emulator, call } = await start({
      seed: {
        users: [
          { email: "owner@example.com", name: "O" },
          { email: "zoe@example.com", name: "Zoe" },
        ],
        workspaces: [{ domain: "acme" }],
      },
    });
    const zoe = await as(emulator, "zoe@example.com");
    expect((await zoe("GET", ws)).status).toBe(403);
    expect((await make(zoe, "GET", "/workspaces")).workspaces).toEqual([]);
    expect((await call("GET", "/workspaces/nowhere")).status).toBe(404);
  });
});

describe("URLs", () => {
  test.each(["/", "/nothing", "/workspaces/acme/nothing", "/workspaces/acme/members/abc", "/workspaces/%zz"])(
    "%s is invalid",
    async (path) => {
      const { call } = await start();
      const response = await call("GET", path);
      expect([response.status, message(response)]).toEqual([400, `Invalid url: ${path}`]);
      expect(response.headers.get("x-rate-limit-limit")).toBe("5000");
    },
  );

  test("a known path with another method returns 405 with the allowed methods", async () => {
    const { call } = await start();
    const response = await call("PUT", `${ws}/groups`, { name: "x" });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("GET, POST, OPTIONS");
  });

  test("the base path precedes all paths and is part of the returned URLs", async () => {
    const { emulator, call } = await start({ basePath: "/api" });
    expect(emulator.baseUrl).toMatch(/\/api$/);
    const body = await make(call, "GET", ws);
    expect(body.url).toBe(`${emulator.baseUrl}/workspaces/acme`);
    expect(body.html_url).toBe(`${emulator.baseUrl.replace(/\/api$/, "")}/app/acme`);
    expect(message(await call("GET", "/nothing"))).toBe("Invalid url: /nothing");
  });

  test("HEAD returns the headers of GET without a body", async () => {
    const { call } = await start();
    const get = await call("GET", ws);
    const head = await call("HEAD", ws);
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(head.headers.get("content-length")).toBe(get.headers.get("content-length"));
  });

  test("names in paths may be encoded and long", async () => {
    const { call } = await start();
    const project = await make(call, "POST", `${ws}/projects`, { name: "über shop/1" });
    expect(project.url).toContain("/projects/%C3%BCber%20shop%2F1");
    const again = await call("GET", `${ws}/projects/${encodeURIComponent("über shop/1")}`);
    expect(again.body.name).toBe("über shop/1");
    const long = "x".repeat(300);
    await make(call, "POST", `${ws}/projects`, { name: long });
    expect((await call("GET", `${ws}/projects/${long}`)).status).toBe(200);
    const longest = "\u{1f600}".repeat(512);
    await make(call, "POST", `${ws}/projects`, { name: longest });
    expect((await call("GET", `${ws}/projects/${encodeURIComponent(longest)}`)).status).toBe(200);
    for (const name of [`${longest}x`, ".", "..", "half \ud800"])
      expect((await call("POST", `${ws}/projects`, { name })).status).toBe(400);
  });
});

describe("rate limits", () => {
  test("are reported in every response, and exceeding them returns the documented 403", async () => {
    const { emulator, call } = await start({ rateLimit: 3, rateWindowSeconds: 100 });
    const observed = [];
    for (let i = 0; i < 4; i++) {
      const response = await call("GET", "/user");
      observed.push([response.status, response.headers.get("x-rate-limit-remaining")]);
    }
    expect(observed).toEqual([
      [200, "2"],
      [200, "1"],
      [200, "0"],
      [403, "0"],
    ]);
    const last = await call("GET", "/nothing");
    expect(message(last)).toBe("Rate limit exceeded.");
    const reset = Number(last.headers.get("x-rate-limit-reset"));
    expect(reset - emulator.clock.now() / 1000).toBeGreaterThan(90);
    await emulator.clock.advance(101_000);
    expect((await call("GET", "/user")).status).toBe(200);
  });

  test("apply to each user separately", async () => {
    const { emulator, call } = await start({ rateLimit: 1 });
    await make(call, "GET", "/user");
    expect((await call("GET", "/user")).status).toBe(403);
    await emulator.edit({ method: "POST", path: `${ws}/members`, body: { email: "bob@example.com" } });
    const bob = await as(emulator, "bob@example.com");
    expect((await bob("GET", "/user")).status).toBe(200);
  });

  test("are 5000 requests by default", async () => {
    const { call } = await start();
    const { headers } = await call("GET", "/user");
    expect(headers.get("x-rate-limit-limit")).toBe("5000");
    expect(headers.get("x-rate-limit-remaining")).toBe("4999");
  });
});

describe("lists", () => {
  test("have pages of 20 items by default, up to the server's maximum, and end with an empty page", async () => {
    const { call } = await start({ maxPerPage: 30 });
    for (let i = 0; i < 35; i++)
      await make(call, "POST", `${ws}/projects`, { name: `p${String(i).padStart(2, "0")}` });
    const size = async (query: string) => (await make(call, "GET", `${ws}/projects${query}`)).projects.length;
    expect(await size("")).toBe(20);
    expect(await size("?per_page=7")).toBe(7);
    expect(await size("?per_page=1000")).toBe(30);
    expect(await size("?per_page=1000&page=2")).toBe(5);
    expect(await size("?page=3")).toBe(0);
    const names = async (query: string) =>
      (await make(call, "GET", `${ws}/projects${query}`)).projects.map(({ name }) => name);
    expect(await names("?sort_by=name&sort_direction=DESC&per_page=2")).toEqual(["p34", "p33"]);
    expect(await names("?sort_by=create_date&sort_direction=ASC&per_page=2&page=2")).toEqual(["p02", "p03"]);
  });

  test.each([
    "page=0",
    "page=x",
    "per_page=-1",
    "page=1.5",
    "sort_by=color",
    "sort_direction=UP",
    "status=GONE",
  ])("refuse %s and name the parameter", async (query) => {
    const { call } = await start();
    const response = await call("GET", `${ws}/projects?${query}`);
    expect([response.status, message(response)]).toEqual([
      400,
      `Value of '${query.split("=")[0] ?? ""}' cannot be empty.`,
    ]);
  });

  test("without documented paging are complete, but end for a client that pages", async () => {
    const { call } = await start();
    for (let i = 0; i < 25; i++) await make(call, "POST", `${ws}/groups`, { name: `g${i}` });
    expect((await make(call, "GET", `${ws}/groups`)).groups).toHaveLength(25);
    expect((await make(call, "GET", `${ws}/groups?page=2&per_page=20`)).groups).toHaveLength(5);
    expect((await make(call, "GET", `${ws}/groups?page=3&per_page=20`)).groups).toHaveLength(0);
  });
});

describe("request bodies", () => {
  test("are refused with the documented error if they are not JSON objects", async () => {
    const { emulator, call } = await start();
    const post = (body: string, type = "application/json") =>
      send(emulator.baseUrl, "POST", `${ws}/groups`, {
        token: emulator.token,
        body,
        headers: { "content-type": type },
      });
    expect(message(await post("{"))).toBe("The request body is not valid JSON.");
    expect(message(await post("[]"))).toBe("The request body must be a JSON object.");
    expect(message(await post('"x"'))).toBe("The request body must be a JSON object.");
    expect(message(await post("null"))).toBe("The request body must be a JSON object.");
    expect((await post("<x/>", "text/xml")).status).toBe(415);
    const empty = await call("POST", `${ws}/groups`);
    expect([empty.status, message(empty)]).toEqual([400, "Value of 'name' cannot be empty."]);
    expect((await make(call, "GET", `${ws}/groups`)).groups).toEqual([]);
  });

  test("may have unknown fields, unless bodies are strict", async () => {
    const { emulator, call } = await start({ strictBodies: false });
    expect((await call("POST", `${ws}/groups`, { name: "QA", color: "red" })).status).toBe(201);
    emulator.settings.strictBodies = true;
    const refused = await call("POST", `${ws}/groups`, { name: "QA", color: "red" });
    expect([refused.status, message(refused)]).toEqual([400, "Unknown field 'color'."]);
  });

  test("may be missing in a DELETE request with a JSON content type", async () => {
    const { emulator, call } = await start();
    const { id } = await make(call, "POST", `${ws}/groups`, { name: "QA" });
    const response = await send(emulator.baseUrl, "DELETE", `${ws}/groups/${id}`, {
      token: emulator.token,
      headers: { "content-type": "application/json" },
    });
    expect([response.status, response.text]).toEqual([204, ""]);
  });
});

describe("connections", () => {
  test("stay open for more than a minute when idle", async () => {
    const { call } = await start();
    const [, seconds] = /timeout=(\d+)/.exec((await call("GET", ws)).headers.get("keep-alive") ?? "") ?? [];
    expect(Number(seconds)).toBeGreaterThan(60);
  });

  test("are closed after pending requests; a second close is harmless", async () => {
    const { emulator, call } = await start({ latencyMs: 150 });
    const slow = call("POST", `${ws}/groups`, { name: "QA" });
    // Waits until the request arrives.
    while (emulator.journal.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    await Promise.all([emulator.close(), emulator.close()]);
    expect((await slow).status).toBe(201);
    await expect(call("GET", ws)).rejects.toThrow();
  });
});

describe("browsers", () => {
  test("may call from any origin, and a preflight returns the media type", async () => {
    const { emulator } = await start();
    const response = await send(emulator.baseUrl, "OPTIONS", `${ws}/projects`, {
      headers: { origin: "https://example.org", "access-control-request-method": "POST" },
    });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-credentials": "true",
      "access-control-allow-headers": "Content-Type, Authorization",
      "x-workspace-automation-media-type": "workspace-automation.v1.0.0",
      allow: "GET, POST, OPTIONS",
    });
    const refused = await send(emulator.baseUrl, "GET", "/user");
    expect(refused.headers.get("access-control-allow-origin")).toBe("*");
  });
});
