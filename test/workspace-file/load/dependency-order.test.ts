/** Tests in which order objects are declared, and what an ordered list adds. */
import { describe, expect, it } from "vitest";
import { collectNeeds, Ref } from "../../../workspace-file/load/load.js";
import { declared, loaded, namesOf, problemsOf } from "./loaded.js";

const ping = (name: string) =>
  `{ name: ${name}, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }`;
const withActions = (...names: string[]) => `
projects:
  web:
    pipelines:
      deploy:
        previously: [release]
        retain: true
        triggerMode: MANUAL
        refName: main
        actions: [${names.map(ping).join(", ")}]
`;
const deploy = "projects/web/pipelines/deploy";

describe("objects", () => {
  it("keep the order of the file unless one needs another", () => {
    expect(namesOf(loaded("variables: { B: b, A: a }\ngroups: { Z: {}, Y: {} }"))).toEqual([
      "groups/Z",
      "groups/Y",
      "variables/B",
      "variables/A",
    ]);
    const text = `
variables: { A: "\${ref:variables/C.variableId}", B: "\${ref:variables/C.variableId}", C: c }
`;
    expect(namesOf(loaded(text))).toEqual(["variables/C", "variables/A", "variables/B"]);
  });

  it("that need one another are refused, with the shortest circle", () => {
    const text = `variables:
  A: "\${ref:variables/B.variableId}"
  B: "\${ref:variables/C.variableId}"
  C: "\${ref:variables/B.variableId}"
`;
    expect(problemsOf(text)).toEqual([
      "4:3: these objects refer to one another in a circle: variables/B -> variables/C -> variables/B. Remove one of the references",
    ]);
  });

  it("say which others they need", () => {
    const { declarations } = loaded(withActions("A", "B"));
    expect(Object.fromEntries(collectNeeds(declarations))).toEqual({
      "projects/web": [],
      [deploy]: ["projects/web"],
      [`${deploy}/actions/A`]: [deploy],
      [`${deploy}/actions/B`]: [`${deploy}/actions/A`, deploy],
      [`${deploy}/actionOrder`]: [deploy, `${deploy}/actions/A`, `${deploy}/actions/B`],
    });
  });
});

describe("a branch and a file", () => {
  const inWeb = (parts: string, more = "") => loaded(`projects: { web: { ${parts} }${more} }`);
  const orderOf = (parts: string, more?: string) =>
    namesOf(inWeb(parts, more)).map((name) => name.replace("projects/web/", ""));

  it("wait for those at which they begin, although they do not refer to them", () => {
    const branches = "branches: { next: { revision: develop }, develop: {} }";
    const files = "files: { a.txt: { content: a }, b.txt: { branch: develop, content: b } }";
    const order = ["projects/web", "files/a.txt", "branches/develop", "branches/next", "files/b.txt"];
    const found = orderOf(`${branches}, ${files}`);
    const rank = (name: string) => found.indexOf(name);
    expect(found.toSorted()).toEqual(order.toSorted());
    expect(rank("files/a.txt")).toBeLessThan(rank("branches/develop"));
    expect(rank("branches/develop")).toBeLessThan(rank("files/b.txt"));
    expect(rank("files/b.txt")).toBeLessThan(rank("branches/next"));
    const needs = collectNeeds(inWeb(`${branches}, ${files}`).declarations);
    expect(needs.get("projects/web/branches/next")?.toSorted()).toEqual([
      "projects/web",
      "projects/web/branches/develop",
      "projects/web/files/a.txt",
      "projects/web/files/b.txt",
    ]);
    expect(needs.get("projects/web/files/b.txt")).toEqual(["projects/web", "projects/web/branches/develop"]);
    expect(needs.get("projects/web/files/a.txt")).toEqual(["projects/web"]);
  });

  it("wait for none in another project", () => {
    const more = ", api: { files: { a.txt: a } }";
    const needs = collectNeeds(inWeb("branches: { develop: {} }", more).declarations);
    expect(needs.get("projects/web/branches/develop")).toEqual(["projects/web"]);
  });

  it("wait for one another in an external project, too", () => {
    const file = inWeb("external: true, branches: { develop: {} }, files: { a.txt: a }");
    expect(collectNeeds(file.declarations).get("projects/web/branches/develop")).toEqual([
      "projects/web/files/a.txt",
    ]);
  });

  it("do not wait for one that needs them", () => {
    const file = inWeb(
      'branches: { develop: {} }, files: { a.txt: "${ref:projects/web/branches/develop.htmlUrl}" }',
    );
    const needs = collectNeeds(file.declarations);
    expect(needs.get("projects/web/branches/develop")).toEqual(["projects/web"]);
    expect(needs.get("projects/web/files/a.txt")).toContain("projects/web/branches/develop");
  });

  it("do not wait for one that needs them indirectly", () => {
    const chain = `branches: { develop: {} }
    files: { a.txt: "\${ref:variables/A.variableId}" }`;
    const text = `variables: { A: "\${ref:projects/web/branches/develop.htmlUrl}" }
projects:
  web:
    ${chain}`;
    const needs = collectNeeds(loaded(text).declarations);
    expect(needs.get("projects/web/branches/develop")).toEqual(["projects/web"]);
  });
});

describe("an ordered list", () => {
  it("is created one after the other, and then put in order", () => {
    const file = loaded(`workspace: acme\n${withActions("A", "B", "C")}`);
    const afterOf = (name: string) => declared(file, `${deploy}/actions/${name}`).after;
    expect(["A", "B", "C"].map(afterOf)).toEqual([undefined, `${deploy}/actions/A`, `${deploy}/actions/B`]);
    const order = declared(file, `${deploy}/actionOrder`);
    const { definition, args: _args, ...rest } = order;
    expect(definition.type).toBe("ActionOrder");
    expect(rest).toEqual({
      name: `${deploy}/actionOrder`,
      formerNames: ["projects/web/pipelines/release/actionOrder"],
      path: ["projects", "web", "pipelines", "deploy"],
      secrets: [],
      references: {},
      asWritten: {},
      retain: true,
      protect: undefined,
      ignoreChanges: [],
      after: undefined,
    });
    expect(order.args).toEqual({
      workspace: "acme",
      pipeline: new Ref(deploy),
      actions: ["A", "B", "C"].map((name) => new Ref(`${deploy}/actions/${name}`)),
    });
  });

  it("of one object has no order", () => {
    expect(namesOf(loaded(withActions("A")))).toEqual(["projects/web", deploy, `${deploy}/actions/A`]);
  });

  it("of an external pipeline is in order, too", () => {
    const file = loaded(`
projects:
  web: { external: true, pipelines: { p: { external: true, actions: [${ping("A")}, ${ping("B")}] } } }
`);
    expect(declared(file, "projects/web/pipelines/p/actionOrder").args).toMatchObject({
      project: "web",
      pipeline: "p",
    });
  });

  it("is one for each pipeline", () => {
    const pipeline = `{ triggerMode: MANUAL, refName: main, actions: [${ping("A")}, ${ping("B")}] }`;
    const file = loaded(`projects: { web: { pipelines: { p: ${pipeline}, q: ${pipeline} } } }`);
    expect(declared(file, "projects/web/pipelines/q/actions/A").after).toBeUndefined();
    expect(declared(file, "projects/web/pipelines/q/actions/B").after).toBe(
      "projects/web/pipelines/q/actions/A",
    );
  });
});
