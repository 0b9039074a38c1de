/** Tests which operations a plan permits, by the events of the engine. */
import { readFileSync, statSync } from "node:fs";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { expect, it } from "vitest";
import { PlannedWrites } from "../../../../cli/engine/plan/planned-writes.js";
import {
  PERMISSION_VARIABLE,
  readPermittedOperations,
} from "../../../../provider/adapters/permission-file.js";

const TYPE = "workspace-automation:index:Group";
const urnOf = (name: string) => `urn:pulumi:dev::app::${TYPE}::groups/${name}`;

function planOf(
  ...steps: readonly (readonly [op: string, name: string, old?: object | undefined, type?: string])[]
) {
  const writes = new PlannedWrites();
  for (const [op, name, old, type = TYPE] of steps)
    writes.onEvent({
      resOutputsEvent: { metadata: { op, urn: urnOf(name), type, ...(old ? { old } : {}) } },
    } as unknown as EngineEvent);
  writes.onEvent({ resourcePreEvent: { metadata: { op: "delete", urn: urnOf("A"), type: TYPE } } } as never);
  const file = writes.permitElsewhere()[PERMISSION_VARIABLE]!;
  return { file, operations: JSON.parse(readFileSync(file, "utf8")) as unknown };
}

it("are its creations, updates, replacements and deletions, with the ids of what exists", () => {
  const { operations } = planOf(
    ["create", "A"],
    ["update", "B", { id: "b" }],
    ["create-replacement", "C", { id: "c" }],
    ["replace", "C", { id: "c" }],
    ["delete", "D", { id: "d" }],
    ["delete-replaced", "C", { id: "c" }],
  );
  const type = "Group";
  expect(operations).toEqual([
    { kind: "create", type, urn: urnOf("A") },
    { kind: "update", type, urn: urnOf("B"), id: "b" },
    { kind: "create", type, urn: urnOf("C") },
    { kind: "delete", type, urn: urnOf("D"), id: "d" },
    { kind: "delete", type, urn: urnOf("C"), id: "c", afterCreation: true },
  ]);
});

it("are none that send nothing: what stays, is only read or released, and objects of other packages", () => {
  const { operations } = planOf(
    ["same", "A", { id: "a" }],
    ["refresh", "A", { id: "a" }],
    ["delete", "B", { id: "b", retainOnDelete: true }],
    ["create", "C", undefined, "aws:s3/bucket:Bucket"],
  );
  expect(operations).toEqual([]);
});

it("reach the provider of a program in a file that only its user can read", () => {
  const { file } = planOf(["delete", "D", { id: "d" }]);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const permitted = readPermittedOperations({ [PERMISSION_VARIABLE]: file });
  const other = { kind: "delete", type: "Group", id: "e" } as const;
  expect(() => permitted?.require(other)).toThrow("the plan does not contain this");
  expect(() => permitted?.require({ ...other, id: "d" })).not.toThrow();
  expect(readPermittedOperations({})).toBeUndefined();
});
