/** Members, administrators and rights, against the emulator. */
import { describe, expect, it } from "vitest";
import { Engine, type State } from "./engine.js";
import { freshForEach } from "./fresh.js";

const fresh = freshForEach();

describe("absent is not deleted", () => {
  it("fails the read of what the caller may not see, instead of reporting it gone", async () => {
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

describe("members that are released instead of deleted", () => {
  it("leaves the calling user in the workspace", async () => {
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

describe("administrators", () => {
  it("are not locked out: a run does not take its own right away", async () => {
    const ann = await fresh.api.members.create("acme", { email: "ann@example.com" });
    await fresh.api.members.update("acme", ann.id, { admin: true });
    const token = await fresh.emulator.createToken({ user: "ann@example.com" });
    const asAnn = new Engine(fresh.emulator.baseUrl, token, "acme");
    const args = { email: "ann@example.com", member: ann.id, admin: true, adopt: true };
    const state = await asAnn.create("WorkspaceMember", args);
    await expect(asAnn.up(state, { ...args, admin: false })).rejects.toThrow(/its own administrator's right/);
    expect((await fresh.api.members.get("acme", ann.id)).admin).toBe(true);
  });

  it("may lose the right, or go, while another one stays", async () => {
    const args = { email: "bob@example.com", admin: true };
    const state = await fresh.engine.create("WorkspaceMember", args);
    const demoted = await fresh.engine.up(state, { ...args, admin: false });
    await fresh.engine.delete(demoted);
    expect(await fresh.engine.refresh(demoted)).toBeUndefined();
  });
});

describe("a project member added by a caller who is no administrator", () => {
  it("fails with the reason, keeps the membership in the state, and is mended by an administrator's run", async () => {
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
      reasons: [expect.stringMatching(/administrator's token/)],
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
