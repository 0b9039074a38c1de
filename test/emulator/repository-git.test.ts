/** Tests that git can clone repositories. */
import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { base64, messages, P, withProject } from "./repository-support.js";
import { as, callerOf, make, seedMember, start, ws } from "./support.js";

const run = promisify(execFile);

describe("the repository of a project", () => {
  test("can be cloned by git, which finds the same hashes", async () => {
    const { emulator, call, add } = await withProject();
    await add("src/a.txt", "one\n");
    await add("b.txt", "two\n");
    const { commit } = await make(call, "PUT", `${P}/contents/b.txt`, {
      content: base64("2\n"),
      message: "Edit",
    });
    await make(call, "POST", `${P}/branches`, { name: "feature/x", commit: { revision: "HEAD" } });
    const directory = await mkdtemp(join(tmpdir(), "clone-"));
    try {
      const { http_repository } = await make(call, "GET", `${ws}/projects/web`);
      const address = http_repository.replace("//", `//x:${emulator.token}@`);
      await run("git", ["clone", "-q", address, directory]);
      const git = async (...args: string[]) => (await run("git", ["-C", directory, ...args])).stdout.trim();
      expect(await git("rev-parse", "HEAD")).toBe(commit.revision);
      expect(await git("fsck", "--strict")).toBe("");
      const { commits } = await make(call, "GET", `${P}/commits`);
      expect((await git("log", "--format=%H")).split("\n")).toEqual(commits.map(({ revision }) => revision));
      expect(await git("branch", "-r")).toContain("origin/feature/x");
      expect(await readFile(join(directory, "b.txt"), "utf8")).toBe("2\n");
      await expect(run("git", ["ls-remote", http_repository.replace("//", "//x:wrong@")])).rejects.toThrow();
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

  test("loses none of many concurrent writes", async () => {
    const { call, add } = await withProject();
    await Promise.all(Array.from({ length: 20 }, (_, i) => add(`f${i}.txt`, String(i))));
    expect((await make(call, "GET", `${P}/contents?per_page=100`)).contents).toHaveLength(20);
    expect(await messages(call, "?per_page=100")).toHaveLength(20);
  });
});

describe("access to the repository", () => {
  test.each([
    ["DENIED", 403, 403],
    ["READ_ONLY", 200, 403],
    ["READ_WRITE", 200, 201],
  ])("follows the access level %s", async (level, read, write) => {
    const { emulator } = await start({
      seed: seedMember({ repository: level }),
    });
    const bob = await as(emulator, "bob@example.com");
    for (const path of ["branches", "tags", "pulls", "commits", "contents", "branches/main"]) {
      expect((await bob("GET", `${P}/${path}`)).status).toBe(read);
    }
    expect(
      (await bob("POST", `${P}/contents`, { path: "a", content: base64("x"), message: "m" })).status,
    ).toBe(write);
  });

  test("requires the scopes for reading and writing", async () => {
    const { emulator, call } = await withProject();
    const reader = callerOf(
      emulator,
      await emulator.createToken({ scopes: ["WORKSPACE", "REPOSITORY_READ"] }),
    );
    expect((await reader("GET", `${P}/branches`)).status).toBe(200);
    expect(
      (await reader("POST", `${P}/contents`, { path: "a", content: base64("x"), message: "m" })).status,
    ).toBe(403);
    const writer = callerOf(
      emulator,
      await emulator.createToken({ scopes: ["WORKSPACE", "REPOSITORY_WRITE"] }),
    );
    expect((await writer("GET", `${P}/branches`)).status).toBe(403);
    expect((await make(call, "GET", `${P}/commits`)).commits).toEqual([]);
  });
});
