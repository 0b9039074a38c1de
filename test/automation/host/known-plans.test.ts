/** Tests which deletions are planned without the engine; known-plans.long.test.ts compares the plans with the engine's. */
import { expect, it } from "vitest";
import { planDeletions } from "../../../automation/host/known-plans.js";
import type { StateEntry } from "../../../automation/stack/state.js";
import { SECRET, urn } from "../events.js";

const type = "pulumi-nodejs:dynamic/workspace-automation:Group";
const group = (name: string, more: Partial<StateEntry> = {}): StateEntry => ({
  ...{ urn: urn("Group", name), type, custom: true, id: `acme/${name}`, inputs: {}, outputs: {} },
  ...more,
});
const root = { urn: "urn:pulumi:dev::shop::pulumi:pulumi:Stack::shop-dev", type: "pulumi:pulumi:Stack" };

it("everything in a state is deleted, what was created last first, and secrets are masked", () => {
  const description = { ...SECRET, ciphertext: "v1:abc" };
  const events = planDeletions({ resources: [root, group("a"), group("b", { inputs: { description } })] });
  const all = events?.map(({ resOutputsEvent }) => resOutputsEvent?.metadata);
  expect(all?.map((one) => [one?.op, one?.urn])).toEqual([
    ["delete", urn("Group", "b")],
    ["delete", urn("Group", "a")],
    ["delete", root.urn],
  ]);
  expect(all?.[0]?.old?.inputs).toEqual({ description: SECRET });
});

it.each<[string, Partial<StateEntry>]>([
  ["protected", { protect: true }],
  ["kept", { retainOnDelete: true }],
  ["deleted along with another one", { deletedWith: urn("Group", "a") }],
  ["replaced and still to be deleted", { delete: true }],
  ["about to be replaced", { pendingReplacement: true }],
  ["read only", { external: true }],
  ["half done", { initErrors: ["refused"] }],
  ["of another provider", { type: "aws:s3/bucket:Bucket" }],
  ["of what a later release of Pulumi adds", { hooks: {} }],
])("an object that is %s leaves the plan to the engine", (_what, more) => {
  expect(planDeletions({ resources: [group("a"), group("b", more)] })).toBeUndefined();
});

it("an operation that a killed engine has begun leaves the plan to the engine", () => {
  const pending = { type: "creating", resource: group("a") };
  expect(planDeletions({ resources: [], pending_operations: [pending] })).toBeUndefined();
});
