/** Tests automation/plan/selected-objects.ts. */
import { describe, expect, it } from "vitest";
import { refuseOutside, selectObjects, withOutside } from "../../../automation/plan/selected-objects.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";

const action = (name: string) =>
  `{ name: ${name}, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }`;

const file = (actions: string, more = "") => `version: 1
workspace: acme
permissionSets: { deployers: { description: Deploys, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY } }
members: { ann@example.com: {} }
projects:
  web:
    members: { ann@example.com: { permissionSet: deployers } }
    pipelines: { deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main, actions: [${actions}] } }
${more}`;

/** Objects of a state by logical name, with what each depends on. */
type State = Readonly<
  Record<string, { type: string; on?: readonly string[]; inputs?: Readonly<Record<string, unknown>> }>
>;

const urn = (type: string, name: string) =>
  `urn:pulumi:dev::p::pulumi-nodejs:dynamic/workspace-automation:${type}::${name}`;

function select(text: string, state: State, ...only: string[]) {
  const declared = readDeclarations("-", { env: {}, stdin: () => text });
  const resources = Object.entries(state).map(([name, { type, on = [], inputs = {} }]) => ({
    urn: urn(type, name),
    type: `pulumi-nodejs:dynamic/workspace-automation:${type}`,
    inputs,
    dependencies: on.map((other) => urn(state[other]?.type ?? "", other)),
  }));
  const facts = {
    file: "-",
    workspace: "acme",
    connection: undefined,
    engine: undefined,
    types: new Set<string>(),
  };
  const open = {
    file: { ...facts, guards: () => ({}), declared },
    state: () => Promise.resolve({ resources }),
  };
  return selectObjects(open, { only });
}

const deploy = "projects/web/pipelines/deploy";
const whole: State = {
  "projects/web": { type: "Project" },
  [deploy]: { type: "Pipeline", on: ["projects/web"] },
  [`${deploy}/actions/a`]: { type: "Action", on: [deploy] },
  [`${deploy}/actions/b`]: { type: "Action", on: [deploy, `${deploy}/actions/a`] },
  [`${deploy}/actionOrder`]: {
    type: "ActionOrder",
    on: [deploy, `${deploy}/actions/a`, `${deploy}/actions/b`],
  },
};

describe("a selection", () => {
  it("adds what does not exist yet and is needed, directly or indirectly", async () => {
    const chosen = await select(file(action("a")), {}, "projects/web/members/*");
    expect(chosen?.needed).toEqual(["members/ann@example.com", "permissionSets/deployers", "projects/web"]);
    expect(chosen?.others).toBe(2);
    const there = await select(
      file(action("a")),
      { "projects/web": { type: "Project" } },
      "projects/web/members/*",
    );
    expect(there?.needed).not.toContain("projects/web");
  });

  it("contains the order of a list with each item of it, unless other items are missing", async () => {
    const both = `${action("a")}, ${action("b")}`;
    const one = await select(file(both), whole, `${deploy}/actions/a`);
    expect([...(one?.names ?? [])]).toEqual([`${deploy}/actions/a`, `${deploy}/actionOrder`]);
    const more = await select(file(`${both}, ${action("c")}`), whole, `${deploy}/actions/a`);
    expect([...(more?.names ?? [])]).toEqual([`${deploy}/actions/a`]);
    // The state of the order refers to a deleted item.
    const gone = await select(file(action("a")), whole, `${deploy}/actions/b`);
    expect([...(gone?.names ?? [])]).toEqual([`${deploy}/actions/b`, `${deploy}/actionOrder`]);
  });

  it("follows a former name, and names the object of the state as Pulumi knows it", async () => {
    const text = file("", "groups: { New: { name: Old, previously: [Old] } }");
    const chosen = await select(text, { "groups/Old": { type: "Group" } }, "groups/Old");
    expect([...(chosen?.names ?? [])]).toEqual(["groups/New"]);
    expect(chosen?.targets).toEqual([urn("Group", "groups/Old"), "**:Group::groups/New"]);
  });

  it("takes along what is in a renamed object and what depends on it", async () => {
    const text = file(`${action("a")}, ${action("b")}`);
    const chosen = await select(
      text.replace("  web:", "  shop:\n    previously: [web]"),
      whole,
      "projects/shop",
    );
    const shop = "projects/shop/pipelines/deploy";
    const all = [shop, `${shop}/actionOrder`, `${shop}/actions/a`, `${shop}/actions/b`];
    expect(chosen?.following).toEqual(all);
    expect(chosen?.outside).toEqual([]);
    // The second action depends on the first one, because they are created one after the other.
    const renamed = action("c").replace("{", "{ previously: [a],");
    const first = await select(file(`${renamed}, ${action("b")}`), whole, `${deploy}/actions/c`);
    expect(first?.following).toEqual([`${deploy}/actionOrder`, `${deploy}/actions/b`]);
  });

  it("refuses to delete what is in a renamed object without being asked to", async () => {
    const text = file("", "groups: { New: { previously: [Old] } }");
    const state: State = {
      "groups/Old": { type: "Group" },
      "groups/Old/members/x": { type: "GroupMember", on: ["groups/Old"] },
    };
    await expect(select(text, state, "groups/New")).rejects.toThrow(
      "groups/New is renamed, and groups/Old/members/x would be deleted with it",
    );
    await expect(select(text, state, "groups/New", "groups/Old/**")).resolves.toMatchObject({
      following: [],
    });
  });

  it.each([
    ["a pattern without a match", ["projekts/**"], "matches no object of the file or the state"],
    ["an object on which others depend", [`${deploy}/actions/a`], "would be deleted, and"],
  ])("refuses %s", async (_what, only, message) => {
    await expect(select(file(action("b")), whole, ...only)).rejects.toThrow(message);
  });

  it("refuses a member of a list whose owner changes", async () => {
    const text = file("", "groups: { QA: { exclusive: true, members: [ann@example.com] } }");
    const state: State = { "groups/QA": { type: "Group" }, "groups/QA/members/x": { type: "GroupMember" } };
    await expect(select(text, state, "groups/QA/members/*")).rejects.toThrow('add --only "groups/QA"');
    await expect(select(text, state, "groups/**")).resolves.toBeDefined();
    // The state knows the owner under its former name.
    const renamed = text.replace("QA: { exclusive", "New: { previously: [QA], exclusive");
    await expect(select(renamed, state, "groups/QA/members/*")).rejects.toThrow('add --only "groups/New"');
  });

  it("refuses a plan that changes anything else, and lets guards count with the others", async () => {
    const state: State = { ...whole, "groups/QA": { type: "Group", inputs: { name: "QA" } } };
    const chosen = await select(file(`${action("a")}, ${action("b")}`), state, deploy);
    const step = { type: "Group", changes: [], replacedFor: [], reasons: [] };
    expect(() => refuseOutside([{ ...step, operation: "delete", name: "groups/QA" }], chosen)).toThrow(
      "this would delete groups/QA too",
    );
    expect(() => refuseOutside([{ ...step, operation: "replace", name: deploy }], chosen)).toThrow(
      "would be replaced",
    );
    expect(() => refuseOutside([{ ...step, operation: "update", name: deploy }], chosen)).not.toThrow();
    expect(withOutside([], chosen)).toContainEqual({
      operation: "same",
      type: "Group",
      name: "groups/QA",
      before: { name: "QA" },
      after: { name: "QA" },
    });
  });
});
