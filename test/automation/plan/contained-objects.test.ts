/**
 * Tests that entries that leave an exclusive list (`exclusive: true`) count as deletions in the plan, the guards, the
 * access impact and the request estimate.
 */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { listDoneWith, withListed } from "../../../automation/plan/contained-objects.js";
import type { PlannedObject } from "../../../automation/plan/planned-objects.js";
import type { PlanStep } from "../../../automation/plan/record-plan.js";
import { accessImpact } from "../../../automation/policy/access-impact/planned.js";
import { estimate } from "../../../automation/policy/request-budget.js";
import { WorkspaceAutomationClient } from "../../../client/index.js";
import { UNKNOWN } from "../../../diff/values.js";
import { type Emulator, startEmulator } from "../../../emulator/index.js";
import { SharedReadCache } from "../../../provider/index.js";
import { testIo } from "../../cli/support.js";
import { Engine, type State } from "../../provider/engine.js";
import { judge } from "../policy/guards/plan.js";

const NAMES = ["ann", "bob", "carol", "dan"] as const;
const email = (name: string) => `${name}@example.com`;

let emulator: Emulator;
let engine: Engine;
let api: WorkspaceAutomationClient;
let ids: Record<(typeof NAMES)[number], number>;

beforeEach(async () => {
  emulator = await startEmulator({ strictBodies: true, echoMemberEmail: true });
  const { baseUrl, token, workspace } = emulator;
  engine = new Engine(baseUrl, token, workspace);
  api = new WorkspaceAutomationClient({ baseUrl, token });
  const entries: [string, number][] = [];
  for (const name of NAMES)
    entries.push([name, (await api.members.create("acme", { email: email(name) })).id]);
  ids = Object.fromEntries(entries) as typeof ids;
});
afterEach(() => emulator.close());

/** Builds a planned object from its state and its new arguments. */
function planned(
  operation: PlannedObject["operation"],
  name: string,
  { type, inputs, outs }: State,
  after?: object,
): PlannedObject {
  return { operation, type, name, before: { ...inputs, ...outs }, ...(after ? { after: { ...after } } : {}) };
}

const step = ({ operation, type, name }: PlannedObject): PlanStep => ({
  operation: operation as PlanStep["operation"],
  type,
  name,
  changes: [],
  replacedFor: [],
  reasons: [],
});

/** Adds the entries of exclusive lists to a plan of the given objects. */
async function planOf(objects: readonly PlannedObject[], adopts = false) {
  const { baseUrl, token, workspace } = emulator;
  const connection = { name: "test", baseUrl, token, workspace, allowInsecure: false };
  const steps = objects.filter(({ operation }) => operation !== "same").map(step);
  emulator.journal.clear();
  const plan = await withListed(
    { objects, steps },
    { connection, io: testIo().io, stack: { reads: new SharedReadCache() } },
    adopts,
  );
  expect(emulator.journal.writes()).toEqual([]);
  return { ...plan, asked: emulator.journal.requests.length };
}

const deleted = ({ steps }: { steps: readonly PlanStep[] }) =>
  steps.filter(({ operation }) => operation === "delete").map(({ type, name }) => `${type} ${name}`);

const everybody = NAMES.map((name) => `GroupMember groups/QA/members/${email(name)}`);

/** Creates a group whose members are not in the state. */
async function filledGroup(): Promise<State> {
  const group = await engine.create("Group", { name: "QA" });
  for (const id of Object.values(ids))
    await api.groupMembers.create("acme", Number(group.outs["groupId"]), { id });
  return group;
}

describe("an exclusive group with an empty list", () => {
  const nobody = { name: "QA", members: [], exclusive: true };

  it("deletes all its members, which the plan, the guards, the access impact and the estimate include", async () => {
    const group = await filledGroup();
    const plan = await planOf([planned("update", "groups/QA", group, nobody)]);
    expect(deleted(plan)).toEqual(everybody);

    const settings = { protectedKinds: ["GroupMember"], maxDeletes: 3 };
    expect(judge(plan.objects, { settings }).map(({ guard }) => guard)).toEqual(
      expect.arrayContaining(["protected-kind", "max-deletes", "max-delete-share"]),
    );
    expect((await accessImpact(plan.objects, undefined)).lines).toEqual([
      `${NAMES.map(email).join(", ")} are no longer members of group QA`,
    ]);

    const { baseUrl, workspace } = emulator;
    const nothing = { reads: new SharedReadCache(), refreshes: false, sizes: new Map<string, number>() };
    const { writes } = await estimate({ objects: plan.objects, ...nothing }, { baseUrl, workspace });
    emulator.journal.clear();
    await engine.up(group, nobody);
    expect(writes).toBe(emulator.journal.writes().length);
    expect(writes).toBe(4);
  });

  it("also deletes all its members when it is imported", async () => {
    await filledGroup();
    const created: PlannedObject = { operation: "create", type: "Group", name: "groups/QA", after: nobody };
    expect(deleted(await planOf([created]))).toEqual([]);
    expect(deleted(await planOf([created], true))).toEqual(everybody);
    expect(deleted(await planOf([{ ...created, after: { ...nobody, adopt: true } }]))).toEqual(everybody);
  });

  it("deletes members that were separate objects and are not in its list", async () => {
    const group = await engine.create("Group", { name: "QA" });
    const member = (name: "ann" | "bob") =>
      engine.create("GroupMember", { group: Number(group.outs["groupId"]), member: ids[name] });
    const [ann, bob] = [await member("ann"), await member("bob")];
    const plan = await planOf([
      planned("update", "groups/QA", group, { ...nobody, members: [ids.bob] }),
      planned("release", "groups/QA/members/ann@example.com", ann),
      planned("release", "groups/QA/members/bob@example.com", bob),
    ]);
    expect(plan.steps.map(({ operation, name }) => [operation, name])).toEqual([
      ["update", "groups/QA"],
      ["delete", "groups/QA/members/ann@example.com"],
      ["release", "groups/QA/members/bob@example.com"],
    ]);
    expect(listDoneWith(step(planned("release", "groups/QA/members/ann@example.com", ann)), [])).toHaveLength(
      1,
    );
  });
});

describe("an exclusive group", () => {
  const args = { name: "QA", members: [email("ann"), email("bob")], exclusive: true };

  it("sends no request while its list stays the same", async () => {
    const group = await engine.create("Group", args);
    const plan = await planOf([planned("update", "groups/QA", group, { ...args, description: "Testers" })]);
    expect([deleted(plan), plan.asked]).toEqual([[], 0]);
    expect(plan.objects.filter(({ within }) => within === "groups/QA")).toHaveLength(2);
  });

  it("deletes members that leave the list, except those listed in another form or created by the same plan", async () => {
    const group = await engine.create("Group", args);
    const after = { ...args, members: [ids.bob, UNKNOWN] };
    const plan = await planOf([planned("update", "groups/QA", group, after)]);
    expect(deleted(plan)).toEqual(["GroupMember groups/QA/members/ann@example.com"]);
    const [update] = plan.steps;
    expect(listDoneWith(update!, plan.steps).map(({ name }) => name)).toEqual([
      "groups/QA",
      "groups/QA/members/ann@example.com",
    ]);
  });

  it("also deletes members that the state does not contain yet", async () => {
    const group = await engine.create("Group", args);
    await api.groupMembers.create("acme", Number(group.outs["groupId"]), { id: ids.carol });
    const plan = await planOf([planned("update", "groups/QA", group, { ...args, members: [ids.ann] })]);
    expect(deleted(plan)).toEqual(everybody.slice(1, 3));
  });

  it("deletes all its members when it is deleted, and none when it stops being exclusive", async () => {
    const group = await engine.create("Group", args);
    const gone = await planOf([planned("delete", "groups/QA", group)]);
    expect(deleted(gone)).toEqual(["Group groups/QA", ...everybody.slice(0, 2)]);
    const open = await planOf([planned("update", "groups/QA", group, { name: "QA" })]);
    expect(deleted(open)).toEqual([]);
  });

  it("never deletes the calling user, who stays a member", async () => {
    const group = await engine.create("Group", args);
    const caller = (await api.user.get()).id;
    await api.groupMembers.create("acme", Number(group.outs["groupId"]), { id: caller });
    const plan = await planOf([planned("update", "groups/QA", group, { ...args, members: [] })]);
    expect(deleted(plan)).toEqual(everybody.slice(0, 2));
  });
});

describe("an exclusive project", () => {
  it("reports who loses which rights, including members that the state does not contain", async () => {
    await engine.create("PermissionSet", {
      name: "devs",
      description: "x",
      repositoryAccessLevel: "READ_WRITE",
      pipelineAccessLevel: "RUN_ONLY",
    });
    const web = await engine.create("Project", { name: "web" });
    const sets = await api.permissionSets.list("acme").toArray();
    const set = sets.find(({ name }) => name === "devs")!.id;
    await api.projectMembers.create("acme", "web", { id: ids.ann, permission_set: { id: set } });
    const after = { name: "web", members: [{ member: ids.bob, permissionSet: UNKNOWN }], exclusive: true };
    const plan = await planOf([planned("update", "projects/web", web, after)]);
    expect(deleted(plan)).toEqual(["ProjectMember projects/web/members/ann@example.com"]);
    const lookup = {
      known: () =>
        Promise.resolve({
          people: [{ id: ids.ann, name: email("ann") }],
          permissionSets: [{ id: set, name: "devs", repository: "READ_WRITE", pipelines: "RUN_ONLY" }],
        }),
      staying: () => Promise.resolve(new Map<number, string>()),
    };
    const { lines } = await accessImpact(plan.objects, undefined, lookup);
    expect(lines.filter((line) => line.startsWith("ann"))).toEqual([
      "ann@example.com loses read/write access to the repository and run-only access to the pipelines of web (no longer a member of the project)",
    ]);
    const own = judge(plan.objects, { callerId: ids.ann }).map(({ guard }) => guard);
    expect(own).toEqual(["own-access"]);
  });
});

it("an administrator loses the right if it is declared false or no longer declared", async () => {
  const ann = await engine.create("WorkspaceMember", { email: email("eve"), admin: true });
  for (const after of [{ email: email("eve"), admin: false }, { email: email("eve") }]) {
    const { lines } = await accessImpact(
      [planned("update", "members/eve@example.com", ann, after)],
      undefined,
    );
    expect(lines).toEqual(["eve@example.com is no longer an administrator"]);
  }
  await engine.up(ann, { email: email("eve") });
  expect((await api.members.get("acme", Number(ann.outs["memberId"]))).admin).toBe(false);
});
