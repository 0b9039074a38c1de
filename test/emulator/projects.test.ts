/** Tests projects. */
import { describe, expect, test } from "vitest";
import { as, make, message, start, ws } from "./support.js";

const seed = {
  users: [
    { email: "owner@example.com", name: "Olga", integrations: [{ name: "git-host", type: "GIT_HOST" }] },
    { email: "bob@example.com", name: "Bob" },
    { email: "cid@example.com", name: "Cid" },
  ],
  workspaces: [{ domain: "acme", members: [{ email: "bob@example.com" }, { email: "cid@example.com" }] }],
};

describe("a new project", () => {
  test("requires only a name when it is hosted, and the list contains fewer fields", async () => {
    const { call } = await start();
    const project = await make(call, "POST", `${ws}/projects`, { name: "web" });
    expect(project).toMatchObject({
      name: "web",
      display_name: "web",
      status: "ACTIVE",
      size: 0,
      default_branch: "main",
      created_by: { name: "Olga Owner" },
    });
    expect(project.create_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    const { projects } = await make(call, "GET", `${ws}/projects`);
    expect(Object.keys(projects[0])).toEqual(["url", "html_url", "name", "display_name", "status"]);
    expect((await call("POST", `${ws}/projects`, { name: "web" })).status).toBe(409);
  });

  test("requires a display name, an integration and the external id when it is integrated", async () => {
    const { call } = await start({ seed });
    const [integration] = (await make(call, "GET", "/user/integrations")).integrations;
    const body = {
      display_name: "Web Shop",
      integration: { id: integration?.id },
      external_project_id: "acme/web",
    };
    for (const field of Object.keys(body)) {
      const rest = Object.fromEntries(Object.entries(body).filter(([name]) => name !== field));
      const response = await call("POST", `${ws}/projects`, rest);
      // Without both fields of the integration it is a hosted project without a name.
      expect([response.status, message(response)]).toEqual([400, `Value of '${field}' cannot be empty.`]);
    }
    expect(await make(call, "POST", `${ws}/projects`, body)).toMatchObject({
      name: "web-shop",
      display_name: "Web Shop",
    });
    const unknown = await call("POST", `${ws}/projects`, { ...body, integration: { id: 12345 } });
    expect(message(unknown)).toBe("Integration 12345 does not exist.");
  });

  test("with a custom repository requires a user and, for HTTPS, a password that is never returned", async () => {
    const { call } = await start();
    const body = { name: "own", custom_repo_url: "https://git.example.com/x.git", custom_repo_user: "u" };
    expect(message(await call("POST", `${ws}/projects`, body))).toBe(
      "Value of 'custom_repo_pass' cannot be empty.",
    );
    const { custom_repo_user: _, ...noUser } = body;
    expect(message(await call("POST", `${ws}/projects`, noUser))).toBe(
      "Value of 'custom_repo_user' cannot be empty.",
    );
    const made = await call("POST", `${ws}/projects`, { ...body, custom_repo_pass: "s3cret-pass" });
    expect(made.status).toBe(201);
    expect(made.text).not.toContain("s3cret-pass");
    const ssh = { ...body, name: "own2", custom_repo_url: "git@git.example.com:x.git" };
    expect((await call("POST", `${ws}/projects`, ssh)).status).toBe(201);
  });
});

describe("an existing project", () => {
  test("is updated only in the fields of the request; a rename frees the old name and cannot take an existing one", async () => {
    const { call } = await start();
    await make(call, "POST", `${ws}/projects`, { name: "web", display_name: "Web" });
    await make(call, "POST", `${ws}/projects`, { name: "api" });
    expect(await make(call, "PATCH", `${ws}/projects/web`, { name: "shop" })).toMatchObject({
      name: "shop",
      display_name: "Web",
    });
    expect((await call("GET", `${ws}/projects/web`)).status).toBe(404);
    expect((await call("PATCH", `${ws}/projects/shop`, { name: "api" })).status).toBe(409);
    expect((await call("PATCH", `${ws}/projects/shop`, { name: "" })).status).toBe(400);
    expect((await make(call, "PATCH", `${ws}/projects/shop`, { display_name: "Shop" })).name).toBe("shop");
  });

  test("is deleted with everything in it, and its name is free again", async () => {
    const { call } = await start();
    await make(call, "POST", `${ws}/projects`, { name: "web" });
    await make(call, "POST", `${ws}/variables`, { key: "A", value: "1", project: { name: "web" } });
    await make(call, "DELETE", `${ws}/projects/web`);
    expect((await call("DELETE", `${ws}/projects/web`)).status).toBe(404);
    await make(call, "POST", `${ws}/projects`, { name: "web" });
    expect((await make(call, "GET", `${ws}/variables?projectName=web`)).variables).toEqual([]);
  });

  test("is listed for its members only, and for admins, who can filter by their own membership", async () => {
    const { emulator, call } = await start({ seed });
    const bob = await as(emulator, "bob@example.com");
    await make(call, "POST", `${ws}/projects`, { name: "web" });
    await make(bob, "POST", `${ws}/projects`, { name: "bobs" });
    const names = async (who: typeof call, query = "") =>
      (await make(who, "GET", `${ws}/projects${query}`)).projects.map(({ name }) => name);
    expect(await names(call)).toEqual(["web", "bobs"]);
    expect(await names(call, "?membership=true")).toEqual([]);
    expect(await names(bob)).toEqual(["bobs"]);
    expect((await bob("GET", `${ws}/projects/web`)).status).toBe(403);
    expect((await bob("PATCH", `${ws}/projects/bobs`, { display_name: "B" })).status).toBe(403);
    expect((await bob("DELETE", `${ws}/projects/bobs`)).status).toBe(403);
  });

  test("can be created by admins only if the workspace says so", async () => {
    const [workspace] = seed.workspaces;
    const { emulator } = await start({
      seed: { ...seed, workspaces: [{ domain: "acme", ...workspace, projects_by_admins_only: true }] },
    });
    const bob = await as(emulator, "bob@example.com");
    expect((await bob("POST", `${ws}/projects`, { name: "x" })).status).toBe(403);
  });
});

describe("project members", () => {
  async function prepared() {
    const { emulator, call } = await start({ seed });
    await make(call, "POST", `${ws}/projects`, { name: "web" });
    const { members } = await make(call, "GET", `${ws}/members?sort_by=name`);
    const idOf = (name: string) => members.find((member) => member.name === name)?.id;
    const { permission_sets: sets } = await make(call, "GET", `${ws}/permissions`);
    return {
      emulator,
      call,
      bob: idOf("Bob"),
      cid: idOf("Cid"),
      developer: sets[0].id,
      readOnly: sets[1].id,
    };
  }
  const path = `${ws}/projects/web/members`;

  test("are added by an admin with a permission set, updated and removed", async () => {
    const { call, bob, developer, readOnly } = await prepared();
    const member = await make(call, "POST", path, { id: bob, permission_set: { id: developer } });
    expect(member).toMatchObject({
      id: bob,
      admin: false,
      permission_set: { id: developer, type: "DEVELOPER" },
    });
    expect((await call("POST", path, { id: bob, permission_set: { id: developer } })).status).toBe(409);
    expect((await call("POST", path, { id: 4711, permission_set: { id: developer } })).status).toBe(400);
    expect(message(await call("POST", path, { id: bob }))).toBe("Value of 'permission_set' cannot be empty.");
    expect(message(await call("POST", path, { id: bob, permission_set: {} }))).toBe(
      "Value of 'permission_set' cannot be empty.",
    );
    const changed = await make(call, "PATCH", `${path}/${bob}`, { permission_set: { id: readOnly } });
    expect(changed.permission_set.type).toBe("READ_ONLY");
    expect((await make(call, "GET", `${path}?sort_by=email`)).members[0].permission_set.id).toBe(readOnly);
    await make(call, "DELETE", `${path}/${bob}`);
    expect((await call("GET", `${path}/${bob}`)).status).toBe(404);
  });

  test("get the permissions of a non-admin who adds them, who does not see permissions", async () => {
    const { emulator, call, bob, cid, developer, readOnly } = await prepared();
    await make(call, "POST", path, { id: bob, permission_set: { id: readOnly } });
    const asBob = await as(emulator, "bob@example.com");
    const added = await make(asBob, "POST", path, { id: cid, permission_set: { id: developer } });
    expect(added).not.toHaveProperty("permission_set");
    expect((await make(call, "GET", `${path}/${cid}`)).permission_set.id).toBe(readOnly);
    const { members } = await make(asBob, "GET", path);
    expect(members).toHaveLength(2);
    expect(members[0]).not.toHaveProperty("permission_set");
    expect((await asBob("PATCH", `${path}/${cid}`, { permission_set: { id: developer } })).status).toBe(403);
  });
});
