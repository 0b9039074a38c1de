import { describe, expect, test } from "vitest";
import { as, make, send, start, ws } from "./support.js";

describe("faults", () => {
  test("a status instead of the work, as often as asked, only where asked", async () => {
    const { emulator, call } = await start();
    emulator.faults.add({ kind: "status", status: 503, method: "POST", path: `${ws}/groups`, count: 2 });
    const statuses = [];
    for (let i = 0; i < 3; i++) statuses.push((await call("POST", `${ws}/groups`, { name: `g${i}` })).status);
    expect(statuses).toEqual([503, 503, 201]);
    expect((await make(call, "GET", `${ws}/groups`)).groups).toHaveLength(1);
  });

  test("a connection cut before the work leaves nothing, one cut after it leaves the object", async () => {
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

  test("garbage, half an answer, and a delay", async () => {
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

describe("behind the scenes", () => {
  test("the journal tells what was asked and answered, and what wrote", async () => {
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

  test("an outside edit changes the service without a trace in the journal or the rate window", async () => {
    const { emulator, call } = await start();
    const edited = await emulator.edit({ method: "POST", path: `${ws}/groups`, body: { name: "QA" } });
    expect(edited.status).toBe(201);
    expect(emulator.journal.requests).toEqual([]);
    const answer = await call("GET", `${ws}/groups`);
    expect(answer.body.groups).toHaveLength(1);
    expect(answer.headers.get("x-rate-limit-remaining")).toBe("4999");
  });

  test("a reset forgets everything but the token", async () => {
    const { emulator, call } = await start();
    const { token } = emulator;
    await make(call, "POST", `${ws}/groups`, { name: "QA" });
    await emulator.reset();
    expect(emulator.token).toBe(token);
    expect((await make(call, "GET", `${ws}/groups`)).groups).toEqual([]);
    expect(emulator.journal.requests).toHaveLength(1);
  });

  test("a user can be brought near the limit", async () => {
    const { emulator, call } = await start();
    emulator.setRemaining(1);
    expect((await call("GET", "/user")).headers.get("x-rate-limit-remaining")).toBe("0");
    expect((await call("GET", "/user")).status).toBe(403);
  });

  test("several emulators stand side by side", async () => {
    const us = await start({ seed: { users: [{ email: "u@example.com" }], workspaces: [{ domain: "us" }] } });
    const eu = await start({ seed: { users: [{ email: "e@example.com" }], workspaces: [{ domain: "eu" }] } });
    expect([us.emulator.workspace, eu.emulator.workspace]).toEqual(["us", "eu"]);
    expect((await us.call("GET", "/workspaces/eu")).status).toBe(404);
    expect((await send(eu.emulator.baseUrl, "GET", "/user", { token: us.emulator.token })).status).toBe(401);
    const other = await as(eu.emulator, "e@example.com");
    expect((await other("GET", "/workspaces/eu")).status).toBe(200);
  });
});
