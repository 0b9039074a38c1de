/** Tests which operations may be answered without Pulumi's engine. */
import { expect, it } from "vitest";
import { asksOnlyForDifferences } from "../../../automation/unchanged/answerable-operations.js";

const asked = { command: "preview", refresh: true };

it("concerns a preview with refresh of the whole file", () => {
  expect(asksOnlyForDifferences(asked, { PATH: "/bin", PULUMI_HOME: "/home" })).toBe(true);
});

it.each([
  ["an update", { ...asked, command: "up" }],
  ["a refresh of a program's objects", { ...asked, command: "previewRefresh" }],
  ["a preview without refresh", { ...asked, refresh: false }],
  ["a plan that is saved", { ...asked, plan: "plan.json" }],
  ["a limited preview", { ...asked, selection: {} }],
  ["targets", { ...asked, target: [] }],
  ["a plan as if nothing were protected", { ...asked, ignoreProtect: true }],
])("leaves %s to the engine", (_, operation) => {
  expect(asksOnlyForDifferences(operation, {})).toBe(false);
});

it.each(["PULUMI_PARALLEL", "PULUMI_CONFIG", "PULUMI_OPTION_REFRESH", "WORKSPACE_AUTOMATION_DEBUG"])(
  "leaves an operation with %s to the engine",
  (name) => expect(asksOnlyForDifferences(asked, { [name]: "1" })).toBe(false),
);
