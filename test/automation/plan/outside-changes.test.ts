/** Tests what counts as changed outside, without the fingerprints of secrets that a drift report has. */
import { expect, it } from "vitest";
import { listDriftDifferences } from "../../../automation/plan/outside-changes.js";
import { getDefinition, maskArgs } from "../../../provider/index.js";

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
