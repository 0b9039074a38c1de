/** Members, administrators and rights, against the emulator. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { Engine, type State } from "./engine.js";

let emulator: Emulator;
let engine: Engine;
let api: WorkspaceAutomationClient;

beforeEach(async () => {
  emulator = await startEmulator({ strictBodies: true });
  const { baseUrl, token, workspace } = emulator;
  engine = new Engine(baseUrl, token, workspace);
  api = new WorkspaceAutomationClient({ baseUrl, token });
});
afterEach(() => emulator.close());

describe("absent is not deleted", () => {
  it("fails the read of what the caller may not see, instead of reporting it gone", async () => {
    const set = await engine.create("PermissionSet", {
      name: "deployers",
      description: "May deploy",
      repositoryAccessLevel: "READ_ONLY",
      pipelineAccessLevel: "RUN_ONLY",
    });
    await api.members.create("acme", { email: "guest@example.com" });
    const token = await emulator.createToken({ user: "guest@example.com" });
    const guest = new Engine(emulator.baseUrl, token, "acme");
    await expect(guest.refresh(set)).rejects.toThrow(/403/);
  });
});

describe("members that are released instead of deleted", () => {
  it("leaves the calling user in the workspace", async () => {
    const [owner] = await api.members.list("acme").toArray();
    const state = await engine.create("WorkspaceMember", {
      email: "owner@example.com",
      member: owner?.id,
      adopt: true,
    });
    emulator.journal.clear();
    await engine.delete(state);
    expect(emulator.journal.writes()).toEqual([]);
  });
});

describe("administrators", () => {
  it("are not locked out: a run does not take its own right away", async () => {
    const ann = await api.members.create("acme", { email: "ann@example.com" });
    await api.members.update("acme", ann.id, { admin: true });
    const token = await emulator.createToken({ user: "ann@example.com" });
    const asAnn = new Engine(emulator.baseUrl, token, "acme");
    const args = { email: "ann@example.com", member: ann.id, admin: true, adopt: true };
    const state = await asAnn.create("WorkspaceMember", args);
    await expect(asAnn.up(state, { ...args, admin: false })).rejects.toThrow(/its own administrator's right/);
    expect((await api.members.get("acme", ann.id)).admin).toBe(true);
  });

  it("may lose the right, or go, while another one stays", async () => {
    const args = { email: "bob@example.com", admin: true };
    const state = await engine.create("WorkspaceMember", args);
    const demoted = await engine.up(state, { ...args, admin: false });
    await engine.delete(demoted);
    expect(await engine.refresh(demoted)).toBeUndefined();
  });
});

describe("a project member added by a caller who is no administrator", () => {
  it("fails with the reason, keeps the membership in the state, and is mended by an administrator's run", async () => {
    await engine.create("Project", { name: "web" });
    const ann = await api.members.create("acme", { email: "ann@example.com" });
    const bob = await api.members.create("acme", { email: "bob@example.com" });
    const [developer, readOnly] = await api.permissionSets.list("acme").toArray();
    await api.projectMembers.create("acme", "web", {
      id: ann.id,
      permission_set: { id: Number(developer?.id) },
    });
    const token = await emulator.createToken({ user: "ann@example.com" });
    const asAnn = new Engine(emulator.baseUrl, token, "acme");

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
    expect((await engine.diff(partly, args)).changes).toBe(true);
    await engine.up(partly, args);
    const member = await api.projectMembers.get("acme", "web", bob.id);
    expect(member.permission_set?.id).toBe(readOnly?.id);
  });
});
