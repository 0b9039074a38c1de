/** Tests documents with several parts: includes, folders and overlays. */
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { readDeclarations, renderComposed } from "../../workspace-file/load/load.js";
import { argsOf, Files, namesOf } from "./document-files.js";

let files: Files;
beforeEach(() => {
  files = new Files();
});

describe("several files", () => {
  it("include one another by name or pattern, each once", () => {
    files.write({
      "workspace.yaml": "include: [teams/*.yaml, more.yaml]\ngroups: { QA: {} }\n",
      "teams/b.yaml": "groups: { B: {} }\n",
      "teams/a.yaml": "groups: { A: {} }\ninclude: [../more.yaml]\n",
      "more.yaml": "include: [workspace.yaml]\nvariables: { X: y }\n",
    });
    expect(namesOf(files.read())).toEqual(["groups/QA", "groups/A", "groups/B", "variables/X"]);
  });

  it("of a folder form one document, without hidden files, overlays and Pulumi's own files", () => {
    files.write({
      "projects.yaml": "projects: { web: { displayName: Web } }\n",
      "people.yml": "members: { ann@example.com: { admin: true } }\n",
      "projects.eu.yaml": "projects: { web: { displayName: Web EU } }\n",
      "web.shop.yaml": "groups: { Shop: {} }\n",
      "Pulumi.yaml": "name: x\n",
      "Pulumi.eu.yaml": "config: {}\n",
      ".hidden.yaml": "groups: { Hidden: {} }\n",
    });
    expect(namesOf(files.read(".")).toSorted()).toEqual([
      "groups/Shop",
      "members/ann@example.com",
      "projects/web",
    ]);
    expect(argsOf(files.read(".", { stack: "org/ops/eu" }), "projects/web")["displayName"]).toBe("Web EU");
  });

  it("may include standard input, with paths relative to the working directory", () => {
    const declared = readDeclarations("-", { stdin: () => "version: 1\ngroups: { QA: {} }\n" });
    expect(namesOf(declared)).toEqual(["groups/QA"]);
    expect(() => readDeclarations("-", { stdin: () => "version: 1\ngrups: {}\n" })).toThrow(
      /^<stdin>:2:1: unknown property "grups". Did you mean "groups"\?/,
    );
  });

  it("must not declare anything twice: the diagnostic names both locations", () => {
    files.write({
      "workspace.yaml": "include: [b.yaml]\nworkspace: acme\ngroups:\n  QA: { description: One }\n",
      "b.yaml": "workspace: other\ngroups:\n  QA: { description: Two }\n",
    });
    expect(files.wrong()).toEqual([
      'b.yaml:2: "workspace" has another value in workspace.yaml:3: remove one of the two',
      'b.yaml:4: group "QA" is declared twice: also in workspace.yaml:5. Remove one of them, or merge them',
    ]);
  });

  it("name the stack in the workspace file only, because it decides which overlay is read", () => {
    files.write({
      "workspace.yaml": "include: [b.yaml]\nworkspace: acme\nstack: us\n",
      "b.yaml": "stack: eu\ngroups: { QA: {} }\n",
    });
    expect(files.wrong()).toContain(
      "b.yaml:2: an included file cannot set the stack: remove this line, or move it to the workspace file",
    );
  });

  it("may each contribute parts of one entry", () => {
    files.write({
      "workspace.yaml": "include: [deploy.yaml, test.yaml]\nprojects: { web: { displayName: Web } }\n",
      "deploy.yaml": "projects: { web: { pipelines: { deploy: { triggerMode: MANUAL, refName: main } } } }\n",
      "test.yaml": "projects: { web: { pipelines: { test: { triggerMode: MANUAL, refName: main } } } }\n",
    });
    expect(namesOf(files.read())).toEqual([
      "projects/web",
      "projects/web/pipelines/deploy",
      "projects/web/pipelines/test",
    ]);
  });

  it("must be in the folder of the workspace file, unless another one is allowed", () => {
    files.write({
      "in/workspace.yaml":
        'include: [../out/x.yaml, none/*.yaml]\nvariables: { A: "${file:../out/a.txt}" }\n',
      "out/x.yaml": "groups: { X: {} }\n",
      "out/a.txt": "text",
    });
    expect(files.wrong("in/workspace.yaml")).toEqual([
      "in/workspace.yaml:2: ../out/x.yaml is not read, because its path is out/x.yaml, outside the folder of the workspace file (in): copy it into that folder, and correct the path here. Or allow it: --allow-path out (in a fleet: allowPaths of the fleet file, for folders of the checkout)",
      "in/workspace.yaml:2: no file matches none/*.yaml, seen from the folder of this file: correct the path",
      "in/workspace.yaml:3: the file ../out/a.txt is not read, because its path is out/a.txt, outside the folder of the workspace file (in): copy it into that folder, and correct the path here. Or allow it: --allow-path out (in a fleet: allowPaths of the fleet file, for folders of the checkout)",
    ]);
    files.write({
      "in/workspace.yaml": 'include: [../out/x.yaml]\nvariables: { A: "${file:../out/a.txt}" }\n',
    });
    const declared = files.read("in/workspace.yaml", { allowPaths: [join(files.folder, "out")] });
    expect(argsOf(declared, "variables/A")["value"]).toBe("text");
  });
});

it("texts represent files that are not on disk: a file, its includes, its overlay, and what placeholders read", () => {
  const texts = new Map([
    ["/nowhere/workspace.yaml", 'version: 1\ninclude: [parts/*.yaml]\nvariables: { A: "${file:a.txt}" }\n'],
    ["/nowhere/workspace.eu.yaml", "version: 1\nvariables: { B: eu }\n"],
    ["/nowhere/parts/b.yaml", "version: 1\nvariables: { B: us }\n"],
    ["/nowhere/a.txt", "text"],
  ]);
  const declared = readDeclarations("/nowhere/workspace.yaml", { env: {}, stack: "eu", texts });
  expect(argsOf(declared, "variables/A")["value"]).toBe("text");
  expect(argsOf(declared, "variables/B")["value"]).toBe("eu");
});

describe("overlays", () => {
  const base = `defaults: { Action: { triggerTime: ON_EVERY_EXECUTION, containerImageTag: "22" } }
groups:
  QA: { description: Testers, members: [a@example.com, b@example.com] }
  Old: {}
members: { a@example.com: {}, b@example.com: {}, c@example.com: {} }
variables: { REGION: us, KEY: plain }
projects:
  web:
    displayName: Web
    pipelines:
      deploy:
        triggerMode: MANUAL
        refName: main
        actions:
          - { name: Build, type: BUILD, containerImageName: node, executeCommands: [one, two] }
          - { name: Ship, type: BUILD, containerImageName: node, executeCommands: [ship] }
`;
  const over = (overlay: string) => {
    files.write({ "workspace.yaml": base, "workspace.eu.yaml": overlay });
    return renderComposed(files.read("workspace.yaml", { stack: "eu" })) as {
      groups: Record<string, unknown>;
      variables: Record<string, unknown>;
      projects: { web: { pipelines: { deploy: { actions: { name: string }[] } } } };
    };
  };

  it("for the stack apply to the file, and additional ones apply after them", () => {
    files.write({
      "workspace.yaml": base,
      "workspace.eu.yaml": "variables: { REGION: eu, NEW: eu }\n",
      "extra.yaml": "variables: { NEW: extra }\n",
    });
    expect(argsOf(files.read("workspace.yaml", { stack: "dev" }), "variables/REGION")["value"]).toBe("us");
    const eu = files.read("workspace.yaml", { stack: "eu", overlays: [join(files.folder, "extra.yaml")] });
    expect(argsOf(eu, "variables/REGION")["value"]).toBe("eu");
    expect(argsOf(eu, "variables/NEW")["value"]).toBe("extra");
  });

  it("set, remove and replace entries", () => {
    const { groups, variables } = over(
      "groups: { QA: { description: EU }, Old: { $remove: true }, New: {} }\nvariables: { $replace: true, ONLY: x }\n",
    );
    expect(groups).toEqual({
      QA: { description: "EU", members: ["a@example.com", "b@example.com"] },
      New: {},
    });
    expect(variables).toEqual({ ONLY: "x" });
  });

  it("add values to lists and remove them", () => {
    const { groups } = over(
      "groups: { QA: { members: { $add: [c@example.com], $remove: [a@example.com] } } }\n",
    );
    expect(groups["QA"]).toMatchObject({ members: ["b@example.com", "c@example.com"] });
  });

  it("expand the short form of an entry when they add to it", () => {
    expect(over("variables: { KEY: { encrypted: true } }\n").variables["KEY"]).toEqual({
      value: "[secret]",
      encrypted: true,
    });
  });

  it("merge actions by their keys and insert new ones", () => {
    const { actions } = over(`projects: { web: { pipelines: { deploy: { actions: [
  { name: Ship, executeCommands: [ship --eu] },
  { name: Check, type: BUILD, containerImageName: node, executeCommands: [check], $after: Build },
  { name: Build, $remove: true },
  { name: Last, type: BUILD, containerImageName: node, executeCommands: [last] } ] } } } }
`).projects.web.pipelines.deploy;
    expect(actions).toMatchObject([
      { name: "Check", type: "BUILD", containerImageName: "node" },
      { name: "Ship", type: "BUILD", containerImageName: "node", executeCommands: ["ship --eu"] },
      { name: "Last", type: "BUILD", containerImageName: "node" },
    ]);
  });

  it("with unknown names are refused, with the closest name", () => {
    files.write({
      "workspace.yaml": base,
      "workspace.eu.yaml": `groups: { Qa: { $remove: true }, QA: { members: { $remove: [x@example.com] } } }
variables: { REGION: { $take: 1 } }
`,
    });
    expect(files.wrong("workspace.yaml", { stack: "eu" })).toEqual([
      'workspace.eu.yaml:2: there is no "Qa" in the file that this overlay changes. Did you mean "QA"?',
      expect.stringContaining('there is no "x@example.com" in the file that this overlay changes'),
      expect.stringContaining("$take is not a keyword of an overlay here"),
    ]);
  });
});
