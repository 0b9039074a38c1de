/** Tests what counts as changed outside, without the fingerprints of secrets that a drift report has. */
import type { EngineEvent, OpType } from "@pulumi/pulumi/automation/index.js";
import { describe, expect, it } from "vitest";
import { listDriftDifferences } from "../../../automation/plan/outside-changes.js";
import { getDefinition, maskArgs } from "../../../provider/index.js";
import { done, type Properties, told } from "../events.js";

const definition = getDefinition("Variable");
const side = (args: Readonly<Record<string, unknown>>) => ({
  args: maskArgs(definition, args),
  fingerprints: {},
});

it.each([
  ["by hand", ["value"]],
  ["applied", []],
])("notices the change of a value that the file only now encrypts: %s", (live, changed) => {
  const found = listDriftDifferences({
    ...{ definition, name: "variables/REGION", id: "acme/1", urn: "urn", urnInState: "urn" },
    ...{ replaced: false, open: new Set<string>(), changedSecrets: [], outputs: {} },
    applied: side({ key: "REGION", value: "applied" }),
    live: side({ key: "REGION", value: live }),
    declared: side({ key: "REGION", value: "applied", encrypted: true }),
  });
  expect(found.filter(({ outside }) => outside).map(({ path }) => path[0])).toEqual(changed);
});

describe("a refresh of what is no object of the service", () => {
  const at = (type: string, custom: boolean, id: string) => {
    const own = { type, urn: `urn:pulumi:dev::shop::${type}::web`, parent: "", provider: "", outputs: {} };
    const old = { ...own, custom, id, inputs: { size: 1 } };
    return (op: OpType, fresh?: Properties) =>
      done(op, ["", ""], undefined, undefined, {
        ...{ type, urn: own.urn, old },
        ...(fresh ? { new: { ...old, inputs: fresh } } : {}),
      });
  };
  const drift = (...events: EngineEvent[]) => {
    const { drift, changedOutside } = told(events);
    return { drift: drift.map(({ name, gone }) => [name, gone]), changedOutside };
  };
  const nothing = { drift: [], changedOutside: false };

  it("finds no component deleted, which has no id", () => {
    for (const type of ["example:index:Team", "workspace-automation:index:PipelineDefinition"]) {
      const component = at(type, false, "");
      expect(drift(component("refresh", { size: 1 }), component("same", { size: 1 }))).toEqual(nothing);
    }
  });

  it("finds an object of another package deleted, unless the program only reads it", () => {
    const other = at("random:index:Pet", true, "1");
    expect(drift(other("refresh"))).toEqual({ drift: [["web", true]], changedOutside: true });
    for (const op of ["read", "discard"] as const)
      expect(drift(other("refresh"), other(op, { size: 1 }))).toEqual(nothing);
  });
});
