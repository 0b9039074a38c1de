/** Tests groups and projects with an exclusive list of members, against the emulator. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { WorkspaceAutomationClient } from "../../client/index.js";
import { UNKNOWN } from "../../diff/values.js";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { Engine, type State } from "../provider/engine.js";

let emulator: Emulator;
let engine: Engine;
let api: WorkspaceAutomationClient;
let ids: Record<"ann" | "bob" | "carol", number>;

async function start(echoMemberEmail: boolean): Promise<void> {
  emulator = await startEmulator({ strictBodies: true, echoMemberEmail });
  const { baseUrl, token, workspace } = emulator;
  engine = new Engine(baseUrl, token, workspace);
  api = new WorkspaceAutomationClient({ baseUrl, token });
  const invite = async (name: string) => (await api.members.create("acme", { email: email(name) })).id;
  ids = { ann: await invite("ann"), bob: await invite("bob"), carol: await invite("carol") };
}
beforeEach(() => start(true));
afterEach(() => emulator.close());

const email = (name: string) => `${name}@example.com`;

async function inGroup(state: State): Promise<number[]> {
  const people = await api.groupMembers.list("acme", Number(state.outs["groupId"])).toArray();
  return people.map(({ id }) => id).sort();
}

async function inProject(name: string): Promise<Record<number, string | undefined>> {
  const people = await api.projectMembers.list("acme", name).toArray();
  return Object.fromEntries(people.map((person) => [person.id, person.permission_set?.name]));
}

function writes(): string[] {
  return emulator.journal.writes().map(({ method, path }) => `${method} ${path.replace(/\d+/g, "N")}`);
}

describe("a group with exclusive members", () => {
  const members = [email("ann"), email("bob")];
  let state: State;

  beforeEach(async () => {
    state = await engine.create("Group", { name: "QA", members, exclusive: true });
  });

  it("has them after its creation, and a refresh reads the list once", async () => {
    expect(await inGroup(state)).toEqual([ids.ann, ids.bob]);
    emulator.journal.clear();
    expect((await engine.refresh(state))?.outs).toEqual(state.outs);
    expect(emulator.journal.requests.map(({ path }) => path.replace(/\d+/g, "N"))).toEqual([
      "/workspaces/acme/groups",
      "/workspaces/acme/groups/N/members",
    ]);
  });

  it("shows members added outside by email, and removes them", async () => {
    await api.groupMembers.create("acme", Number(state.outs["groupId"]), { id: ids.carol });
    const seen = await engine.refresh(state);
    expect(seen?.inputs["members"]).toEqual([...members, email("carol")]);
    emulator.journal.clear();
    const restored = await engine.up(seen ?? state, state.inputs);
    expect(writes()).toEqual(["DELETE /workspaces/acme/groups/N/members/N"]);
    expect(await inGroup(restored)).toEqual([ids.ann, ids.bob]);
    expect((await engine.diff(restored, state.inputs)).changes).toBe(false);
  });

  it("shows members removed outside, and adds them again", async () => {
    await api.groupMembers.delete("acme", Number(state.outs["groupId"]), ids.bob);
    const seen = await engine.refresh(state);
    expect(seen?.inputs["members"]).toEqual([email("ann")]);
    await engine.up(seen ?? state, state.inputs);
    expect(await inGroup(state)).toEqual([ids.ann, ids.bob]);
  });

  it("changes only members that differ, even together with its name", async () => {
    emulator.journal.clear();
    const args = { name: "Quality", members: [email("carol"), email("ann")], exclusive: true };
    state = await engine.up(state, args);
    expect(writes().sort()).toEqual([
      "DELETE /workspaces/acme/groups/N/members/N",
      "PATCH /workspaces/acme/groups/N",
      "POST /workspaces/acme/groups/N/members",
    ]);
    expect(await inGroup(state)).toEqual([ids.ann, ids.carol]);
    expect((await engine.refresh(state))?.outs).toEqual(state.outs);
  });

  it("treats ids, emails and a different order as equal", async () => {
    const { changes } = await engine.diff(state, { ...state.inputs, members: [ids.bob, email("ann")] });
    expect(changes).toBe(false);
  });

  it("plans a change for an unknown member, and still checks the known ones", async () => {
    const unknown = { ...state.inputs, members: [email("ann"), UNKNOWN] };
    expect((await engine.diff(state, unknown)).changes).toBe(true);
    expect(await engine.check("Group", { ...unknown, members: [UNKNOWN, true] })).toEqual([
      expect.stringMatching(/^members\[1\]/),
    ]);
  });

  it("never removes the calling user or the owner, and does not report them", async () => {
    const [owner] = await api.members.list("acme").toArray();
    await api.members.update("acme", ids.carol, { admin: true });
    const token = await emulator.createToken({ user: email("carol") });
    for (const id of [Number(owner?.id), ids.carol])
      await api.groupMembers.create("acme", Number(state.outs["groupId"]), { id });
    const asCarol = new Engine(emulator.baseUrl, token, "acme");
    const seen = await asCarol.refresh(state);
    expect(seen?.outs).toEqual(state.outs);
    await asCarol.up(state, { ...state.inputs, members: [email("ann")] });
    expect(await inGroup(state)).toEqual([Number(owner?.id), ids.ann, ids.carol].sort());
  });

  it("adopts a group with equal members without a write, and changes only members that differ", async () => {
    emulator.journal.clear();
    await engine.create("Group", { ...state.inputs, adopt: true });
    expect(writes()).toEqual([]);
    await engine.create("Group", { ...state.inputs, members: [email("ann")], adopt: true });
    expect(writes()).toEqual(["DELETE /workspaces/acme/groups/N/members/N"]);
  });

  it("reports arguments that do not fit together", async () => {
    const { check } = { check: (args: object) => engine.check("Group", { name: "QA", ...args }) };
    expect(await check({ members })).toEqual([expect.stringMatching(/needs exclusive: true/)]);
    expect(await check({ exclusive: true })).toEqual([expect.stringMatching(/is required with exclusive/)]);
    expect(await check({ members, exclusive: UNKNOWN })).toEqual([]);
    await expect(
      engine.create("Group", { name: "Twice", members: [ids.ann, email("ann")], exclusive: true }),
    ).rejects.toMatchObject({
      reasons: [expect.stringMatching(/entries 1 and 2 of "members" of "Twice" are the same person/)],
    });
    await expect(
      engine.create("Group", { name: "Who", members: [email("nobody")], exclusive: true }),
    ).rejects.toThrow(/^group "Who": there is no "nobody@example.com" \(members\[0\]\) in workspace acme\. /);
  });
});

describe("a group that becomes exclusive or stops being exclusive", () => {
  it("removes all members for an empty list, even though none were declared before", async () => {
    const open = await engine.create("Group", { name: "QA" });
    await api.groupMembers.create("acme", Number(open.outs["groupId"]), { id: ids.ann });
    expect((await engine.refresh(open))?.outs).toEqual(open.outs);
    const held = await engine.up(open, { name: "QA", members: [], exclusive: true });
    expect(await inGroup(held)).toEqual([]);
  });

  it("takes members over from their resources and releases them again without removing anyone", async () => {
    const group = await engine.create("Group", { name: "QA" });
    const groupId = Number(group.outs["groupId"]);
    const args = { group: groupId, member: ids.ann };
    const member = await engine.create("GroupMember", args);
    emulator.journal.clear();

    await engine.run(async () => {
      const held = await engine.up(group, { name: "QA", members: [ids.ann], exclusive: true });
      await engine.delete(member);
      expect(writes()).toEqual([]);
      Object.assign(group, held);
    });
    // After a run that was interrupted right after the group, the next one finds the group unchanged and deletes
    // the old resources.
    await engine.run(async () => {
      await engine.up(group, { name: "QA", members: [ids.ann], exclusive: true });
      await engine.delete(member);
    });
    await engine.run(async () => {
      const open = await engine.up(group, { name: "QA" });
      await engine.create("GroupMember", args);
      Object.assign(group, open);
    });
    await engine.run(async () => {
      await engine.up(group, { name: "QA" });
      await engine.create("GroupMember", args);
    });
    expect(writes()).toEqual([]);
    expect(await inGroup(group)).toEqual([ids.ann]);
    await engine.run(() => engine.delete(member));
    expect(await inGroup(group)).toEqual([]);
  });
});

describe("a service that hides email addresses", () => {
  it("accepts members by id, and shows members added outside by id", async () => {
    await emulator.close();
    await start(false);
    const args = { name: "QA", members: [ids.ann], exclusive: true };
    const state = await engine.create("Group", args);
    await api.groupMembers.create("acme", Number(state.outs["groupId"]), { id: ids.carol });
    const seen = await engine.refresh(state);
    expect(seen?.inputs["members"]).toEqual([ids.ann, ids.carol]);
    await engine.up(seen ?? state, args);
    expect(await inGroup(state)).toEqual([ids.ann]);
    await expect(engine.create("Group", { ...args, name: "X", members: [email("ann")] })).rejects.toThrow(
      /^group "X": "ann@example.com" \(members\[0\]\) in workspace acme cannot be looked up, because the service hides the e-mail addresses of members/,
    );
  });
});

describe("a project with exclusive members", () => {
  const readOnly = "Read-only";
  const args = {
    name: "web",
    members: [
      { member: email("ann"), permissionSet: "Developer" },
      { member: email("bob"), permissionSet: readOnly },
    ],
    exclusive: true,
  };

  it("has them with their permission sets, and restores only members and permission sets that differ", async () => {
    const state = await engine.create("Project", args);
    const people = { [ids.ann]: "Developer", [ids.bob]: readOnly };
    const [owner] = await api.members.list("acme").toArray();
    const withoutOwner = async () => {
      const { [Number(owner?.id)]: _caller, ...others } = await inProject("web");
      return others;
    };
    expect(await withoutOwner()).toEqual(people);
    expect((await engine.refresh(state))?.outs).toEqual(state.outs);

    const sets = await api.permissionSets.list("acme").toArray();
    const set = { id: Number(sets.find(({ name }) => name === "Developer")?.id) };
    await api.projectMembers.create("acme", "web", { id: ids.carol, permission_set: set });
    await api.projectMembers.update("acme", "web", ids.bob, { permission_set: set });
    const seen = await engine.refresh(state);
    expect(seen?.inputs["members"]).toEqual([
      { member: email("ann"), permissionSet: "Developer" },
      { member: email("bob"), permissionSet: "Developer" },
      { member: email("carol"), permissionSet: "Developer" },
    ]);
    emulator.journal.clear();
    const restored = await engine.up(seen ?? state, args);
    expect(writes()).toEqual([
      "PATCH /workspaces/acme/projects/web/members/N",
      "DELETE /workspaces/acme/projects/web/members/N",
    ]);
    expect(await withoutOwner()).toEqual(people);
    expect((await engine.refresh(restored))?.outs).toEqual(restored.outs);
  });

  it("applies a new name and new members in the same update", async () => {
    const state = await engine.create("Project", args);
    const renamed = await engine.up(state, { ...args, name: "shop", members: args.members.slice(0, 1) });
    expect(Object.keys(await inProject("shop"))).toContain(String(ids.ann));
    expect(Object.keys(await inProject("shop"))).not.toContain(String(ids.bob));
    expect((await engine.refresh(renamed))?.outs).toEqual(renamed.outs);
  });

  it("fails with the reason for a caller without administrator rights, until an administrator applies it", async () => {
    const [developer, other] = await api.permissionSets.list("acme").toArray();
    const project = await engine.create("Project", { name: "web" });
    await api.projectMembers.create("acme", "web", {
      id: ids.ann,
      permission_set: { id: Number(developer?.id) },
    });
    const token = await emulator.createToken({ user: email("ann") });
    const asAnn = new Engine(emulator.baseUrl, token, "acme");
    const members = [{ member: ids.bob, permissionSet: Number(other?.id) }];
    const wanted = { name: "web", members, exclusive: true };
    await expect(asAnn.up(project, wanted)).rejects.toThrow(/token of a workspace administrator/);
    const mended = await engine.up(project, wanted);
    expect((await inProject("web"))[ids.bob]).toBe(other?.name);
    // A caller without the right to see permission sets sees no drift in them. The administrator's run has
    // removed Ann, so add her again.
    await api.projectMembers.create("acme", "web", {
      id: ids.ann,
      permission_set: { id: Number(developer?.id) },
    });
    expect((await asAnn.refresh(mended))?.outs).toEqual(mended.outs);
  });
});
