/** Tests references to outputs of other objects (`${ref:...}`). */
import { beforeEach, expect, it } from "vitest";
import { createOutputNotShownError } from "../../../workspace-file/load/outputs.js";
import type { Interpolated } from "../../../workspace-file/syntax/tree.js";
import { argsOf, Files } from "../document-files.js";

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

it("may be named by the type instead of the section, and need an object that is managed and has the output", () => {
  const problemsOf = (reference: string) => {
    const text = `variables: { A: { value: "\${ref:${reference}}", description: }, B: b }
groups: { project: { external: true }, variable: {} }
projects: { web: { variables: { variable: one } } }
`;
    files.write({ "workspace.yaml": text });
    return files.wrong();
  };
  for (const reference of [
    "variable/B.value",
    "group/variable.groupId",
    "project/web/variable/variable.variableId",
  ])
    expect(problemsOf(reference)).toEqual([]);
  const at = (reference: string) => `workspace.yaml:2: \${ref:${reference}}: `;
  expect(problemsOf("group/project.groupId")).toEqual([
    `${at("group/project.groupId")}this group is external, so it is not read and has no outputs: write the value itself`,
  ]);
  expect(problemsOf("groups/variabel.groupId")).toEqual([
    `${at("groups/variabel.groupId")}nothing of that name is declared. Did you mean "groups/variable"?`,
  ]);
  expect(problemsOf("variables/B.valu")).toEqual([
    `${at("variables/B.valu")}the variable variables/B has no output "valu". Did you mean "value"?`,
  ]);
  files.write({
    "workspace.yaml": 'variables: { A: "${ref:groups/QA.description}" }\ngroups: { QA: { description: } }\n',
  });
  expect(files.wrong()).toEqual([expect.stringContaining('the group groups/QA has no output "description"')]);
  files.write({
    "workspace.yaml":
      'variables: { A: "${ref:groups/QA.description}" }\ngroups: { QA: { template: none } }\n',
  });
  expect(files.wrong()).toEqual([expect.stringContaining('no template "none"')]);
});

it("that the service does not show are told with their place", () => {
  files.write({ "workspace.yaml": 'variables: { A: a, B: "${ref:variables/A.variableId}" }\n' });
  const { declarations } = files.read();
  const [reference] = (argsOf(files.read(), "variables/B")["value"] as Interpolated).outputs;
  expect(createOutputNotShownError(reference!, declarations[0]!, ["key"]).message).toBe(
    `${files.folder}/workspace.yaml:2:24: \${ref:variables/A.variableId}: the variable variables/A has no output "variableId": it has key`,
  );
});
