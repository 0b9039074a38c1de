/** Tests templates and defaults. */
import { beforeEach, describe, expect, it } from "vitest";
import { argsOf, Files, namesOf } from "./document-files.js";

let files: Files;
beforeEach(() => {
  files = new Files();
});

describe("templates", () => {
  const service = `defaults: { Action: { triggerTime: ON_EVERY_EXECUTION, containerImageTag: "22" } }
templates:
  service:
    type: Pipeline
    parameters: { name: {}, node: { default: "22", enum: ["20", "22"] }, env: { default: { A: "1" } } }
    entry:
      triggerMode: ON_EVERY_PUSH
      refName: main
      variables: "\${param:env}"
      actions:
        - { name: Test, type: BUILD, containerImageName: node, containerImageTag: "\${param:node}", executeCommands: ["test \${param:name} \${HOME}"] }
        - { template: notify, with: { text: "\${param:name} failed" } }
  notify:
    type: Action
    parameters: { text: {} }
    entries:
      - { name: Tell, type: SMS, content: "\${param:text}", triggerTime: ON_FAILURE, runOnlyOnFirstFailure: true, recipients: "+49 1" }
`;
  const using = (entry: string) => `${service}projects: { web: { pipelines: { api: ${entry} } } }\n`;

  it("are used for entries and for items of a list", () => {
    files.write({ "workspace.yaml": using("{ template: service, with: { name: api }, refName: release }") });
    const declared = files.read();
    expect(argsOf(declared, "projects/web/pipelines/api")).toMatchObject({ refName: "release" });
    expect(argsOf(declared, "projects/web/pipelines/api/actions/Test")).toMatchObject({
      containerImageTag: "22",
      executeCommands: ["test api ${HOME}"],
    });
    expect(argsOf(declared, "projects/web/pipelines/api/actions/Tell")["content"]).toBe("api failed");
    expect(argsOf(declared, "projects/web/pipelines/api/variables/A")["value"]).toBe("1");
  });

  it("can be changed by the entry and by overlays, as can their parameters", () => {
    files.write({
      "workspace.yaml": using(
        "{ template: service, with: { name: api }, actions: [{ name: Lint, type: BUILD, containerImageName: node, executeCommands: [lint], $before: Test }] }",
      ),
      "workspace.eu.yaml":
        'projects: { web: { pipelines: { api: { with: { node: "20" }, actions: [{ name: Tell, recipients: "+49 2" }] } } } }\n',
    });
    const eu = files.read("workspace.yaml", { stack: "eu" });
    expect(
      namesOf(eu)
        .filter((name) => name.includes("/actions/"))
        .map((name) => name.split("/").at(-1)),
    ).toEqual(["Lint", "Test", "Tell"]);
    expect(argsOf(eu, "projects/web/pipelines/api/actions/Test")["containerImageTag"]).toBe("20");
    expect(argsOf(eu, "projects/web/pipelines/api/actions/Tell")["recipients"]).toBe("+49 2");
  });

  it("can be used in an overlay", () => {
    files.write({
      "workspace.yaml": `${service}projects: { web: {} }\n`,
      "workspace.eu.yaml":
        "projects: { web: { pipelines: { api: { template: service, with: { name: api } } } } }\n",
    });
    expect(namesOf(files.read("workspace.yaml", { stack: "eu" }))).toContain(
      "projects/web/pipelines/api/actions/Tell",
    );
  });

  it.each([
    [
      "a parameter is missing",
      "{ template: service }",
      'template "service" requires the parameter "name": add "name: VALUE" below "with:"',
    ],
    [
      "a parameter is unknown",
      "{ template: service, with: { name: a, nod: x } }",
      'template "service" has no parameter "nod". Did you mean "node"?',
    ],
    [
      "a value is not allowed",
      '{ template: service, with: { name: a, node: "18" } }',
      "node: must be one of 20, 22",
    ],
    [
      "there is no such template",
      "{ template: servce }",
      'there is no template "servce". Did you mean "service"?',
    ],
    [
      "it is for another type",
      "{ template: notify }",
      'template "notify" is for the type Action, and this is of Pipeline: choose a template for Pipeline, or write the properties here',
    ],
  ])("are refused if %s", (_what, entry, message) => {
    files.write({ "workspace.yaml": using(entry) });
    expect(files.wrong().join("\n")).toContain(message);
  });

  it("must not be recursive", () => {
    files.write({
      "workspace.yaml": `templates:
  a: { type: Pipeline, entry: { template: b } }
  b: { type: Pipeline, entry: { template: a } }
projects: { web: { pipelines: { x: { template: a } } } }
`,
    });
    expect(files.wrong().join("\n")).toContain(
      'template "a" uses itself: a -> b -> a. Remove one of these uses',
    );
  });
});

describe("defaults", () => {
  it("are overridden by entries and templates, and those for actions apply according to the action's type", () => {
    files.write({
      "workspace.yaml": `defaults:
  Pipeline: { refName: main, variables: { CI: "true" } }
  Action: { containerImageName: node, containerImageTag: "22", executeCommands: [x], triggerTime: ON_EVERY_EXECUTION }
projects:
  web:
    pipelines:
      a: { triggerMode: MANUAL, variables: { X: "1" }, actions: [{ name: B, type: BUILD }, { name: S, type: PING, destination: example.com }] }
      b: { triggerMode: MANUAL, refName: other }
  legacy: { external: true }
`,
    });
    const declared = files.read();
    expect(argsOf(declared, "projects/web/pipelines/a")["refName"]).toBe("main");
    expect(argsOf(declared, "projects/web/pipelines/b")["refName"]).toBe("other");
    expect(namesOf(declared)).toEqual(expect.arrayContaining(["projects/web/pipelines/a/variables/CI"]));
    expect(argsOf(declared, "projects/web/pipelines/a/actions/B")["containerImageName"]).toBe("node");
    expect(argsOf(declared, "projects/web/pipelines/a/actions/S")).not.toHaveProperty("containerImageName");
  });

  it("are refused for unknown types and arguments", () => {
    files.write({
      "workspace.yaml": "defaults:\n  pipelines: {}\n  Pipeline: { refNam: main, name: x }\n  Piplin: {}\n",
    });
    expect(files.wrong()).toEqual([
      'workspace.yaml:3: unknown type "pipelines". Did you mean Pipeline?',
      'workspace.yaml:4: a pipeline has no "refNam". Did you mean "refName"?',
      'workspace.yaml:4: "name" cannot have a default, because each pipeline has another one: remove it here',
      'workspace.yaml:5: unknown type "Piplin". Did you mean "Pipeline"?',
    ]);
  });
});
