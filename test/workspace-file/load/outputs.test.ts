/** Tests references to outputs of other objects (`${ref:...}`). */
import { beforeEach, expect, it } from "vitest";
import { Files } from "../document-files.js";

let files: Files;
beforeEach(() => {
  files = new Files();
});

it("refuses references to outputs that the type has, but not the object, and names those that it has", () => {
  files.write({
    "workspace.yaml": `variables:
  REGION: us-east
  PIPELINE: "of \${ref:variables/REGION.pipelineId}"
  PURPOSE: "\${ref:variables/REGION.description}"
  OWN: "\${ref:projects/web/variables/TIER.projectId}\${ref:projects/web/variables/TIER.project}"
  MEMBERS: "\${ref:groups/QA.memberIds}"
groups: { QA: {} }
projects: { web: { variables: { TIER: one } } }
`,
  });
  const regionHas = "the variable variables/REGION has no output";
  const has = "it has variableId, key, value";
  expect(files.wrong()).toEqual([
    expect.stringContaining(
      `workspace.yaml:4: \${ref:variables/REGION.pipelineId}: ${regionHas} "pipelineId": ${has}`,
    ),
    expect.stringContaining(
      `workspace.yaml:5: \${ref:variables/REGION.description}: ${regionHas} "description": ${has}`,
    ),
    expect.stringContaining(
      'workspace.yaml:7: ${ref:groups/QA.memberIds}: the group groups/QA has no output "memberIds": it has ',
    ),
  ]);
});
