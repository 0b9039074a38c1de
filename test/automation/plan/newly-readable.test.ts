/** Tests that a plan says which values it makes readable. */
import { expect, it } from "vitest";
import { listNewlyReadable } from "../../../automation/plan/newly-readable.js";
import type { Observed } from "../../../automation/plan/planned-objects.js";
import { type Fields, getDefinition } from "../../../provider/index.js";

const variable = (before: Fields, after: Fields) =>
  ({
    name: "variables/TOKEN",
    definition: getDefinition("Variable"),
    stateBefore: { key: "TOKEN", value: "a", ...before },
    declared: { args: { key: "TOKEN", value: "b", ...after }, fingerprints: {} },
  }) as unknown as Observed;

const notes = (before: Fields, after: Fields, operation: "update" | "same" = "update") =>
  listNewlyReadable([variable(before, after)], [{ name: "variables/TOKEN", operation }]);

it("a value that was encrypted, and no longer is, is named", () => {
  expect(notes({ encrypted: true }, { encrypted: false })).toEqual([
    "variables/TOKEN: its value was encrypted, and is sent without encryption: everybody in the workspace can read it then. If it is a secret, declare it as encrypted again",
  ]);
  expect(notes({ sshKey: true }, {})).toHaveLength(1);
});

it("a value that stays as readable as it was is not named", () => {
  expect(notes({ encrypted: true }, { encrypted: true })).toEqual([]);
  expect(notes({}, { encrypted: true })).toEqual([]);
  expect(notes({}, {})).toEqual([]);
  expect(notes({ encrypted: true }, { sshKey: true })).toEqual([]);
  expect(notes({ encrypted: true }, {}, "same")).toEqual([]);
});
