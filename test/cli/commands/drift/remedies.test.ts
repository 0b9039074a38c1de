/** Tests which commands a drift report offers for all of its findings. */
import { expect, it } from "vitest";
import type { FindingClass } from "../../../../automation/report/finding-classes.js";
import { createDriftView } from "../../../../reports/views/drift-view.js";
import { finding, reportWith } from "./support.js";

it.each<[FindingClass[], string[]]>([
  [
    ["changed", "pending"],
    ["workspacectl drift accept --all", "workspacectl drift revert --all"],
  ],
  [["added"], ["workspacectl drift accept --all"]],
  [["pending", "unverifiable"], ["workspacectl up"]],
  [["unverifiable"], []],
  [[], []],
])("offers for %j only what does something: %j", (classes, commands) => {
  const findings = classes.map((one) => finding({ class: one }));
  const { remediesForAll = [] } = createDriftView(reportWith({ findings }), { again: [] });
  expect(remediesForAll.map(({ command }) => command)).toEqual(commands);
});
