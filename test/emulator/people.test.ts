/** Tests members, groups and permission sets. */
import { describe, expect, test } from "vitest";
import { as, type Caller, make, message, start, ws } from "./support.js";

const seed = {
  users: [
    { email: "owner@example.com", name: "Olga Owner" },
    { email: "ann@example.com", name: "Ann Lee" },
    { email: "bob@example.com", name: "Bob Ray" },
    { email: "cid@example.com", name: "Cid Fox" },
  ],
  workspaces: [
    {
      domain: "acme",
      members: [
        { email: "ann@example.com", admin: true },
        { email: "bob@example.com" },
        { email: "cid@example.com" },
      ],
      projects: [
        { name: "web", members: [{ email: "bob@example.com", permission_set: "DEVELOPER" }] },
        { name: "api", members: [{ email: "cid@example.com", permission_set: "READ_ONLY" }] },
      ],
    },
  ],
};

async function idOf(call: Caller, name: string): Promise<number> {
  const { members } = await make(call, "GET", `${ws}/members`);
  const found = members.find((member) => member.name === name);
  if (found === undefined) throw new Error(`no member ${name}`);
  return found.id;
}

describe("workspace members", () => {
  test("have no name after an invitation by email, and a second invitation is a conflict", async () => {
    const { call } = await start();
    const member = await make(call, "POST", `${ws}/members`, { email: "new@example.com" });
    expect(member).toMatchObject({ name: null, title: null, admin: false, workspace_owner: false });
    expect(member).not.toHaveProperty("email");
    expect((await call("POST", `${ws}/members`, { email: "new@example.com" })).status).toBe(409);
    expect((await call("POST", `${ws}/members`, { email: "nonsense" })).status).toBe(400);
    expect((await call("POST", `${ws}/members`, { email: "" })).status).toBe(400);
    expect((await call("POST", `${ws}/members`, { email: 7 })).status).toBe(400);
  });

  test("are summaries in lists; a single member includes admin and owner, and the email only by setting", async () => {
    const { emulator, call } = await start({ seed });
    const { members } = await make(call, "GET", `${ws}/members`);
    expect(Object.keys(members[0])).toEqual(["url", "html_url", "id", "name", "avatar_url", "title"]);
    const ann = await make(call, "GET", `${ws}/members/${await idOf(call, "Ann Lee")}`);
    expect(ann).toMatchObject({ admin: true, workspace_owner: false });
    emulator.settings.echoMemberEmail = true;
    const echoed = await make(call, "GET", `${ws}/members`);
    expect(echoed.members[1].email).toBe("ann@example.com");
  });

  test("can be sorted by email, name and short name", async () => {
    const { call } = await start({ seed });
    const names = async (query: string) =>
      (await make(call, "GET", `${ws}/members?${query}`)).members.map(({ name }) => name);
    expect(await names("sort_by=email")).toEqual(["Ann Lee", "Bob Ray", "Cid Fox", "Olga Owner"]);
    expect(await names("sort_by=name&sort_direction=DESC")).toEqual([
      "Olga Owner",
      "Cid Fox",
      "Bob Ray",
      "Ann Lee",
    ]);
    expect(await names("sort_by=short_name&per_page=1")).toEqual(["Ann Lee"]);
  });

  test("become or cease to be admins through an admin only; the owner always is one", async () => {
    const { emulator, call } = await start({ seed });
    const bob = await idOf(call, "Bob Ray");
    const asBob = await as(emulator, "bob@example.com");
    expect((await asBob("PATCH", `${ws}/members/${bob}`, { admin: true })).status).toBe(403);
    expect((await make(call, "PATCH", `${ws}/members/${bob}`, { admin: true })).admin).toBe(true);
    expect((await asBob("GET", `${ws}/permissions`)).status).toBe(200);
    expect((await make(call, "PATCH", `${ws}/members/${bob}`, {})).admin).toBe(true);
    expect((await call("PATCH", `${ws}/members/${bob}`, { admin: "yes" })).status).toBe(400);
    const owner = await idOf(call, "Olga Owner");
    expect((await call("PATCH", `${ws}/members/${owner}`, { admin: false })).status).toBe(403);
    expect((await call("DELETE", `${ws}/members/${owner}`)).status).toBe(403);
  });

  test("see only members of the same projects unless they are admins", async () => {
    const { emulator, call } = await start({ seed });
    const cid = await idOf(call, "Cid Fox");
    const asBob = await as(emulator, "bob@example.com");
    const { members } = await make(asBob, "GET", `${ws}/members`);
    expect(members.map(({ name }) => name)).toEqual(["Bob Ray"]);
    expect((await asBob("GET", `${ws}/members/${cid}`)).status).toBe(403);
    await make(call, "POST", `${ws}/projects/web/members`, {
      id: cid,
      permission_set: { id: (await make(call, "GET", `${ws}/permissions`)).permission_sets[1].id },
    });
    expect((await asBob("GET", `${ws}/members/${cid}`)).status).toBe(200);
  });

  test("leave their groups and projects along with the workspace", async () => {
    const { call } = await start({ seed });
    const bob = await idOf(call, "Bob Ray");
    const group = await make(call, "POST", `${ws}/groups`, { name: "QA" });
    await make(call, "POST", `${ws}/groups/${group.id}/members`, { id: bob });
    await make(call, "DELETE", `${ws}/members/${bob}`);
    expect((await call("GET", `${ws}/members/${bob}`)).status).toBe(404);
    expect((await make(call, "GET", `${ws}/groups/${group.id}/members`)).members).toEqual([]);
    expect((await make(call, "GET", `${ws}/projects/web/members`)).members).toEqual([]);
  });

  test("have a list of their projects, and admins may list all projects", async () => {
    const { emulator, call } = await start({ seed });
    const bob = await idOf(call, "Bob Ray");
    const names = async (who: Caller, query = "") =>
      (await make(who, "GET", `${ws}/members/${bob}/projects${query}`)).projects.map(({ name }) => name);
    expect(await names(call)).toEqual(["web"]);
    expect(await names(call, "?all=true&sort_by=NAME")).toEqual(["api", "web"]);
    expect(await names(call, "?all=true&sort_by=CREATED&sort_direction=DESC")).toEqual(["api", "web"]);
    expect(await names(call, "?status=CLOSED")).toEqual([]);
    const asBob = await as(emulator, "bob@example.com");
    expect(await names(asBob)).toEqual(["web"]);
    expect((await asBob("GET", `${ws}/members/${bob}/projects?all=true`)).status).toBe(403);
  });

  test("can be invited by admins only if the workspace says so", async () => {
    const [workspace] = seed.workspaces;
    const { emulator, call } = await start({
      seed: { ...seed, workspaces: [{ domain: "acme", ...workspace, members_by_admins_only: true }] },
    });
    const asBob = await as(emulator, "bob@example.com");
    expect((await asBob("POST", `${ws}/members`, { email: "x@example.com" })).status).toBe(403);
    expect((await call("POST", `${ws}/members`, { email: "x@example.com" })).status).toBe(201);
  });
});

describe("groups", () => {
  test("are created, updated in part and deleted by admins only", async () => {
    const { emulator, call } = await start({ seed });
    const group = await make(call, "POST", `${ws}/groups`, { name: "QA" });
    expect(group).toMatchObject({ name: "QA", description: null });
    const path = `${ws}/groups/${group.id}`;
    expect(await make(call, "PATCH", path, { description: "Testers" })).toMatchObject({
      name: "QA",
      description: "Testers",
    });
    expect(await make(call, "PATCH", path, { name: "Q", description: null })).toMatchObject({
      name: "Q",
      description: null,
    });
    expect((await call("PATCH", path, { name: null })).status).toBe(400);
    expect((await call("PATCH", path, { description: "" })).status).toBe(400);
    const asBob = await as(emulator, "bob@example.com");
    expect((await asBob("GET", path)).status).toBe(200);
    for (const [method, target] of [
      ["POST", `${ws}/groups`],
      ["PATCH", path],
      ["DELETE", path],
    ] as const) {
      expect((await asBob(method, target, { name: "X" })).status).toBe(403);
    }
    await make(call, "DELETE", path);
    expect(message(await call("GET", path))).toBe(`Group ${group.id} not found.`);
  });

  test("have members who are added and removed; a second addition is a conflict, and non-members are refused", async () => {
    const { call } = await start({ seed });
    const bob = await idOf(call, "Bob Ray");
    const { id } = await make(call, "POST", `${ws}/groups`, { name: "QA", description: "Testers" });
    const path = `${ws}/groups/${id}/members`;
    expect(await make(call, "POST", path, { id: bob })).toMatchObject({
      id: bob,
      admin: false,
      workspace_owner: false,
    });
    expect((await call("POST", path, { id: bob })).status).toBe(409);
    expect((await call("POST", path, { id: 999_999 })).status).toBe(400);
    expect((await call("POST", path, { id: String(bob) })).status).toBe(400);
    expect((await make(call, "GET", path)).members).toHaveLength(1);
    expect((await make(call, "GET", `${path}/${bob}`)).name).toBe("Bob Ray");
    await make(call, "DELETE", `${path}/${bob}`);
    expect((await call("GET", `${path}/${bob}`)).status).toBe(404);
    expect((await call("DELETE", `${path}/${bob}`)).status).toBe(404);
  });

  test("may have the same name, since the spec does not forbid it", async () => {
    const { call } = await start();
    const first = await make(call, "POST", `${ws}/groups`, { name: "QA" });
    const second = await make(call, "POST", `${ws}/groups`, { name: "QA" });
    expect(second.id).not.toBe(first.id);
  });
});

describe("permission sets", () => {
  const set = {
    name: "release",
    description: "May deploy",
    repository_access_level: "READ_ONLY",
    pipeline_access_level: "RUN_ONLY",
  };

  test("include two built-in ones that cannot be changed", async () => {
    const { call } = await start();
    const { permission_sets: sets } = await make(call, "GET", `${ws}/permissions`);
    expect(sets.map(({ type }) => type)).toEqual(["DEVELOPER", "READ_ONLY"]);
    expect((await call("PATCH", `${ws}/permissions/${sets[0].id}`, set)).status).toBe(403);
    expect((await call("DELETE", `${ws}/permissions/${sets[0].id}`)).status).toBe(403);
  });

  test("require all four fields for a creation and an update", async () => {
    const { call } = await start();
    const made = await make(call, "POST", `${ws}/permissions`, set);
    expect(made).toMatchObject({ ...set, type: "CUSTOM" });
    for (const field of Object.keys(set)) {
      const rest = Object.fromEntries(Object.entries(set).filter(([name]) => name !== field));
      for (const [method, path] of [
        ["POST", `${ws}/permissions`],
        ["PATCH", `${ws}/permissions/${made.id}`],
      ] as const) {
        const response = await call(method, path, rest);
        expect([response.status, message(response)]).toEqual([400, `Value of '${field}' cannot be empty.`]);
      }
    }
    const wrong = await call("POST", `${ws}/permissions`, { ...set, pipeline_access_level: "SOME" });
    expect(message(wrong)).toBe("Value of 'pipeline_access_level' cannot be empty.");
    const changed = await make(call, "PATCH", `${ws}/permissions/${made.id}`, { ...set, name: "r2" });
    expect(changed.name).toBe("r2");
    await make(call, "DELETE", `${ws}/permissions/${made.id}`);
    expect((await call("GET", `${ws}/permissions/${made.id}`)).status).toBe(404);
  });

  test("are accessible to admins only", async () => {
    const { emulator } = await start({ seed });
    const asBob = await as(emulator, "bob@example.com");
    expect((await asBob("GET", `${ws}/permissions`)).status).toBe(403);
    expect((await asBob("POST", `${ws}/permissions`, set)).status).toBe(403);
    expect((await asBob("GET", `${ws}/permissions/1`)).status).toBe(403);
  });

  test("cannot be deleted while project members have them", async () => {
    const { call } = await start({ seed });
    const { id } = await make(call, "POST", `${ws}/permissions`, set);
    const cid = await idOf(call, "Cid Fox");
    await make(call, "POST", `${ws}/projects/web/members`, { id: cid, permission_set: { id } });
    expect((await call("DELETE", `${ws}/permissions/${id}`)).status).toBe(409);
  });
});

describe("the caller's profile", () => {
  test("has a name and a title that can be changed", async () => {
    const { call } = await start();
    const user = await make(call, "GET", "/user");
    expect(user.workspaces_url).toMatch(/\/workspaces$/);
    expect((await make(call, "PATCH", "/user", { title: "Boss" })).name).toBe(user.name);
    expect((await make(call, "PATCH", "/user", { name: "Zoe", title: null })).title).toBeNull();
    expect((await call("PATCH", "/user", { name: "" })).status).toBe(400);
  });

  test("has public keys, which are added and removed but never edited", async () => {
    const { call } = await start();
    const content = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ me@laptop";
    const key = await make(call, "POST", "/user/keys", { content, title: "laptop" });
    expect(await make(call, "GET", `/user/keys/${key.id}`)).toEqual(key);
    expect((await make(call, "GET", "/user/keys")).keys).toHaveLength(1);
    expect((await call("PATCH", `/user/keys/${key.id}`, { title: "x" })).status).toBe(405);
    expect((await call("POST", "/user/keys", { content: "" })).status).toBe(400);
    await make(call, "DELETE", `/user/keys/${key.id}`);
    expect((await call("GET", `/user/keys/${key.id}`)).status).toBe(404);
  });

  test("has email addresses, which start unconfirmed and are unique", async () => {
    const { call } = await start();
    expect(await make(call, "POST", "/user/emails", { email: "o2@example.com" })).toEqual({
      email: "o2@example.com",
      confirmed: false,
    });
    expect((await call("POST", "/user/emails", { email: "o2@example.com" })).status).toBe(409);
    expect((await make(call, "GET", "/user/emails")).emails).toHaveLength(2);
    await make(call, "DELETE", "/user/emails/o2%40example.com");
    expect((await call("DELETE", "/user/emails/o2%40example.com")).status).toBe(404);
    expect((await call("DELETE", "/user/emails/owner@example.com")).status).toBe(409);
  });

  test("has integrations of the caller only", async () => {
    const { emulator, call } = await start();
    const { integrations } = await make(call, "GET", "/user/integrations");
    expect(integrations.map(({ name }) => name)).toContain("chat-main");
    const [first] = integrations;
    expect(await make(call, "GET", `/user/integrations/${String(first?.id)}`)).toEqual(first);
    await make(call, "POST", `${ws}/members`, { email: "bob@example.com" });
    const bob = await as(emulator, "bob@example.com");
    expect((await make(bob, "GET", "/user/integrations")).integrations).toEqual([]);
    expect((await bob("GET", `/user/integrations/${String(first?.id)}`)).status).toBe(404);
  });
});
