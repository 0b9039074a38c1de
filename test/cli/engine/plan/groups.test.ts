import { describe, expect, it } from "vitest";
import { donePrinter, printPlan, groupSteps } from "../../../../cli/reporters/plan.js";
import { changeAt } from "../../../../cli/engine/plan/changes.js";
import type { PlanStep } from "../../../../cli/engine/plan/steps.js";
import { testIo } from "../../support.js";

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
const image = { changes: [changeAt(["containerImageTag"], "20", "22")] };

function shown(steps: readonly PlanStep[], details = false): string {
  const { io, written } = testIo();
  printPlan({ steps }, { details }, io);
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
      "  + Action  projects/api/pipelines/deploy/actions/ (200)  Step 1, Step 2, Step 3 and 197 more
        ~ Action  projects/ (299)  shop/pipelines/deploy/actions/Step 1, shop/pipelines/deploy/actions/Step 2, shop/pipelines/deploy/actions/Step 3 and 296 more
              containerImageTag  "20" → "22"
        - Group   groups/QA
        ~ Group   groups/Ops  (was groups/Operations)
      "
    `);
  });

  it("is shown object by object with --diff", () => {
    expect(shown(steps, true).split("\n").length).toBeGreaterThan(steps.length);
    expect(groupSteps(steps, true)).toHaveLength(steps.length);
  });

  it("names every object to be deleted or replaced, whatever their number", () => {
    const text = shown([
      ...actions("web", 70, "delete"),
      step("replace", "Pipeline", "projects/web/pipelines/deploy"),
    ]);
    for (let n = 1; n <= 70; n++) expect(text).toContain(`Step ${n}`);
    expect(text).toContain("± Pipeline  projects/web/pipelines/deploy");
  });

  it("prints no line per object when it is applied", () => {
    const { io, written } = testIo();
    const told = {
      steps,
      drift: [],
      problems: [],
      notes: [],
      unchanged: 0,
      unverifiable: [],
      outdated: 0,
      unrecorded: 0,
      notWatched: [],
      changedOutside: false,
    };
    const print = donePrinter(told, io);
    steps.forEach((one) => print(one));
    expect(written().stdout).toBe("");
  });
});

describe("a plan of some objects", () => {
  it("is shown object by object", () => {
    expect(shown(actions("web", 30)).trim().split("\n")).toHaveLength(30);
  });
});
