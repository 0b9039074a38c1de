/** Tests what a document declares as a whole: its head, the arguments that follow from it and from places, and where problems are. */
import { describe, expect, it } from "vitest";
import { Ref } from "../../../workspace-file/load/load.js";
import { declared, loaded, problemsOf } from "./loaded.js";

const pipeline = (more: string) =>
  `projects: { web: { pipelines: { p: { triggerMode: MANUAL, refName: main, ${more} } } } }`;

describe("the head of a file", () => {
  it("says what applies to all of its entries", () => {
    const head =
      "workspace: acme\nconnection: eu\nengine: plugin\nadopt: true\nguards: { maxDeletes: 3, protectedKinds: [Group] }\n";
    const file = loaded(`${head}groups: { QA: {} }`);
    expect(file).toMatchObject({ workspace: "acme", connection: "eu", engine: "plugin" });
    expect(file.guards).toMatchObject({ maxDeletes: 3, protectedKinds: ["Group"] });
    expect(declared(file, "groups/QA").args).toStrictEqual({ workspace: "acme", adopt: true, name: "QA" });
    expect(declared(loaded("adopt: false\ngroups: { QA: {} }"), "groups/QA").args).toStrictEqual({
      name: "QA",
    });
  });

  it.each([
    ["workspace: 7", ["2:12: workspace: must be a string: write it in quotes"]],
    ["adopt: perhaps", ["2:8: adopt: must be true or false"]],
    ["engine: plugn", ['2:9: engine: must be one of dynamic, plugin. Did you mean "plugin"?']],
    ["wrkspace: a", ['2:1: unknown property "wrkspace". Did you mean "workspace"?']],
    ["grups: {}", ['2:1: unknown property "grups". Did you mean "groups"?']],
    ["other: {}\ngroups: {}", ['2:1: unknown property "other": remove it, or correct its name']],
    ["actions: []", ['2:1: unknown property "actions": move it into an entry of pipelines']],
    ["guards: { maxDelete: 3 }", ['2:11: unknown property "maxDelete". Did you mean "maxDeletes"?']],
    ["guards: { workspace: a }", ['2:11: unknown property "workspace": remove it, or correct its name']],
    [
      "guards: { protectedKinds: [Group, Grup, Nothing] }",
      [
        '2:35: "Grup" is not a resource type. Did you mean "Group"?',
        '2:41: "Nothing" is not a resource type',
      ],
    ],
  ])("is refused where it is %s", (text, problems) => {
    expect(problemsOf(text)).toEqual(problems);
  });
});

describe("an entry", () => {
  it("has the arguments that follow from its place, also in one that is managed elsewhere", () => {
    const text = `projects:
  web: { pipelines: { p: { triggerMode: MANUAL, refName: main, variables: { A: a } } } }
  old: { external: true, pipelines: { p: { external: true, variables: { A: a } } } }
`;
    const argsOf = (name: string) => declared(loaded(text), name).args;
    expect(argsOf("projects/web/pipelines/p")).toMatchObject({ project: new Ref("projects/web") });
    expect(argsOf("projects/web/pipelines/p/variables/A")).toStrictEqual({
      key: "A",
      value: "a",
      pipeline: new Ref("projects/web/pipelines/p"),
    });
    expect(argsOf("projects/old/pipelines/p/variables/A")).toStrictEqual({
      key: "A",
      value: "a",
      pipeline: "p",
      project: "old",
    });
  });

  it.each([
    // The words of an entry, its sections and `key` are known besides the arguments.
    [pipeline("actons: []"), '2:74: unknown property "actons". Did you mean "actions"?'],
    [pipeline("retan: true"), '2:74: unknown property "retan". Did you mean "retain"?'],
    ["groups: { QA: { ky: a } }", '2:17: unknown property "ky": remove it, or correct its name'],
    [
      pipeline("actions: [{ name: A, kye: a, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a }]"),
      '2:95: unknown property "kye". Did you mean "key"?',
    ],
    // A wrong key is reported where it is; the name of an item is a value.
    ['variables: { "": a }', "2:14: key: must not be empty"],
    [
      pipeline(`actions: [{ name: "\\ud800", type: PING, triggerTime: ON_EVERY_EXECUTION, destination: a }]`),
      "2:92: name: contains half of a character",
    ],
    // The short form is the value of an argument.
    ["variables: { A: [a] }", "2:17: value: must be a string"],
  ])("is reported at its key or its value: %#", (text, problem) => {
    expect(problemsOf(text)).toEqual([expect.stringContaining(problem)]);
  });

  it("whose template is not known misses nothing, but is checked otherwise", () => {
    const unknown = expect.stringContaining('no template "team"') as unknown;
    expect(problemsOf(pipeline("").replace("triggerMode: MANUAL, refName: main,", "template: team"))).toEqual(
      [unknown],
    );
    expect(problemsOf("groups: { QA: { template: team, ignoreChanges: [other] } }")).toEqual([unknown]);
    expect(problemsOf("groups: { QA: { template: team, description: 7 } }")).toEqual([
      unknown,
      "2:46: description: must be a string: write it in quotes",
    ]);
  });
});

describe("a value that is not known yet", () => {
  it("is not checked where it decides about an entry or about what the file owns", () => {
    const mock = { mock: true };
    expect(problemsOf("groups: { QA: { retain: '${env:R}' } }", mock)).toEqual([]);
    expect(problemsOf("groups: { QA: { retain: perhaps } }", mock)).toHaveLength(1);
    const entries = "\ngroups: { QA: { description: '${env:D}' } }";
    expect(problemsOf(`owns: ['projects/\${env:P}/**', 'variables/*']${entries}`, mock)).toEqual([]);
    expect(problemsOf(`owns: ['projects/web/**', 'variables/*']${entries}`, mock)).toEqual([
      expect.stringMatching(/^3:11: groups\/QA is not in what this file owns/),
    ]);
  });

  it.each([
    ['C: "${secret:env:ABSENT}"', "3:6: "],
    ['C: { value: "${secret:env:ABSENT}", description: open }', "3:15: "],
  ])("is missing where another object reads it: %s", (entry, place) => {
    const text = `variables:\n  ${entry}\n  D: "\${ref:variables/C.value}"\n`;
    expect(problemsOf(text, { secretsLater: true })).toEqual([
      expect.stringMatching(`^${place}WORKSPACE_VAR_ABSENT is not set`),
    ]);
    expect(problemsOf(text.replace(".value", ".variableId"), { secretsLater: true })).toEqual([]);
  });
});
