/** Tests which created and deleted objects are recognized as renamed in the file. */
import { describe, expect, it } from "vitest";
import type { PlannedObject } from "../../../automation/plan/planned-objects.js";
import {
  findEqualPairs,
  findPossibleRenames,
  listNotMoved,
  renameHint,
} from "../../../automation/plan/renames.js";
import { HIDDEN, UNKNOWN } from "../../../diff/values.js";

type Args = Record<string, unknown>;
const created = (type: string, name: string, after: Args): PlannedObject => ({
  operation: "create",
  type,
  name,
  after,
});
const deleted = (type: string, name: string, inputs: Args): PlannedObject => ({
  operation: "delete",
  type,
  name,
  inputs,
  before: inputs,
});
const young = created("Project", "projects/shop2", { workspace: "acme", name: "shop2" });
const old = deleted("Project", "projects/shop", { workspace: "acme", name: "shop" });
const child = (parent: string, value: unknown) => ({ project: parent, key: "A", value });
const youngChild = (value: unknown) =>
  created("Variable", "projects/shop2/variables/A", child("shop2", value));
const oldChild = (value: unknown) => deleted("Variable", "projects/shop/variables/A", child("shop", value));
const other = deleted("Project", "projects/other", { workspace: "acme", name: "other" });
const group = created("Group", "groups/shop2", { workspace: "acme", name: "shop2" });

const order = (name: string) => `projects/${name}/pipelines/deploy/actionOrder`;
const youngOrder = created("ActionOrder", order("shop2"), {
  project: "shop2",
  pipeline: UNKNOWN,
  actions: UNKNOWN,
});
const oldOrder = deleted("ActionOrder", order("shop"), { project: "shop", pipeline: 7, actions: [12, 13] });
const known = created("ActionOrder", order("shop2"), { project: "shop", pipeline: 7, actions: [13, 12] });
const laterValue = youngChild(UNKNOWN);

describe("equal pairs of a plan", () => {
  it.each<[string, PlannedObject[], number]>([
    ["a renamed object", [young, old], 1],
    ["with equal contents, the topmost alone", [young, old, youngChild("x"), oldChild("x")], 1],
    ["with two secrets, which are not compared", [young, old, youngChild(HIDDEN), oldChild(HIDDEN)], 1],
    ["not a secret and a plaintext value", [young, old, youngChild(HIDDEN), oldChild("x")], 0],
    ["with references to what is created as well", [young, old, youngOrder, oldOrder], 1],
    ["not with other references", [young, old, known, oldOrder], 0],
    ["not with another value that is known later", [young, old, laterValue, oldChild("x")], 0],
    ["not with other contents", [young, old, youngChild("x"), oldChild("y")], 0],
    ["not with more contents", [young, old, oldChild("x")], 0],
    ["not two candidates", [young, old, other], 0],
    ["not another type", [group, old], 0],
    ["not an object that is released", [young, { ...old, operation: "release" }], 0],
  ])("are %s", (_what, objects, count) => {
    const names = findEqualPairs(objects).map((pair) => pair.map(({ name }) => name));
    expect(names).toEqual(count === 1 ? [["projects/shop2", "projects/shop"]] : []);
  });

  it("come with the line to write and its place", () => {
    const declared = {
      declarations: [{ name: "projects/shop2", path: ["projects", "shop2"] }],
      locate: () => ({ file: "workspace.yaml", line: 12, column: 3 }),
    } as unknown as Parameters<typeof findPossibleRenames>[1];
    expect(findPossibleRenames([young, old], declared).map(renameHint)).toEqual([
      'projects/shop2 looks like projects/shop, which is deleted. If it was renamed, write "previously: [shop]" in its entry (workspace.yaml:12).',
    ]);
    expect(findPossibleRenames([young, old], undefined)).toEqual([]);
  });

  it.each([
    ["projects/Old shop", "previously: [Old shop]"],
    ["projects/a%2Fb", "previously: [a/b]"],
    ["projects/yes: [1]", 'previously: ["yes: [1]"]'],
    ["projects/7", 'previously: ["7"]'],
  ])("name %s so that YAML reads the key", (name, line) => {
    const former = deleted("Project", name, { workspace: "acme", name: "x" });
    const declared = {
      declarations: [{ name: "projects/shop2", path: ["projects", "shop2"] }],
      locate: () => ({ file: "workspace.yaml", line: 12, column: 3 }),
    } as unknown as Parameters<typeof findPossibleRenames>[1];
    expect(findPossibleRenames([young, former], declared).map(({ write }) => write)).toEqual([line]);
  });
});

describe("a former name that nothing has", () => {
  const declarationOf = (former: string) => [{ name: young.name, formerNames: [`projects/${former}`] }];

  it("is named where something else in the list is deleted", () => {
    expect(listNotMoved([young, old], declarationOf("shpo"))).toEqual([
      "projects/shop2 is created, not renamed: the stack has nothing that `previously: [shpo]` names. " +
        'Did you mean "shop"?',
    ]);
    expect(listNotMoved([young, old, other], declarationOf("intranet"))).toEqual([
      expect.stringContaining("What is deleted: shop, other") as string,
    ]);
  });

  it("is no news where nothing is deleted, or nothing is created", () => {
    expect(listNotMoved([young], declarationOf("shpo"))).toEqual([]);
    expect(listNotMoved([old], declarationOf("shpo"))).toEqual([]);
  });
});
