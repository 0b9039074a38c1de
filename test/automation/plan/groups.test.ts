/** Tests how a plan of hundreds of objects is shown. */
import { describe, expect, it } from "vitest";
import { createChangeAt } from "../../../automation/plan/property-changes.js";
import type { PlanStep } from "../../../automation/plan/record-plan.js";
import { listRows, printRows } from "../../../reports/plan/print-plan.js";
import { testIo } from "../../cli/support.js";

function step(
  operation: PlanStep["operation"],
  type: string,
  name: string,
  more: Partial<PlanStep> = {},
): PlanStep {
  return { operation, type, name, changes: [], replacedFor: [], reasons: [], ...more };
}

const actions = (
  project: string,
  count: number,
  operation: PlanStep["operation"] = "create",
  more: Partial<PlanStep> = {},
) =>
  Array.from({ length: count }, (_, n) =>
    step(operation, "Action", `projects/${project}/pipelines/deploy/actions/Step ${n + 1}`, more),
  );
const image = { changes: [createChangeAt(["containerImageTag"], "20", "22")] };

function shown(steps: readonly PlanStep[], details = false): string {
  const { io, written } = testIo();
  printRows(listRows({ steps, drift: [] }, { details }, io), io);
  return written().stdout;
}

describe("a plan of hundreds of objects", () => {
  const steps = [
    ...actions("api", 200),
    ...actions("shop", 120, "update", image),
    ...actions("web", 179, "update", image),
    step("delete", "Group", "groups/QA"),
    step("update", "Group", "groups/Ops", { formerName: "groups/Operations" }),
  ];

  it("is shown in a few lines that still list every deletion and every rename", () => {
    expect(shown(steps)).toMatchInlineSnapshot(`
      "~ group Ops  (was Operations)
      - group QA
        project api
          pipeline deploy
          + actions: Step 1, Step 10, Step 100, Step 101, Step 102, Step 103, Step 104, Step 105, Step 106, Step 107, Step 108, Step 109, Step 11, Step 110, Step 111, Step 112, Step 113, Step 114, Step 115, Step 116, and 180 more
      ~ 299 actions in projects: shop/pipelines/deploy/actions/Step 1, shop/pipelines/deploy/actions/Step 10, shop/pipelines/deploy/actions/Step 100 and 296 more
          containerImageTag  "20" → "22"
      "
    `);
  });

  it("is shown object by object with --diff", () => {
    expect(shown(steps, true).split("\n").length).toBeGreaterThan(steps.length);
  });

  it("names every object to be deleted or replaced, whatever their number", () => {
    const text = shown([
      ...actions("web", 70, "delete"),
      step("replace", "Pipeline", "projects/web/pipelines/deploy"),
    ]);
    for (let n = 1; n <= 70; n++) expect(text).toContain(`Step ${n}`);
    expect(text).toContain("± pipeline deploy");
  });
});

describe("a plan of some objects", () => {
  it("has a row for each change, and one for the new objects of a list", () => {
    expect(shown(actions("web", 30, "update", image)).match(/~ action Step \d+$/gm)).toHaveLength(30);
    expect(shown(actions("web", 15)).trim().split("\n")).toHaveLength(3);
  });
});
