/** Tests hostile bodies, paths and headers. */
import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { matchesWildcard } from "../../emulator/executions.js";
import { startEmulator } from "../../emulator/index.js";
import { createFixtures } from "./hostile.js";
import { raw } from "./raw.js";
import { callerOf, make, message, send, start, ws } from "./support.js";

const P = `${ws}/projects/web/repository`;

describe("request bodies", () => {
  test.each([
    ["lists", "[", "]"],
    ["objects", '{"a":', "}"],
  ])("with nested %s are accepted up to 100 levels", async (_, open, close) => {
    const { emulator, call } = await start({ strictBodies: false });
    const { pipelineId } = await createFixtures(emulator);
    const path = `${ws}/projects/web/pipelines/${pipelineId}/actions`;
    const ask = (levels: number) =>
      send(emulator.baseUrl, "POST", path, {
        token: emulator.token,
        // The body itself is one level.
        body: `{"name":"a","type":"OTHER","trigger_time":"ON_FAILURE","x":${open.repeat(levels - 1)}"]}\\""${close.repeat(levels - 1)}}`,
      });
    expect((await ask(100)).status).toBe(201);
    for (const levels of [101, 200_000]) {
      const refused = await ask(levels);
      expect([refused.status, message(refused)]).toEqual([
        400,
        "The request body is nested deeper than 100 levels.",
      ]);
    }
    expect((await call("GET", path)).body.actions).toHaveLength(1);
  });

  test.each([
    ["POST", `${ws}/groups`, "text/plain", '{"name":"QA"}'],
    ["POST", `${ws}/groups`, "application/xml", "<name/>"],
    ["POST", `${ws}/groups`, "application/x-www-form-urlencoded", "name=QA"],
    ["DELETE", `${ws}/groups/1`, "text/plain", "x"],
    ["POST", "/oauth2/token", "application/json", "{}"],
    ["POST", "/oauth2/token", "text/plain", "grant_type=refresh_token"],
  ])(
    "are refused: %s %s with type %s returns 415 and names the correct type",
    async (method, path, type, body) => {
      const { emulator } = await start();
      const response = await send(emulator.baseUrl, method, path, {
        token: emulator.token,
        headers: { "content-type": type },
        body,
      });
      const wanted = path.startsWith("/oauth2") ? "application/x-www-form-urlencoded" : "application/json";
      expect([response.status, message(response)]).toEqual([415, `The request body must be ${wanted}.`]);
    },
  );
});

describe("paths in a repository", () => {
  test.each([
    ["C:\\x"],
    ["C:x"],
    ["a\\b"],
    ["a\0b"],
    ["a\nb"],
    ["half \ud800"],
    ["a/../b"],
    ["a/./b"],
    ["a/.GIT/b"],
    [".git./b"],
    [".g\u200cit/b"],
    ["git~1"],
    [".git::$INDEX_ALLOCATION/b"],
    ["a".repeat(256)],
    ["a/".repeat(100) + "a"],
  ])("are refused without a change: %j", async (path) => {
    const { emulator, call } = await start();
    await createFixtures(emulator);
    const response = await call("POST", `${P}/contents`, { path, content: "eA==", message: "m" });
    expect([response.status, message(response)]).toEqual([400, "Value of 'path' cannot be empty."]);
    expect((await make(call, "GET", `${P}/commits`)).commits).toHaveLength(1);
    expect((await make(call, "GET", `${P}/contents`)).contents).toHaveLength(1);
  });

  test("cannot leave the repository through a revision or a branch", async () => {
    const { emulator, call } = await start();
    await createFixtures(emulator);
    await make(call, "POST", `${ws}/projects`, { name: "other" });
    const file = { path: "a", content: "eA==", message: "m" };
    await make(call, "POST", `${ws}/projects/other/repository/contents`, file);
    const [one, two] = [`${ws}/projects/web/repository`, `${ws}/projects/other/repository`];
    for (let id = 1; id < 60; id++) {
      const outside = encodeURIComponent(`../../../${id}.git/refs/heads/main`);
      expect((await call("GET", `${one}/branches/${outside}`)).status).toBe(404);
      expect((await call("DELETE", `${one}/branches/${outside}?force=true`)).status).toBe(404);
      expect((await call("GET", `${one}/commits/${outside}`)).status).toBe(404);
    }
    const endless = encodeURIComponent("../../../../../../../../../../dev/zero");
    expect(
      (await raw(emulator.baseUrl, { ...get(emulator.token), path: `${one}/commits/${endless}` })).status,
    ).toBe(404);
    for (const repository of [one, two])
      expect((await make(call, "GET", `${repository}/branches/main`)).commit).not.toBeNull();
  });

  test("a user name cannot corrupt a commit: git fsck reports no problem", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "emulator-hostile-"));
    const emulator = await startEmulator({ dataDir });
    try {
      const call = callerOf(emulator, emulator.token);
      await make(call, "PATCH", "/user", { name: "A <b@c>\nparent 0000\0" });
      await make(call, "POST", `${ws}/projects`, { name: "web" });
      const file = { path: "a", content: "eA==", message: "m" };
      const { commit } = await make(call, "POST", `${P}/contents`, file);
      const [project] = await import("node:fs/promises").then((fs) =>
        fs.readdir(join(dataDir, "repositories")),
      );
      const gitdir = join(dataDir, "repositories", project ?? "");
      const fsck = await promisify(execFile)("git", ["--git-dir", gitdir, "fsck", "--strict"]);
      expect(fsck.stdout + fsck.stderr).not.toMatch(/error|warning/);
      expect((await make(call, "GET", `${P}/commits/${commit.revision}`)).message).toBe("m");
    } finally {
      await emulator.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  const get = (token: string) => ({ method: "GET", headers: { authorization: `Bearer ${token}` } });
});

test.each([
  ["main", "main", true],
  ["main", "mainx", false],
  ["*", "", true],
  ["a*", "a", true],
  ["a*a", "a", false],
  ["a*a", "aa", true],
  ["feature/*", "feature/a/b", true],
  ["*-fix", "a-fix-fix", true],
  ["a*b*c", "axxbyyc", true],
  ["a*b*c", "axxcyyb", false],
  ["*ab*ab", "ab", false],
  ["*.*", "a.b", true],
  ["a**b", "ab", true],
  ["a.c", "abc", false],
])("the wildcard %s against %s: %s", (pattern, text, expected) => {
  expect(matchesWildcard(pattern, text)).toBe(expected);
});

test("a wildcard with many stars is matched quickly", () => {
  const began = performance.now();
  expect(matchesWildcard(`${"*a".repeat(5000)}b`, "a".repeat(100_000))).toBe(false);
  expect(performance.now() - began).toBeLessThan(1000);
});
