/** Tests members, administrators and permissions, against the emulator. */
import { beforeEach, describe, expect, it } from "vitest";
import { Engine, type State } from "../provider/engine.js";
import { freshForEach } from "../provider/fresh.js";

const fresh = freshForEach();

describe("an object that the caller may not see", () => {
  it("fails the refresh instead of being reported as deleted", async () => {
    const set = await fresh.engine.create("PermissionSet", {
      name: "deployers",
      description: "May deploy",
      repositoryAccessLevel: "READ_ONLY",
      pipelineAccessLevel: "RUN_ONLY",
    });
    await fresh.api.members.create("acme", { email: "guest@example.com" });
    const token = await fresh.emulator.createToken({ user: "guest@example.com" });
    const guest = new Engine(fresh.emulator.baseUrl, token, "acme");
    await expect(guest.refresh(set)).rejects.toThrow(/403/);
  });
});

describe("the calling user's own membership of the workspace", () => {
  it("is released instead of deleted", async () => {
    const [owner] = await fresh.api.members.list("acme").toArray();
    const state = await fresh.engine.create("WorkspaceMember", {
      email: "owner@example.com",
      member: owner?.id,
      adopt: true,
    });
    fresh.emulator.journal.clear();
    await fresh.engine.delete(state);
    expect(fresh.emulator.journal.writes()).toEqual([]);
  });
});

describe("the calling user's own memberships of a group and a project", () => {
  it("are released instead of deleted, as with an exclusive list", async () => {
    const [owner] = await fresh.api.members.list("acme").toArray();
    const group = await fresh.engine.create("Group", { name: "QA" });
    await fresh.engine.create("Project", { name: "web" });
    const [set] = await fresh.api.permissionSets.list("acme").toArray();
    const states = [
      await fresh.engine.create("GroupMember", { group: Number(group.outs["groupId"]), member: owner?.id }),
      await fresh.engine.create("ProjectMember", {
        project: "web",
        member: owner?.id,
        permissionSet: set?.id,
        adopt: true,
      }),
    ];
    fresh.emulator.journal.clear();
    for (const state of states) await fresh.engine.delete(state);
    expect(fresh.emulator.journal.writes()).toEqual([]);
  });
});

describe("a token without the right to read the calling user", () => {
  /** All relevant scopes except the one for reading the calling user. */
  const scopes = ["WORKSPACE", "EXECUTION_INFO", "EXECUTION_MANAGE", "VARIABLE_INFO"] as const;
  const whose = /does not allow to find out whose it is.*USER_INFO/s;
  let ann: number;
  let blind: Engine;

  beforeEach(async () => {
    ann = (await fresh.api.members.create("acme", { email: "ann@example.com" })).id;
    await fresh.api.members.update("acme", ann, { admin: true });
    const token = await fresh.emulator.createToken({ user: "ann@example.com", scopes: [...scopes] });
    blind = new Engine(fresh.emulator.baseUrl, token, "acme");
  });

  const asMember = () =>
    fresh.engine.create("WorkspaceMember", {
      email: "ann@example.com",
      member: ann,
      admin: true,
      adopt: true,
    });

  /** Creates a membership of the calling user in each kind of object. */
  const hers: Readonly<Record<string, () => Promise<State>>> = {
    workspace: asMember,
    group: async () => {
      const group = await fresh.engine.create("Group", { name: "QA" });
      return fresh.engine.create("GroupMember", { group: Number(group.outs["groupId"]), member: ann });
    },
    project: async () => {
      await fresh.engine.create("Project", { name: "web" });
      const [set] = await fresh.api.permissionSets.list("acme").toArray();
      return fresh.engine.create("ProjectMember", { project: "web", member: ann, permissionSet: set?.id });
    },
  };

  it.each(Object.keys(hers))(
    "cannot delete a membership of a %s, which might be the caller's own",
    async (where) => {
      const state = await hers[where]!();
      fresh.emulator.journal.clear();
      await expect(blind.delete(state)).rejects.toThrow(whose);
      expect(fresh.emulator.journal.writes()).toEqual([]);
    },
  );

  it("cannot remove administrator rights, not even while adopting a member", async () => {
    const args = { email: "ann@example.com", member: ann, admin: false };
    const state = await asMember();
    fresh.emulator.journal.clear();
    await expect(blind.up(state, args)).rejects.toThrow(whose);
    await expect(blind.create("WorkspaceMember", { ...args, adopt: true })).rejects.toThrow(whose);
    expect(fresh.emulator.journal.writes()).toEqual([]);
  });

  it("cannot empty an exclusive group, and writes nothing before the refusal", async () => {
    const bob = await fresh.api.members.create("acme", { email: "bob@example.com" });
    const [owner] = await fresh.api.members.list("acme").toArray();
    const state = await fresh.engine.create("Group", { name: "QA", members: [bob.id], exclusive: true });
    await fresh.api.groupMembers.create("acme", Number(state.outs["groupId"]), { id: Number(owner?.id) });
    const both = await blind.up(state, { name: "QA", members: [bob.id, ann], exclusive: true });
    fresh.emulator.journal.clear();
    const onlyOwner = { name: "QA", members: [Number(owner?.id)], exclusive: true };
    await expect(blind.up(both, onlyOwner)).rejects.toThrow(whose);
    expect(fresh.emulator.journal.writes()).toEqual([]);
  });

  it("causes one request for the calling user in each run", async () => {
    const bob = await fresh.engine.create("WorkspaceMember", { email: "bob@example.com" });
    const cleo = await fresh.engine.create("WorkspaceMember", { email: "cleo@example.com" });
    fresh.emulator.journal.clear();
    await blind.run(async () => {
      for (const state of [bob, cleo]) await expect(blind.delete(state)).rejects.toThrow(whose);
    });
    expect(fresh.emulator.journal.requests.filter(({ path }) => path === "/user")).toHaveLength(1);
  });
});

describe("a service that fails to return the calling user", () => {
  it("fails the run before anything is deleted", async () => {
    const state = await fresh.engine.create("WorkspaceMember", { email: "bob@example.com" });
    fresh.emulator.faults.add({ kind: "status", method: "GET", path: "/user", status: 404 });
    fresh.emulator.journal.clear();
    await expect(fresh.engine.delete(state)).rejects.toThrow(/GET \/user: 404/);
    expect(fresh.emulator.journal.writes()).toEqual([]);
  });
});

describe("administrators", () => {
  it("cannot remove their own administrator rights", async () => {
    const ann = await fresh.api.members.create("acme", { email: "ann@example.com" });
    await fresh.api.members.update("acme", ann.id, { admin: true });
    const token = await fresh.emulator.createToken({ user: "ann@example.com" });
    const asAnn = new Engine(fresh.emulator.baseUrl, token, "acme");
    const args = { email: "ann@example.com", member: ann.id, admin: true, adopt: true };
    const state = await asAnn.create("WorkspaceMember", args);
    await expect(asAnn.up(state, { ...args, admin: false })).rejects.toThrow(/their own administrator right/);
    expect((await fresh.api.members.get("acme", ann.id)).admin).toBe(true);
  });

  it("can be demoted and deleted while another one remains", async () => {
    const args = { email: "bob@example.com", admin: true };
    const state = await fresh.engine.create("WorkspaceMember", args);
    const demoted = await fresh.engine.up(state, { ...args, admin: false });
    await fresh.engine.delete(demoted);
    expect(await fresh.engine.refresh(demoted)).toBeUndefined();
  });
});

describe("a project member added by a caller without administrator rights", () => {
  it("fails with the reason but is saved in the state, and an administrator's run completes it", async () => {
    await fresh.engine.create("Project", { name: "web" });
    const ann = await fresh.api.members.create("acme", { email: "ann@example.com" });
    const bob = await fresh.api.members.create("acme", { email: "bob@example.com" });
    const [developer, readOnly] = await fresh.api.permissionSets.list("acme").toArray();
    await fresh.api.projectMembers.create("acme", "web", {
      id: ann.id,
      permission_set: { id: Number(developer?.id) },
    });
    const token = await fresh.emulator.createToken({ user: "ann@example.com" });
    const asAnn = new Engine(fresh.emulator.baseUrl, token, "acme");

    const args = { project: "web", member: bob.id, permissionSet: Number(readOnly?.id) };
    const failure: unknown = await asAnn.create("ProjectMember", args).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      id: `acme/web/${bob.id}`,
      reasons: [expect.stringMatching(/token of a workspace administrator/)],
    });
    const outs = (failure as { properties: Record<string, unknown> }).properties;
    const partly: State = {
      type: "ProjectMember",
      id: `acme/web/${bob.id}`,
      inputs: args,
      outs,
      secrets: [],
    };
    expect((await fresh.engine.diff(partly, args)).changes).toBe(true);
    await fresh.engine.up(partly, args);
    const member = await fresh.api.projectMembers.get("acme", "web", bob.id);
    expect(member.permission_set?.id).toBe(readOnly?.id);
  });
});
