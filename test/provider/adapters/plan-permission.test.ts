/** Tests that the provider of a run with a checked plan refuses what only the run finds: other adoptions, and people in exclusive lists. */
import { beforeEach, describe, expect, it } from "vitest";
import {
  type PermittedAdoption,
  PermittedOperations,
} from "../../../provider/adapters/permitted-operations.js";
import { Session } from "../../../provider/connection/session.js";
import { getDefinition, ListReader } from "../../../provider/index.js";
import { providerIn, type State } from "../engine.js";
import { freshForEach } from "../fresh.js";

const fresh = freshForEach();
const URN = "urn:pulumi:dev::app::workspace-automation:index:Group::groups/QA";

const connection = () => {
  const { baseUrl, token, workspace } = fresh.emulator;
  return { baseUrl, token, workspace, allowInsecure: false };
};

const writes = () =>
  fresh.emulator.journal.writes().map(({ method, path }) => `${method} ${path.replace(/.*acme/, "")}`);

/** The provider of an object in a run that has a plan. */
function providerWith(type: string, permitted: PermittedOperations) {
  const session = new Session(connection(), { removals: permitted });
  return providerIn(session, type, { env: {}, print: () => undefined, permitted }, URN);
}

describe("a creation", () => {
  const args = { name: "QA", description: "Testers", adopt: true };

  function create(adopts: PermittedAdoption | null | undefined) {
    const operation = { kind: "create", type: "Group", urn: URN } as const;
    const planned = adopts === undefined ? operation : { ...operation, adopts };
    return providerWith("Group", new PermittedOperations([planned])).create({ ...args, workspace: "acme" });
  }

  it("adopts nothing that has appeared since the plan", async () => {
    const { id } = await fresh.engine.create("Group", { name: "QA", description: "of others" });
    fresh.emulator.journal.clear();
    await expect(create(null)).rejects.toThrow(`to adopt Group ${id}, which the plan did not find`);
    await expect(create({ id: "acme/999", sends: ["description"] })).rejects.toThrow("did not find");
    await expect(create({ id, sends: [] })).rejects.toThrow("with another description");
    expect(writes()).toEqual([]);
    expect((await create({ id, sends: ["description"] })).id).toBe(id);
    expect(writes()).toEqual([expect.stringMatching(/^PATCH/)]);
  });

  it("adopts freely what the plan could not know", async () => {
    const { id } = await fresh.engine.create("Group", { name: "QA", description: "of others" });
    expect((await create(undefined)).id).toBe(id);
  });

  it("creates nothing in place of an adoption that the plan has shown", async () => {
    fresh.emulator.journal.clear();
    await expect(create({ id: "acme/7", sends: [] })).rejects.toThrow("instead of adopting acme/7");
    expect(writes()).toEqual([]);
    await create(null);
    expect(writes()).toEqual(["POST /groups"]);
  });

  it("finds a membership that is as declared, which writes nothing", async () => {
    const group = await fresh.engine.create("Group", { name: "QA" });
    const [member] = await fresh.api.members.list("acme").toArray();
    const args = { group: Number(group.outs["groupId"]), member: member!.id, workspace: "acme" };
    await fresh.engine.create("GroupMember", args);
    fresh.emulator.journal.clear();
    const operation = { kind: "create", type: "GroupMember", urn: URN, adopts: null } as const;
    await providerWith("GroupMember", new PermittedOperations([operation])).create(args);
    expect(writes()).toEqual([]);
  });
});

describe("the list of an object with exclusive: true", () => {
  const ids: Record<string, number> = {};

  beforeEach(async () => {
    for (const name of ["ann", "bob", "cy"])
      ids[name] = (await fresh.api.members.create("acme", { email: `${name}@example.com` })).id;
  });

  /** Plans an update, and performs it after somebody has changed the list. */
  async function update(state: State, change: object, meanwhile: () => Promise<unknown>) {
    const definition = getDefinition(state.type);
    const reader = new ListReader(connection());
    const [before, after] = [
      { ...state.inputs, ...state.outs },
      { ...state.inputs, ...change },
    ];
    const changes = await reader.changes({ operation: "update", definition, before, after, adopts: false });
    await reader.close();
    const removals = changes.flatMap(({ identity, removedFrom = [] }) =>
      removedFrom.map((list) => ({ list, identity })),
    );
    const operation = { kind: "update", type: state.type, urn: URN, id: state.id } as const;
    await meanwhile();
    fresh.emulator.journal.clear();
    const provider = providerWith(state.type, new PermittedOperations([operation], undefined, removals));
    return provider.update(state.id, state.outs, after);
  }

  it("loses only whom the plan has found in it", async () => {
    const group = await fresh.engine.create("Group", {
      name: "QA",
      members: [ids["ann"], ids["bob"]],
      exclusive: true,
    });
    const number = Number(group.outs["groupId"]);
    const add = () => fresh.api.groupMembers.create("acme", number, { id: ids["cy"]! });
    await expect(update(group, { members: [ids["ann"]] }, add)).rejects.toThrow(
      `to remove member ${ids["cy"]} from groups/${number}/members, which the plan did not find there. The step was skipped`,
    );
    expect(writes()).toEqual([]);
    await update(group, { members: [ids["ann"]] }, () => Promise.resolve());
    expect(writes().toSorted()).toEqual(
      [ids["bob"], ids["cy"]].map((id) => `DELETE /groups/${number}/members/${id}`).toSorted(),
    );
  });

  it("is the same one after the project that owns it gets another name", async () => {
    const set = await fresh.engine.create("PermissionSet", {
      ...{ name: "dev", description: "x" },
      ...{ repositoryAccessLevel: "READ_ONLY", pipelineAccessLevel: "RUN_ONLY" },
    });
    const permissionSet = Number(set.outs["permissionSetId"]);
    const of = (...names: string[]) => names.map((name) => ({ member: ids[name]!, permissionSet }));
    const project = await fresh.engine.create("Project", {
      ...{ name: "web", displayName: "Web", members: of("ann", "bob"), exclusive: true },
    });
    const change = { name: "shop", members: of("ann") };
    const add = () =>
      fresh.api.projectMembers.create("acme", "web", {
        id: ids["cy"]!,
        permission_set: { id: permissionSet },
      });
    await expect(update(project, change, add)).rejects.toThrow("from projects/shop/members");
    expect(writes()).toEqual(["PATCH /projects/web"]);
    await fresh.api.projects.update("acme", "shop", { name: "web" });
    await update(project, change, () => Promise.resolve());
    expect(writes()).toHaveLength(3);
  });
});
