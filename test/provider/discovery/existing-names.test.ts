/** Tests that existing objects with names of a plan are found before anything is written. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { HIDDEN, UNKNOWN } from "../../../diff/values.js";
import { type ExpectedObject, findExistingObjects, getDefinition } from "../../../provider/index.js";
import { openHomeJournal } from "../../../recovery/home-journal.js";
import { freshForEach } from "../fresh.js";

const fresh = freshForEach();
let journal: string;

beforeEach(() => {
  journal = mkdtempSync(join(tmpdir(), "existing-"));
});
afterEach(() => rmSync(journal, { recursive: true }));

type Declared = Readonly<Record<string, unknown>>;

/**
 * Returns an object that a plan would create; `refers` maps its arguments to the objects that they refer to.
 */
function created(
  type: string,
  name: string,
  after: Declared,
  refers: Readonly<Record<string, string>> = {},
): ExpectedObject {
  return {
    operation: "create",
    definition: getDefinition(type),
    name,
    after,
    refersTo: (arg) => refers[arg],
  };
}

async function existing(objects: readonly ExpectedObject[], env: NodeJS.ProcessEnv = {}) {
  const { baseUrl, token, workspace } = fresh.emulator;
  const connection = { baseUrl, token, workspace, allowInsecure: false };
  const world = {
    connection,
    journal: openHomeJournal({ env: { WORKSPACE_AUTOMATION_JOURNAL: join(journal, "none"), ...env } }),
    env,
  };
  fresh.emulator.journal.clear();
  const { found, absent } = await findExistingObjects(world, objects);
  const requests = fresh.emulator.journal.requests.map(({ method, path }) => `${method} ${path}`);
  expect(requests.filter((line) => !line.startsWith("GET"))).toEqual([]);
  return { found, absent, requests };
}

const pipelineArgs = { name: "deploy", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" };

describe("the name of an object that a plan creates", () => {
  it("is looked up in the workspace and in existing parents only", async () => {
    const { engine } = fresh;
    await engine.create("Group", { name: "QA" });
    const web = await engine.create("Project", { name: "web" });
    await engine.create("Pipeline", { project: "web", projectId: web.id, ...pipelineArgs });
    await engine.create("Variable", { key: "TIER", value: "1", project: "web", projectId: web.id });

    const inWeb = { project: "projects/web" };
    const inShop = { project: "projects/shop" };
    const { found, absent, requests } = await existing([
      created("Group", "groups/QA", { name: "QA", description: "Testers" }),
      created("Group", "groups/Ops", { name: "Ops" }),
      created("Project", "projects/web", { name: "web" }),
      created("Project", "projects/shop", { name: "shop" }),
      created(
        "Pipeline",
        "projects/web/pipelines/deploy",
        { project: "web", projectId: UNKNOWN, ...pipelineArgs },
        inWeb,
      ),
      created(
        "Pipeline",
        "projects/shop/pipelines/deploy",
        { project: "shop", projectId: UNKNOWN, ...pipelineArgs },
        inShop,
      ),
      created("Variable", "projects/web/variables/TIER", { key: "TIER", value: "2", project: "web" }, inWeb),
      created(
        "Variable",
        "projects/shop/variables/TIER",
        { key: "TIER", value: "2", project: "shop" },
        inShop,
      ),
      created("Variable", "variables/TIER", { key: "TIER", value: "2" }),
      created(
        "Action",
        "projects/web/pipelines/deploy/actions/Build",
        { pipeline: UNKNOWN, project: "web", name: "Build", type: "SLEEP" },
        { pipeline: "projects/web/pipelines/deploy" },
      ),
    ]);

    // What would be in the new project cannot be known: the service may create it along with the project.
    expect(absent).toEqual([
      "groups/Ops",
      "projects/shop",
      "variables/TIER",
      "projects/web/pipelines/deploy/actions/Build",
    ]);
    expect(
      found.map(({ name, called, adopted, adoptable }) => ({ name, called, adopted, adoptable })),
    ).toEqual([
      { name: "groups/QA", called: 'group "QA"', adopted: false, adoptable: true },
      { name: "projects/web", called: 'project "web"', adopted: false, adoptable: true },
      {
        name: "projects/web/pipelines/deploy",
        called: 'pipeline "deploy" of project "web"',
        adopted: false,
        adoptable: true,
      },
      {
        name: "projects/web/variables/TIER",
        called: 'variable "TIER" of project "web"',
        adopted: false,
        adoptable: true,
      },
    ]);
    // Objects in a new parent are not looked up.
    expect(requests.filter((line) => line.includes("/projects/shop"))).toEqual([]);
  });

  it("is reported as adopted, with the changes, when the program says so", async () => {
    await fresh.engine.create("Group", { name: "QA", description: "Hobby club" });
    const { found } = await existing([
      created("Group", "groups/QA", { name: "QA", description: "Testers", adopt: true }),
    ]);
    expect(found).toMatchObject([
      { name: "groups/QA", adopted: true, sends: ["description"], before: { description: "Hobby club" } },
    ]);
  });

  it("is reported as adopted after a crash on another machine when the environment says so", async () => {
    await fresh.engine.create("Group", { name: "QA" });
    const group = created("Group", "groups/QA", { name: "QA" });
    const env = { WORKSPACE_AUTOMATION_ADOPT_AFTER_CRASH: "1" };
    expect((await existing([group], env)).found).toMatchObject([{ adopted: true, sends: [] }]);
  });

  it("cannot be adopted by a renamed object", async () => {
    await fresh.engine.create("Group", { name: "QA" });
    const ops = await fresh.engine.create("Group", { name: "Ops" });
    const renamed = {
      ...created("Group", "groups/Ops", { name: "QA" }),
      operation: "update",
      before: ops.outs,
    };
    expect((await existing([renamed])).found).toMatchObject([{ adopted: false, adoptable: false }]);
    const kept = {
      ...created("Group", "groups/Ops", { name: "Ops", description: "x" }),
      operation: "update",
      before: ops.outs,
    };
    expect(await existing([kept])).toEqual({ found: [], absent: [], requests: [] });
  });

  it("is never adopted where the state contains the object, under its own or another logical name", async () => {
    const { engine } = fresh;
    const qa = await engine.create("Group", { name: "QA" });
    const args = { name: "QA", adopt: true };
    const replaced = { ...created("Group", "groups/QA", args), operation: "replace", before: qa.outs };
    expect((await existing([replaced])).found).toEqual([]);
    expect((await existing([{ ...replaced, createdFirst: true }])).found).toMatchObject([
      { name: "groups/QA", managedAs: "groups/QA", adopted: false, adoptable: false },
    ]);
    const { after: _after, ...rest } = replaced;
    const deleted = { ...rest, operation: "delete", name: "groups/testers" };
    expect((await existing([deleted, created("Group", "groups/QA", args)])).found).toMatchObject([
      { name: "groups/QA", managedAs: "groups/testers", adopted: false, adoptable: false },
    ]);
  });

  it("is created once, if two declarations differ only by its spelling", async () => {
    const { found } = await existing([
      created("Group", "groups/one", { name: "Caf\u00e9" }),
      created("Group", "groups/two", { name: "Cafe\u0301", adopt: true }),
      created("Group", "groups/three", { name: "cafe" }),
    ]);
    expect(found).toMatchObject([{ name: "groups/two", managedAs: "groups/one", adopted: false, ids: [] }]);
  });

  it("is another object in each group, although the person is the same", async () => {
    const { api, engine } = fresh;
    const bob = await engine.create("WorkspaceMember", { email: "bob@example.com" });
    const member = Number(bob.outs["memberId"]);
    const [qa, ops] = [
      await api.groups.create("acme", { name: "QA" }),
      await api.groups.create("acme", { name: "Ops" }),
    ];
    const inQa = await engine.create("GroupMember", { group: qa.id, member });
    await api.groupMembers.create("acme", ops.id, { id: member });
    const same = {
      ...created("GroupMember", "groups/QA/members/bob", { group: qa.id, member }),
      operation: "same",
      before: inQa.outs,
    };
    const added = created("GroupMember", "groups/Ops/members/bob", { group: ops.id, member });
    expect((await existing([same, added])).found).toMatchObject([
      { name: "groups/Ops/members/bob", adopted: true },
    ]);
  });

  it("is reported without secrets of the existing object", async () => {
    await fresh.engine.create("Variable", { key: "API_KEY", value: "in-clear-here" });
    const { found } = await existing([
      created("Variable", "variables/API_KEY", {
        key: "API_KEY",
        value: HIDDEN,
        encrypted: true,
        adopt: true,
      }),
    ]);
    expect(found).toMatchObject([{ adopted: true }]);
    expect(JSON.stringify(found)).not.toContain("in-clear-here");
  });
});
