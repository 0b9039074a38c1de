/** Tests which arguments an object shows that is read without a declaration. */
import { expect, it } from "vitest";
import { readShownArgs } from "../../../provider/discovery/arguments.js";
import { getDefinition } from "../../../resources/registry.js";

it("an argument that the service shows as null has no value", () => {
  const group = getDefinition("Group");
  const remote = { id: 7, name: "QA", description: "Who tests" };
  expect(readShownArgs(group, remote)).toMatchObject({ name: "QA", description: "Who tests" });
  expect(readShownArgs(group, { ...remote, description: null })).not.toHaveProperty("description");
});
