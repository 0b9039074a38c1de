/** Tests which states are the same for a plan. */
import { expect, it } from "vitest";
import type { Deployment } from "../../../automation/stack/state.js";
import { identifyState } from "../../../automation/stack/state-version.js";

const group = {
  urn: "urn:pulumi:dev::app::Group::groups/QA",
  type: "Group",
  id: "7",
  inputs: { name: "QA" },
};
const pending = { type: "creating", resource: group };

it("is the same for the same objects, whatever the time of the state and its key", () => {
  const at = (time: string) => ({
    manifest: { time },
    secrets_providers: { type: time },
    resources: [group],
  });
  expect(identifyState(at("10:00"))).toBe(identifyState(at("11:00")));
  expect(identifyState({})).toBe(identifyState({ resources: [], pending_operations: [] }));
});

it.each<[what: string, other: Deployment]>([
  ["an argument", { resources: [{ ...group, inputs: { name: "QB" } }] }],
  ["an id", { resources: [{ ...group, id: "8" }] }],
  ["the protection", { resources: [{ ...group, protect: true }] }],
  ["another object", { resources: [group, { ...group, urn: `${group.urn}2` }] }],
  ["no object", { resources: [] }],
  ["an operation that was interrupted", { resources: [group], pending_operations: [pending] }],
])("differs by %s", (_what, other) => {
  expect(identifyState(other)).not.toBe(identifyState({ resources: [group] }));
});
