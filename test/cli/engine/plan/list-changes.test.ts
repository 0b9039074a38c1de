/** Who leaves a list that a group or project holds (`exclusive: true`) is deleted: for the plan, guards, access and estimate. */
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { accessImpact } from "../../../../cli/policies/access-impact/planned.js";
import { estimate } from "../../../../cli/policies/request-budget/estimate.js";
import { doneWith, withListed } from "../../../../cli/engine/plan/list-changes.js";
import type { PlannedObject } from "../../../../cli/engine/plan/objects.js";
import type { PlanStep } from "../../../../cli/engine/plan/steps.js";
import { startEmulator, type Emulator } from "../../../../emulator/index.js";
import { WorkspaceAutomationClient } from "../../../../client/index.js";
import { UNKNOWN } from "../../../../diff/values.js";
import { SharedReads } from "../../../../provider/index.js";
import { Engine, type State } from "../../../provider/engine.js";
import { judge } from "../../policies/guards/plan.js";
import { testIo } from "../../support.js";

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

/** An object of a plan, as the engine tells of it. */
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

/** The plan of these objects, with who is in the lists that they hold. */
async function planOf(objects: readonly PlannedObject[], adopts = false) {
  const { baseUrl, token, workspace } = emulator;
  const connection = { name: "test", baseUrl, token, workspace, allowInsecure: false };
  const steps = objects.filter(({ operation }) => operation !== "same").map(step);
  emulator.journal.clear();
  const plan = await withListed(
    { objects, steps },
    { connection, io: testIo().io, stack: { reads: new SharedReads() } },
    adopts,
  );
  expect(emulator.journal.writes()).toEqual([]);
  return { ...plan, asked: emulator.journal.requests.length };
}

const deleted = ({ steps }: { steps: readonly PlanStep[] }) =>
  steps.filter(({ operation }) => operation === "delete").map(({ type, name }) => `${type} ${name}`);

const everybody = NAMES.map((name) => `GroupMember groups/QA/members/${email(name)}`);

/** A group with people in it whom no state knows. */
async function filledGroup(): Promise<State> {
  const group = await engine.create("Group", { name: "QA" });
  for (const id of Object.values(ids))
    await api.groupMembers.create("acme", Number(group.outs["groupId"]), { id });
  return group;
}

describe("a group that is to hold nobody", () => {
  const nobody = { name: "QA", members: [], exclusive: true };

  it("deletes everybody in it: named in the plan, judged by every guard, counted, and told as a loss", async () => {
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
    const nothing = { reads: new SharedReads(), refreshes: false, sizes: new Map<string, number>() };
    const { writes } = await estimate({ objects: plan.objects, ...nothing }, { baseUrl, workspace });
    emulator.journal.clear();
    await engine.up(group, nobody);
    expect(writes).toBe(emulator.journal.writes().length);
    expect(writes).toBe(4);
  });

  it("also when it is taken over", async () => {
    await filledGroup();
    const created: PlannedObject = { operation: "create", type: "Group", name: "groups/QA", after: nobody };
    expect(deleted(await planOf([created]))).toEqual([]);
    expect(deleted(await planOf([created], true))).toEqual(everybody);
    expect(deleted(await planOf([{ ...created, after: { ...nobody, adopt: true } }]))).toEqual(everybody);
  });

  it("deletes members that were objects of their own: they do not change hands", async () => {
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
    expect(doneWith(step(planned("release", "groups/QA/members/ann@example.com", ann)), [])).toHaveLength(1);
  });
});

describe("a group that holds its members", () => {
  const args = { name: "QA", members: [email("ann"), email("bob")], exclusive: true };

  it("asks nothing while its list stays as it is", async () => {
    const group = await engine.create("Group", args);
    const plan = await planOf([planned("update", "groups/QA", group, { ...args, description: "Testers" })]);
    expect([deleted(plan), plan.asked]).toEqual([[], 0]);
    expect(plan.objects.filter(({ within }) => within === "groups/QA")).toHaveLength(2);
  });

  it("deletes who leaves it, and nobody whom the file names otherwise or makes in the same plan", async () => {
    const group = await engine.create("Group", args);
    const after = { ...args, members: [ids.bob, UNKNOWN] };
    const plan = await planOf([planned("update", "groups/QA", group, after)]);
    expect(deleted(plan)).toEqual(["GroupMember groups/QA/members/ann@example.com"]);
    const [update] = plan.steps;
    expect(doneWith(update!, plan.steps).map(({ name }) => name)).toEqual([
      "groups/QA",
      "groups/QA/members/ann@example.com",
    ]);
  });

  it("deletes also those whom the state does not know yet: without a refresh, too", async () => {
    const group = await engine.create("Group", args);
    await api.groupMembers.create("acme", Number(group.outs["groupId"]), { id: ids.carol });
    const plan = await planOf([planned("update", "groups/QA", group, { ...args, members: [ids.ann] })]);
    expect(deleted(plan)).toEqual(everybody.slice(1, 3));
  });

  it("takes them all along when it goes itself, and nobody when it gives the list up", async () => {
    const group = await engine.create("Group", args);
    const gone = await planOf([planned("delete", "groups/QA", group)]);
    expect(deleted(gone)).toEqual(["Group groups/QA", ...everybody.slice(0, 2)]);
    const open = await planOf([planned("update", "groups/QA", group, { name: "QA" })]);
    expect(deleted(open)).toEqual([]);
  });

  it("never counts the calling user, who stays", async () => {
    const group = await engine.create("Group", args);
    const caller = (await api.user.get()).id;
    await api.groupMembers.create("acme", Number(group.outs["groupId"]), { id: caller });
    const plan = await planOf([planned("update", "groups/QA", group, { ...args, members: [] })]);
    expect(deleted(plan)).toEqual(everybody.slice(0, 2));
  });
});

describe("a project that holds its members", () => {
  it("tells who loses which rights, also those whom no state knows", async () => {
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
      "ann@example.com loses READ_WRITE on repository and RUN_ONLY on pipelines of web (no longer a member of the project)",
    ]);
    const own = judge(plan.objects, { callerId: ids.ann }).map(({ guard }) => guard);
    expect(own).toEqual(["own-access"]);
  });
});

it("an administrator who is declared as none, or without a word, is one no longer", async () => {
  const ann = await engine.create("WorkspaceMember", { email: email("eve"), admin: true });
  for (const after of [{ email: email("eve"), admin: false }, { email: email("eve") }]) {
    const { lines } = await accessImpact(
      [planned("update", "members/eve@example.com", ann, after)],
      undefined,
    );
    expect(lines).toEqual(["eve@example.com is administrator no longer"]);
  }
  await engine.up(ann, { email: email("eve") });
  expect((await api.members.get("acme", Number(ann.outs["memberId"]))).admin).toBe(false);
});
