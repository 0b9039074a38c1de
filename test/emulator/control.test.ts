/** Tests emulator/control.ts. */
import { describe, expect, test } from "vitest";
import { chooseBehavior, defaultSettings } from "../../emulator/index.js";
import { as, make, send, start, ws } from "./support.js";

describe("faults", () => {
  test("a status fault applies to matching requests, and only as often as requested", async () => {
    const { emulator, call } = await start();
    emulator.faults.add({ kind: "status", status: 503, method: "POST", path: `${ws}/groups`, count: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await call("POST", `${ws}/groups`, { name: `g${i}` })).status);
    expect(statuses).toEqual([503, 503, 201]);
    expect((await make(call, "GET", `${ws}/groups`)).groups).toHaveLength(1);
  });

  test("a reset before the request leaves no object, and a reset after it leaves the object", async () => {
    const { emulator, call } = await start();
    emulator.faults.add({ kind: "reset-before", method: "POST" });
    await expect(call("POST", `${ws}/groups`, { name: "a" })).rejects.toThrow();
    expect((await make(call, "GET", `${ws}/groups`)).groups).toEqual([]);
    emulator.faults.add({ kind: "reset-after", method: "POST", path: /groups$/ });
    await expect(call("POST", `${ws}/groups`, { name: "b" })).rejects.toThrow();
    expect((await make(call, "GET", `${ws}/groups`)).groups.map(({ name }) => name)).toEqual(["b"]);
    expect(emulator.journal.requests.map(({ method, status }) => [method, status])).toEqual([
      ["POST", 0],
      ["GET", 200],
      ["POST", 0],
      ["GET", 200],
    ]);
  });

  test("an object exists before its delayed response arrives", async () => {
    const { emulator, call } = await start();
    emulator.faults.add({ kind: "delay-after", method: "POST", delayMs: 1000 });
    let arrived = false;
    const late = call("POST", `${ws}/groups`, { name: "a" }).finally(() => (arrived = true));
    while ((await make(call, "GET", `${ws}/groups`)).groups.length === 0);
    expect(arrived).toBe(false);
    expect((await late).status).toBe(201);
  });

  test("garbage and truncated responses break the client, and a delayed response arrives later", async () => {
    const { emulator, call } = await start();
    emulator.faults.add({ kind: "garbage", method: "POST" });
    await expect(call("POST", `${ws}/groups`, { name: "a" })).rejects.toThrow(SyntaxError);
    emulator.faults.add({ kind: "truncated" });
    await expect(call("GET", `${ws}/groups`)).rejects.toThrow();
    emulator.faults.add({ kind: "delay", delayMs: 80 });
    const began = performance.now();
    expect((await make(call, "GET", `${ws}/groups`)).groups).toHaveLength(1);
    expect(performance.now() - began).toBeGreaterThan(75);
    expect(emulator.faults.pending).toEqual([]);
  });
});

describe("the control handle", () => {
  test("lists requests in the journal, with their status and user", async () => {
    const { emulator, call } = await start();
    await call("GET", `${ws}/projects?page=2&access_token=zzz`);
    await call("POST", `${ws}/groups`, { name: "QA" });
    await send(emulator.baseUrl, "GET", "/user");
    expect(emulator.journal.requests.map(({ at: _, ...entry }) => entry)).toEqual([
      { method: "GET", path: `${ws}/projects`, query: "page=2", status: 200, user: "owner@example.com" },
      { method: "POST", path: `${ws}/groups`, query: "", status: 201, user: "owner@example.com" },
      { method: "GET", path: "/user", query: "", status: 401, user: null },
    ]);
    expect(emulator.journal.writes()).toHaveLength(1);
    emulator.journal.clear();
    expect(emulator.journal.requests).toEqual([]);
  });

  test("edits the workspace without a trace in the journal or the rate limit", async () => {
    const { emulator, call } = await start();
    const edited = await emulator.edit({ method: "POST", path: `${ws}/groups`, body: { name: "QA" } });
    expect(edited.status).toBe(201);
    expect(emulator.journal.requests).toEqual([]);
    const response = await call("GET", `${ws}/groups`);
    expect(response.body.groups).toHaveLength(1);
    expect(response.headers.get("x-rate-limit-remaining")).toBe("4999");
  });

  test("resets everything but the token", async () => {
    const { emulator, call } = await start();
    const { token } = emulator;
    await make(call, "POST", `${ws}/groups`, { name: "QA" });
    await emulator.reset();
    expect(emulator.token).toBe(token);
    expect((await make(call, "GET", `${ws}/groups`)).groups).toEqual([]);
    expect(emulator.journal.requests).toHaveLength(1);
  });

  test("sets a user's remaining requests", async () => {
    const { emulator, call } = await start();
    emulator.setRemaining(1);
    expect((await call("GET", "/user")).headers.get("x-rate-limit-remaining")).toBe("0");
    expect((await call("GET", "/user")).status).toBe(403);
  });

  test("is independent of that of other emulators", async () => {
    const us = await start({ seed: { users: [{ email: "u@example.com" }], workspaces: [{ domain: "us" }] } });
    const eu = await start({ seed: { users: [{ email: "e@example.com" }], workspaces: [{ domain: "eu" }] } });
    expect([us.emulator.workspace, eu.emulator.workspace]).toEqual(["us", "eu"]);
    expect((await us.call("GET", "/workspaces/eu")).status).toBe(404);
    expect((await send(eu.emulator.baseUrl, "GET", "/user", { token: us.emulator.token })).status).toBe(401);
    const other = await as(eu.emulator, "e@example.com");
    expect((await other("GET", "/workspaces/eu")).status).toBe(200);
  });
});

describe("the control interface over HTTP", () => {
  const origin = (emulator: { baseUrl: string }) => new URL(emulator.baseUrl).origin;

  test("is disabled by default", async () => {
    const { emulator } = await start();
    const response = await send(origin(emulator), "GET", "/_control/journal");
    expect([response.status, response.body.errors[0]?.message]).toEqual([
      400,
      "Invalid url: /_control/journal",
    ]);
  });

  test("ends a path pattern that backtracks, and removes its fault", async () => {
    const { emulator, call } = await start({ control: true });
    const body = { kind: "status", status: 502, path_pattern: "^/([a-z]+)+$" };
    await send(origin(emulator), "POST", "/_control/faults", { body });
    const began = Date.now();
    const slow = await call("GET", `/${"a".repeat(60)}!`);
    expect(slow).toMatchObject({
      status: 500,
      body: { errors: [{ message: expect.stringMatching(/removed: matching/) as string }] },
    });
    expect(Date.now() - began).toBeLessThan(5_000);
    expect((await call("GET", "/user")).status).toBe(200);
  });

  test("supports the operations of the handle: journal, faults, settings, clock, tokens, edits, reset", async () => {
    const { emulator, call } = await start({ control: true, basePath: "/api" });
    const control = async (method: string, path: string, body?: unknown) => {
      const response = await send(origin(emulator), method, `/_control${path}`, { body });
      expect([path, response.status]).toEqual([path, 200]);
      return response.body as unknown as Record<string, unknown>;
    };
    expect(await control("GET", "")).toMatchObject({ baseUrl: emulator.baseUrl, workspace: "acme" });
    await call("GET", "/user");
    expect((await control("GET", "/journal"))["requests"]).toMatchObject([
      { method: "GET", path: "/user", status: 200 },
    ]);
    await control("DELETE", "/journal");
    expect((await control("GET", "/journal"))["requests"]).toEqual([]);
    await control("POST", "/faults", { kind: "status", status: 502, path_pattern: "^/user" });
    expect((await control("GET", "/faults"))["faults"]).toMatchObject([
      { kind: "status", path: "/^\\/user/" },
    ]);
    expect((await call("GET", "/user")).status).toBe(502);
    await control("POST", "/faults", { kind: "status", count: 5 });
    await control("DELETE", "/faults");
    expect((await call("GET", "/user")).status).toBe(200);
    const behavior = { ...chooseBehavior(7), maxPerPage: 9 };
    expect(await control("POST", "/profile", { seed: 7, behavior: { maxPerPage: 9 } })).toMatchObject(
      behavior,
    );
    expect(await control("POST", "/profile", {})).toEqual(defaultSettings);
    await control("PATCH", "/settings", { maxPerPage: 1 });
    expect((await call("GET", `${ws}/members?per_page=9`)).body.members).toHaveLength(1);
    const before = emulator.clock.now();
    await control("POST", "/clock", { advance_seconds: 3600, frozen: true });
    expect(emulator.clock.now() - before).toBeGreaterThanOrEqual(3600_000);
    expect((await control("GET", "/clock"))["frozen"]).toBe(true);
    const { token } = await control("POST", "/tokens", { scopes: ["USER_INFO"] });
    expect((await send(emulator.baseUrl, "GET", ws, { token: token as string })).status).toBe(403);
    expect(
      await control("POST", "/edits", { method: "POST", path: `${ws}/groups`, body: { name: "QA" } }),
    ).toMatchObject({
      status: 201,
      body: { name: "QA" },
    });
    await control("POST", "/api", { domain: "acme", enabled: false });
    expect((await call("GET", ws)).status).toBe(400);
    await control("POST", "/rate-limit", { remaining: 0 });
    expect((await call("GET", "/user")).status).toBe(403);
    await control("POST", "/reset");
    expect((await make(call, "GET", `${ws}/groups`)).groups).toEqual([]);
  });

  test("sets the outcomes of a pipeline's runs", async () => {
    const { emulator, call } = await start({ control: true, actionSeconds: 0 });
    await make(call, "POST", `${ws}/projects`, { name: "web" });
    const pipelines = `${ws}/projects/web/pipelines`;
    const { id } = await make(call, "POST", pipelines, {
      name: "p",
      ref_name: "main",
      trigger_mode: "MANUAL",
    });
    const body = { pipeline_id: id, outcomes: [{ status: "FAILED" }] };
    expect((await send(origin(emulator), "POST", "/_control/outcomes", { body })).status).toBe(200);
    await make(call, "POST", `${pipelines}/${id}/executions`, { to_revision: { revision: "HEAD" } });
    await emulator.clock.advance(1);
    expect((await make(call, "GET", `${pipelines}/${id}`)).last_execution_status).toBe("FAILED");
  });

  test("refuses invalid values with their path, and requests from other origins", async () => {
    const { emulator } = await start({ control: true });
    const wrong = await send(origin(emulator), "POST", "/_control/faults", { body: { kind: "earthquake" } });
    expect(wrong.status).toBe(400);
    expect(wrong.body.errors[0]?.message).toContain("kind");
    const foreign = await send(origin(emulator), "POST", "/_control/reset", {
      headers: { origin: "https://evil.example" },
    });
    expect(foreign.status).toBe(403);
  });
});
