/** Tests edits of documents with several parts: an edit changes the location that sets the value. */
import { beforeEach, describe, expect, it } from "vitest";
import { editWorkspace } from "../../../workspace-file/edit/edit.js";
import { Edited, set, unset } from "./support.js";

let files: Edited;
beforeEach(() => {
  files = new Edited();
});

const deploy = "projects/web/pipelines/deploy";

describe("a value in several files", () => {
  it("is changed in the included file that sets it", () => {
    files.write({
      "workspace.yaml": "include: [teams.yaml]\nvariables: { A: a }\n",
      "teams.yaml": "groups:\n  QA: { description: Testers }\n",
    });
    expect(
      files.diff([set("groups/QA", "description", "All"), { add: { name: "groups/Dev", entry: {} } }]),
    ).toEqual([
      "teams.yaml -  QA: { description: Testers }",
      "teams.yaml +  QA: { description: All }",
      "teams.yaml +  Dev: {}",
    ]);
  });

  it("is changed in the overlay if that sets it, and otherwise in the file", () => {
    files.write({
      "workspace.yaml": "projects:\n  web:\n    displayName: Web\n    variables: { A: a, B: b }\n",
      "workspace.eu.yaml": "projects: { web: { displayName: Web EU } } # Europe\n",
    });
    expect(
      files.diff(
        [set("projects/web", "displayName", "Europe"), set("projects/web/variables/A", "value", "x")],
        { stack: "eu" },
      ),
    ).toEqual([
      "workspace.yaml -    variables: { A: a, B: b }",
      "workspace.yaml +    variables: { A: x, B: b }",
      "workspace.eu.yaml -projects: { web: { displayName: Web EU } } # Europe",
      "workspace.eu.yaml +projects: { web: { displayName: Europe } } # Europe",
    ]);
  });
});

describe("a shared value", () => {
  it("from a template is overridden in the entry", () => {
    files.write({
      "workspace.yaml": `templates:
  service:
    type: Pipeline
    parameters: { image: { default: node } }
    entry:
      triggerMode: ON_EVERY_PUSH
      refType: BRANCH
      refName: main
      actions:
        - { name: Test, type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: "\${param:image}", containerImageTag: "22", executeCommands: [npm test] }
projects:
  web:
    pipelines:
      deploy: { template: service }
      other: { template: service }
`,
    });
    expect(files.diff([set(deploy, "refName", "release")])).toEqual([
      "workspace.yaml -      deploy: { template: service }",
      "workspace.yaml +      deploy: { template: service, refName: release }",
    ]);
    expect(files.diff([set(`${deploy}/actions/Test`, "containerImageTag", "24")])).toEqual([
      "workspace.yaml -      deploy: { template: service }",
      'workspace.yaml +      deploy: { template: service, actions: [{ name: Test, containerImageTag: "24" }] }',
    ]);
    expect(files.edit([set(deploy, "refName", "release")]).made).toMatchObject([{ override: true }]);
    expect(files.diff([{ remove: { name: `${deploy}/actions/Test` } }])).toEqual([
      "shared: projects/web/pipelines/deploy/actions/Test comes from a template or an alias (workspace.yaml:11): remove it there",
    ]);
  });

  it("from defaults is overridden in the entry, with null to clear it", () => {
    files.write({
      "workspace.yaml": "defaults:\n  Group: { description: A team }\ngroups:\n  QA: # testers\n  Dev: {}\n",
    });
    expect(
      files.diff([set("groups/QA", "description", "Testers"), unset("groups/Dev", "description")]),
    ).toEqual([
      "workspace.yaml -  QA: # testers",
      "workspace.yaml -  Dev: {}",
      "workspace.yaml +  QA: { description: Testers } # testers",
      "workspace.yaml +  Dev: { description: null }",
    ]);
  });

  it("from an alias or a merge key is overridden in the entry", () => {
    files.write({
      "workspace.yaml": `x-base: &base { description: A team }
groups:
  QA: *base # the same
  Dev:
    <<: *base
  Ops: &ops { description: Operators }
  Two: *ops
variables: { A: &a one, B: *a }
`,
    });
    expect(files.diff([set("groups/QA", "description", "Testers")])).toEqual([
      "workspace.yaml -  QA: *base # the same",
      "workspace.yaml +  QA: { <<: *base, description: Testers } # the same",
    ]);
    expect(files.diff([set("groups/Dev", "description", "Developers")])).toEqual([
      "workspace.yaml +    description: Developers",
    ]);
    expect(files.diff([set("groups/Two", "description", "Both")])).toEqual([
      "workspace.yaml -  Two: *ops",
      "workspace.yaml +  Two: { <<: *ops, description: Both }",
    ]);
    expect(files.diff([set("variables/B", "value", "two")])).toEqual([
      "workspace.yaml -variables: { A: &a one, B: *a }",
      "workspace.yaml +variables: { A: &a one, B: two }",
    ]);
  });

  it("from an alias in a list is overridden in the item, whose name may come from the alias too", () => {
    const build = `type: BUILD, triggerTime: ON_EVERY_EXECUTION, containerImageName: node, containerImageTag: "22"`;
    const pipeline = (actions: string) =>
      `{ triggerMode: MANUAL, refType: BRANCH, refName: main, actions: [${actions}] }`;
    files.write({
      "workspace.yaml": `x-build: &build { name: Build, ${build}, executeCommands: [npm ci, ls] }
x-name: &name { name: Named }
projects:
  web:
    pipelines:
      deploy: ${pipeline("*build")}
      merged:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - *build
          - <<: [*name, *build]
`,
    });
    const commands = (name: string) => [set(name, "executeCommands", ["npm ci", "rm x"])];
    const own = "executeCommands: [npm ci, rm x]";
    expect(files.diff(commands(`${deploy}/actions/Build`))).toEqual([
      `workspace.yaml -      deploy: ${pipeline("*build")}`,
      `workspace.yaml +      deploy: ${pipeline(`{ <<: *build, ${own} }`)}`,
    ]);
    expect(files.diff(commands("projects/web/pipelines/merged/actions/Build"))).toEqual([
      "workspace.yaml -          - *build",
      "workspace.yaml +          - <<: *build",
      `workspace.yaml +            ${own}`,
    ]);
    expect(files.diff(commands("projects/web/pipelines/merged/actions/Named"))).toEqual([
      `workspace.yaml +            ${own}`,
    ]);
    const merged = (name: string) => ({ remove: { name: `projects/web/pipelines/merged/actions/${name}` } });
    expect(files.diff([merged("Build")])).toEqual(["workspace.yaml -          - *build"]);
    expect(files.diff([merged("Named")])).toEqual(["workspace.yaml -          - <<: [*name, *build]"]);
  });

  it("with an anchor is not changed unless all its uses change", () => {
    files.write({
      "workspace.yaml": "groups:\n  QA: &qa { description: Testers }\n  Dev: *qa\n",
    });
    expect(files.diff([set("groups/QA", "description", "All")])).toEqual([
      "shared: the text is shared by an anchor, a template or defaults: groups.Dev.description would change too",
    ]);
    expect(
      files.diff([set("groups/QA", "description", "All"), set("groups/Dev", "description", "All")]),
    ).toEqual([
      "workspace.yaml -  QA: &qa { description: Testers }",
      "workspace.yaml +  QA: &qa { description: All }",
    ]);
  });
});

describe("edits are refused", () => {
  it("for standard input and modules", () => {
    const edit = set("groups/QA", "description", "All");
    for (const file of ["-", "workspace.ts"])
      expect(editWorkspace(file, {}, [edit])).toMatchObject({
        files: [],
        made: [],
        refused: [{ edit, code: "form" }],
      });
  });
});
