/** Tests automation/stack/state-integrity.ts. */
import { describe, expect, it } from "vitest";
import type { StateEntry } from "../../../automation/stack/state.js";
import { findDamage, repairState } from "../../../automation/stack/state-integrity.js";

const urn = (name: string) =>
  `urn:pulumi:dev::p::pulumi-nodejs:dynamic/workspace-automation:Group::groups/${name}`;

function entry(name: string, id: string, more: Partial<StateEntry> = {}): StateEntry {
  return { urn: urn(name), type: "pulumi-nodejs:dynamic/workspace-automation:Group", id, ...more };
}

function repair(...resources: StateEntry[]): readonly StateEntry[] | undefined {
  const latest = { resources, metadata: { integrity_error: { error: "duplicate resource" } } };
  const text = repairState(JSON.stringify({ version: 3, checkpoint: { latest } }));
  if (text === undefined) return undefined;
  const state = JSON.parse(text) as { checkpoint: { latest: typeof latest }; version: number };
  expect(state.version).toBe(3);
  expect(state.checkpoint.latest.metadata).toEqual({});
  expect(findDamage(state.checkpoint.latest)).toBeUndefined();
  return state.checkpoint.latest.resources;
}

const later = { modified: "2026-02-01T00:00:00Z", inputs: { description: "new" } };
const earlier = { modified: "2026-01-01T00:00:00Z", inputs: { description: "old" } };
const inIt = { dependencies: [urn("QA")] };

describe("the state of a stack", () => {
  it("is accepted with what is left of a replaced object", () => {
    expect(findDamage({})).toBeUndefined();
    const resources = [entry("QA", "2"), entry("QA", "1", { delete: true }), entry("Ops", "3", inIt)];
    expect(findDamage({ resources })).toBeUndefined();
    expect(repair(...resources)).toBeUndefined();
  });

  it("keeps the latest of several entries of one object", () => {
    const resources = [entry("QA", "1", earlier), entry("QA", "1", later), entry("Ops", "3", inIt)];
    expect(findDamage({ resources })).toBe("it contains groups/QA 2 times");
    expect(repair(...resources)).toEqual([entry("QA", "1", later), entry("Ops", "3", inIt)]);
  });

  it("has objects after those to which they refer, and no reference to a missing one", () => {
    const resources = [entry("Ops", "3", inIt), entry("QA", "1")];
    expect(findDamage({ resources })).toBe("groups/Ops refers to groups/QA, which is not before it");
    expect(repair(...resources)).toEqual([entry("QA", "1"), entry("Ops", "3", inIt)]);
    expect(repair(entry("Ops", "3", inIt))).toEqual([entry("Ops", "3", { dependencies: [] })]);
  });

  it("is not repaired where two objects have one name", () => {
    expect(repair(entry("QA", "1"), entry("QA", "2"))).toBeUndefined();
    expect(repairState("{")).toBeUndefined();
  });
});
