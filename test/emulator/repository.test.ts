/** Tests files, commits and branches. */
import { describe, expect, test } from "vitest";
import { base64, messages, P, withProject } from "./repository-support.js";
import { as, make, message, start, ws } from "./support.js";

describe("files", () => {
  test("start with a first commit on the empty default branch", async () => {
    const { call, add } = await withProject();
    expect((await make(call, "GET", `${P}/branches`)).branches).toMatchObject([
      { name: "main", default: true },
    ]);
    expect(await make(call, "GET", `${P}/branches/main`)).toMatchObject({ name: "main", commit: null });
    expect((await make(call, "GET", `${P}/commits`)).commits).toEqual([]);
    expect((await make(call, "GET", `${P}/contents`)).contents).toEqual([]);
    const written = await add("src/deep/app.ts", "let a = 1;\n");
    expect(written.content).toMatchObject({
      content_type: "FILE",
      name: "app.ts",
      path: "src/deep/app.ts",
      encoding: "base64",
      size: 11,
      content: base64("let a = 1;\n"),
    });
    expect(written.commit).toMatchObject({
      message: "Add src/deep/app.ts",
      author: { name: "Olga Owner", email: "owner@example.com" },
      stats: { additions: 1, deletions: 0, total: 1 },
      files: [{ file_name: "src/deep/app.ts", status: "ADDED" }],
      parents: [],
    });
    expect((await make(call, "GET", `${P}/branches/main`)).commit.revision).toBe(written.commit.revision);
    expect((await make(call, "GET", `${ws}/projects/web`)).size).toBe(11);
  });

  test("are read by path at any revision, and folders as lists", async () => {
    const { call, add } = await withProject();
    const first = await add("src/a.txt", "one");
    await add("src/b.txt", "two");
    await make(call, "PUT", `${P}/contents/src/a.txt`, { content: base64("ONE"), message: "Shout" });
    const { contents } = await make(call, "GET", `${P}/contents/src`);
    expect(contents).toMatchObject([
      { name: "a.txt", path: "src/a.txt", content_type: "FILE", size: 3 },
      { name: "b.txt", path: "src/b.txt" },
    ]);
    expect(contents[0]).not.toHaveProperty("content");
    expect((await make(call, "GET", `${P}/contents`)).contents).toMatchObject([
      { name: "src", content_type: "DIR" },
    ]);
    const read = async (query: string) =>
      (await make(call, "GET", `${P}/contents/src/a.txt${query}`)).contents[0].content;
    expect(await read("")).toBe(base64("ONE"));
    expect(await read(`?revision=${first.commit.revision}`)).toBe(base64("one"));
    expect((await call("GET", `${P}/contents/src%2Fa.txt`)).status).toBe(200);
    expect((await call("GET", `${P}/contents/none.txt`)).status).toBe(404);
    expect((await call("GET", `${P}/contents/src?revision=nowhere`)).status).toBe(404);
  });

  test("are created with POST, and changed or deleted with PUT and DELETE", async () => {
    const { call, add } = await withProject();
    await add("a.txt", "one");
    const body = { content: base64("x"), message: "m" };
    expect((await call("POST", `${P}/contents`, { ...body, path: "a.txt" })).status).toBe(409);
    expect((await call("PUT", `${P}/contents/b.txt`, body)).status).toBe(404);
    expect((await call("DELETE", `${P}/contents/b.txt`, { message: "m" })).status).toBe(404);
    const gone = await make(call, "DELETE", `${P}/contents/a.txt`, { message: "Away" });
    expect(gone).toMatchObject({
      message: "Away",
      files: [{ file_name: "a.txt", status: "DELETED", deletions: 1 }],
    });
    expect((await call("GET", `${P}/contents/a.txt`)).status).toBe(404);
  });

  test.each([
    [{ content: undefined }, "content"],
    [{ content: "not base64!" }, "content"],
    [{ message: "" }, "message"],
    [{ path: "../etc/passwd" }, "path"],
    [{ path: ".git/config" }, "path"],
    [{ path: "a//b" }, "path"],
    [{ path: undefined }, "path"],
  ])("with %j are refused because of %s", async (more, field) => {
    const { call } = await withProject();
    const response = await call("POST", `${P}/contents`, {
      path: "a",
      content: base64("x"),
      message: "m",
      ...more,
    });
    expect([response.status, message(response)]).toEqual([400, `Value of '${field}' cannot be empty.`]);
  });

  test("cannot replace a folder, nor a folder a file", async () => {
    const { call, add } = await withProject();
    await add("a/b.txt", "x");
    expect(
      (await call("POST", `${P}/contents`, { path: "a/b.txt/c", content: base64("x"), message: "m" })).status,
    ).toBe(400);
    expect((await call("PUT", `${P}/contents/a`, { content: base64("x"), message: "m" })).status).toBe(400);
  });

  test("have a patch with line counts when they change, except for binary files", async () => {
    const { call, add } = await withProject();
    await add("a.txt", "one\ntwo\nthree\n");
    const { commit } = await make(call, "PUT", `${P}/contents/a.txt`, {
      content: base64("one\n2\nthree\nfour\n"),
      message: "Edit",
    });
    expect(commit).toMatchObject({ stats: { additions: 2, deletions: 1, total: 3 } });
    const [file] = (await make(call, "GET", `${P}/commits/${commit.revision}`)).files;
    expect(file).toMatchObject({ status: "MODIFIED", additions: 2, deletions: 1, total: 3 });
    expect(file.patch).toContain("-two\n+2\n three\n+four\n");
    const binary = await add("b.bin", "\0\x01");
    expect(binary.commit.files[0].patch).toBe("Binary files a/b.bin and b/b.bin differ\n");
  });
});

describe("commits", () => {
  test("are listed newest first, in pages, filtered by author, path, date and revision", async () => {
    const { emulator, call, add } = await withProject();
    await add("a.txt", "1");
    await emulator.clock.advance(3600_000);
    await make(call, "POST", `${ws}/members`, { email: "bob@example.com" });
    await make(await as(emulator, "bob@example.com"), "PATCH", "/user", { name: "Bob" });
    const { permission_sets: sets } = await make(call, "GET", `${ws}/permissions`);
    const bobId = (await make(call, "GET", `${ws}/members`)).members[1].id;
    await make(call, "POST", `${ws}/projects/web/members`, { id: bobId, permission_set: { id: sets[0].id } });
    const bob = await as(emulator, "bob@example.com");
    await make(bob, "POST", `${P}/contents`, { path: "b.txt", content: base64("2"), message: "Add b.txt" });
    await emulator.clock.advance(3600_000);
    await make(call, "PUT", `${P}/contents/a.txt`, { content: base64("3"), message: "Edit a.txt" });
    expect(await messages(call, "")).toEqual(["Edit a.txt", "Add b.txt", "Add a.txt"]);
    expect(await messages(call, "?author=BOB")).toEqual(["Add b.txt"]);
    expect(await messages(call, "?path=a.txt")).toEqual(["Edit a.txt", "Add a.txt"]);
    expect(await messages(call, "?per_page=2&page=2")).toEqual(["Add a.txt"]);
    const between = new Date(emulator.clock.now() - 1800_000).toISOString();
    expect(await messages(call, `?since=${between}`)).toEqual(["Edit a.txt"]);
    expect(await messages(call, `?until=${between}`)).toEqual(["Add b.txt", "Add a.txt"]);
    const { commits } = await make(call, "GET", `${P}/commits`);
    expect(await messages(call, `?revision=${commits[1].revision}`)).toEqual(["Add b.txt", "Add a.txt"]);
    expect(await messages(call, `?revision=${commits[2].revision.slice(0, 10)}`)).toEqual(["Add a.txt"]);
    expect(commits[1].author).toMatchObject({ name: "Bob", email: "bob@example.com" });
    expect((await call("GET", `${P}/commits?since=yesterday`)).status).toBe(400);
    expect((await call("GET", `${P}/commits/0000000`)).status).toBe(404);
  });

  test("of two branches are compared from their common ancestor", async () => {
    const { emulator, call, add } = await withProject();
    const root = await add("a.txt", "1");
    await make(call, "POST", `${P}/branches`, { name: "feature/x", commit: { revision: "main" } });
    await emulator.clock.advance(1000);
    await add("f1", "1", { branch: "feature/x" });
    await emulator.clock.advance(1000);
    await add("f2", "1", { branch: "feature/x" });
    await add("m1", "1");
    const comparison = await make(call, "GET", `${P}/comparison/main...feature%2Fx`);
    expect(comparison).toMatchObject({
      ahead: 2,
      behind: 1,
      base_commit: { revision: root.commit.revision },
    });
    expect(comparison.commits.map(({ message: text }) => text)).toEqual(["Add f2", "Add f1"]);
    expect(
      (await make(call, "GET", `${P}/comparison/main...feature/x?per_page=1&page=2`)).commits,
    ).toHaveLength(1);
    expect(await make(call, "GET", `${P}/comparison/main...main`)).toMatchObject({
      ahead: 0,
      behind: 0,
      commits: [],
    });
    expect((await call("GET", `${P}/comparison/main...nowhere`)).status).toBe(404);
  });
});

describe("branches, tags and pull requests", () => {
  test("a branch starts at a revision, has a unique name, and is deleted when merged or by force", async () => {
    const { call, add } = await withProject();
    const first = await add("a.txt", "1");
    await add("b.txt", "1");
    const { revision } = first.commit;
    const made = await make(call, "POST", `${P}/branches`, {
      name: "old",
      description: "d",
      commit: { revision },
    });
    expect(made).toMatchObject({ name: "old", default: false, description: "d", commit: { revision } });
    expect((await call("POST", `${P}/branches`, { name: "old" })).status).toBe(409);
    expect((await call("POST", `${P}/branches`, { name: "main" })).status).toBe(409);
    expect((await call("POST", `${P}/branches`, { name: "bad..name" })).status).toBe(400);
    expect((await call("POST", `${P}/branches`, { name: "old/below" })).status).toBe(400);
    expect((await call("POST", `${P}/branches`, { name: "x", commit: { revision: "nope" } })).status).toBe(
      400,
    );
    expect((await make(call, "GET", `${P}/branches`)).branches.map(({ name }) => name)).toEqual([
      "main",
      "old",
    ]);
    await make(call, "DELETE", `${P}/branches/old`);
    expect((await call("GET", `${P}/branches/old`)).status).toBe(404);
    await make(call, "POST", `${P}/branches`, { name: "feature/y" });
    await add("c.txt", "1", { branch: "feature/y" });
    expect((await call("DELETE", `${P}/branches/feature%2Fy`)).status).toBe(400);
    expect((await call("DELETE", `${P}/branches/feature%2Fy?force=false`)).status).toBe(400);
    await make(call, "DELETE", `${P}/branches/feature/y?force=true`);
    expect((await call("DELETE", `${P}/branches/main?force=true`)).status).toBe(400);
    expect(
      (await call("POST", `${P}/contents`, { path: "z", content: base64("z"), message: "z", branch: "nope" }))
        .status,
    ).toBe(400);
  });

  test("tags and pull requests are created by the seed", async () => {
    const { call } = await start({
      seed: {
        users: [{ email: "owner@example.com", name: "Olga" }],
        workspaces: [
          {
            domain: "acme",
            projects: [
              {
                name: "web",
                files: { "README.md": "# Web\n" },
                commits: [
                  { message: "On a branch", branch: "dev", files: { "dev.txt": "1", "README.md": null } },
                ],
                branches: { dev: "main" },
                tags: { "v1.0": "main", "v2/x": "dev" },
                pull_requests: [
                  { number: 7, name: "Add a thing", git_host_html_url: "https://git.example.com/pull/7" },
                ],
              },
            ],
          },
        ],
      },
    });
    expect((await make(call, "GET", `${P}/tags`)).tags.map(({ name }) => name)).toEqual(["v1.0", "v2/x"]);
    expect((await make(call, "GET", `${P}/tags/v1.0`)).commit.message).toBe("First commit");
    expect((await make(call, "GET", `${P}/tags/v2%2Fx`)).commit.message).toBe("On a branch");
    expect((await call("GET", `${P}/tags/none`)).status).toBe(404);
    expect((await make(call, "GET", `${P}/contents?revision=dev`)).contents.map(({ name }) => name)).toEqual([
      "dev.txt",
    ]);
    expect((await make(call, "GET", `${P}/pulls`)).pull_requests).toHaveLength(1);
    expect(await make(call, "GET", `${P}/pulls/7`)).toMatchObject({ name: "Add a thing" });
    expect((await call("GET", `${P}/pulls/8`)).status).toBe(404);
  });
});
