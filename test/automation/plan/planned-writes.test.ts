/** Tests which operations a plan permits, by the events of the engine. */
import { readFileSync, statSync } from "node:fs";
import type { EngineEvent } from "@pulumi/pulumi/automation/index.js";
import { expect, it } from "vitest";
import { PlannedWrites } from "../../../automation/plan/planned-writes.js";
import {
  openPlannedArguments,
  PERMISSION_VARIABLE,
  type PermissionFile,
  readPermittedOperations,
} from "../../../provider/adapters/permission-file.js";

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
  const permit = () => {
    const file = writes.permitElsewhere()[PERMISSION_VARIABLE]!;
    return { file, ...(JSON.parse(readFileSync(file, "utf8")) as PermissionFile) };
  };
  return { writes, permit, ...permit() };
}

it("are its creations, updates, replacements and deletions, with the ids of what exists", () => {
  const { operations, removals } = planOf(
    ["create", "A"],
    ["update", "B", { id: "b" }],
    ["create-replacement", "C", { id: "c" }],
    ["replace", "C", { id: "c" }],
    ["delete", "D", { id: "d" }],
    ["delete-replaced", "C", { id: "c" }],
    ["update", "E", { id: "e", retainOnDelete: true }],
  );
  const type = "Group";
  expect(operations).toEqual([
    { kind: "create", type, urn: urnOf("A") },
    { kind: "update", type, urn: urnOf("B"), id: "b" },
    { kind: "create", type, urn: urnOf("C") },
    { kind: "delete", type, urn: urnOf("D"), id: "d" },
    { kind: "delete", type, urn: urnOf("C"), id: "c", afterCreation: true },
    { kind: "update", type, urn: urnOf("E"), id: "e" },
  ]);
  expect(removals).toEqual([]);
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
  expect(() => permitted?.require(other)).toThrow("the plan that was shown does not contain this step");
  expect(() => permitted?.require({ ...other, id: "d" })).not.toThrow();
  expect(readPermittedOperations({})).toBeUndefined();
});

it("are deletions after a creation only where that creates the same object anew", () => {
  const { operations } = planOf(
    ["create-replacement", "C", { id: "c" }],
    ["delete-replaced", "C", { id: "c" }],
    // An earlier run has replaced it, and could not delete it.
    ["delete-replaced", "C", { id: "earlier" }],
    ["delete-replaced", "D", { id: "d" }],
    ["create-replacement", "D", { id: "d" }],
    ["update", "E", { id: "e" }],
    ["delete", "E", { id: "e" }],
  );
  expect(operations.map(({ id, afterCreation }) => [id, afterCreation])).toEqual([
    [undefined, undefined],
    ["c", true],
    ["earlier", undefined],
    ["d", undefined],
    [undefined, undefined],
    ["e", undefined],
    ["e", undefined],
  ]);
});

it("are the adoptions and the removals from lists that the checks of the plan have found", () => {
  const { writes, permit } = planOf(
    ["create", "A"],
    ["create", "B"],
    ["create", "C"],
    ["update", "D", { id: "d" }],
  );
  const adopted = { id: "a", sends: ["description"] };
  const removals = [{ list: "groups/7/members", identity: 3 }];
  const adoptions = new Map([
    ["Group groups/A", adopted],
    ["Group groups/B", null],
    ["Group groups/D", null],
  ]);
  writes.complete({ adoptions, removals });
  const { operations, removals: passed } = permit();
  expect(operations.map((one) => [one.urn, "adopts" in one ? one.adopts : "unknown"])).toEqual([
    [urnOf("A"), adopted],
    [urnOf("B"), null],
    [urnOf("C"), "unknown"],
    [urnOf("D"), "unknown"],
  ]);
  expect(passed).toEqual(removals);
  expect(() => writes.permit().requireRemoval("groups/7/members", 3, "ann")).not.toThrow();
  expect(() => writes.permit().requireRemoval("groups/7/members", 4, "bob")).toThrow("to remove bob");
});

it("have the arguments that the preview of a program has noted in another process", () => {
  const { writes, permit } = planOf(["update", "B", { id: "b" }]);
  const variables = writes.planElsewhere();
  const [notes = ""] = Object.values(variables);
  expect(statSync(notes).mode & 0o777).toBe(0o600);
  const preview = openPlannedArguments(variables);
  preview?.note("after", { type: "Group", urn: urnOf("B") }, { name: "B", description: "very secret" });
  expect(openPlannedArguments({})).toBeUndefined();
  const { file } = permit();
  expect(readFileSync(file, "utf8") + readFileSync(notes, "utf8")).not.toContain("very secret");
  const update = { kind: "update", type: "Group", urn: urnOf("B"), id: "b" } as const;
  const require = (after: object) => () =>
    readPermittedOperations({ [PERMISSION_VARIABLE]: file })?.require({ ...update, after: { ...after } });
  expect(require({ name: "B", description: "other" })).toThrow("with another description");
  expect(require({ name: "B", description: "very secret" })).not.toThrow();
});
