/** Tests how entries are written: as maps, lists, keys or short forms, with keywords; and what is said where they are not. */
import { describe, expect, it } from "vitest";
import { Ref } from "../../../workspace-file/load/load.js";
import { declared, loaded, namesOf, problemsOf } from "./loaded.js";

const inPipeline = (actions: string) =>
  `projects: { web: { pipelines: { p: { triggerMode: MANUAL, refName: main, actions: ${actions} } } } }`;

describe("a section", () => {
  it("has the form of its type", () => {
    expect(problemsOf("groups: [QA]")).toEqual([
      '2:9: "groups" must be a map: each key is the name of a group, with the properties below it',
    ]);
    expect(problemsOf("groups: QA")).toEqual([
      '2:9: "groups" must be a map: each key is the name of a group, with the properties below it',
    ]);
    expect(problemsOf(inPipeline("{ A: {} }"))[0]).toContain(
      '"actions" must be a list: begin each action with "- "',
    );
    expect(problemsOf("groups: { QA: { members: { ann: {} } } }")[0]).toContain(
      '"members" must be a list: begin each group member with',
    );
  });

  it("may be empty or missing", () => {
    expect(namesOf(loaded("groups:\nvariables: {}"))).toEqual([]);
  });
});

describe("an entry", () => {
  it("may be empty, or be written in short where its type has a short form", () => {
    expect(declared(loaded("groups: { QA: }"), "groups/QA").args).toEqual({ name: "QA" });
    expect(declared(loaded("variables: { A: text }"), "variables/A").args).toMatchObject({ value: "text" });
    expect(problemsOf("groups: { QA: Testers }")).toEqual([
      "2:15: must be a map with the properties of the group",
    ]);
    expect(problemsOf("groups:\n  QA: description:x")).toEqual([
      "3:7: must be a map with the properties of the group: write a space after the colon",
    ]);
    for (const text of ["see also:x", "a:b:c"])
      expect(problemsOf(`groups:\n  QA: ${text}`)).toEqual([
        "3:7: must be a map with the properties of the group",
      ]);
    expect(problemsOf("groups:\n  QA: description:text")[0]).toContain("write a space after the colon");
    // An address has a colon, too.
    expect(problemsOf("groups:\n  QA: https://x")).toEqual([
      "3:7: must be a map with the properties of the group",
    ]);
  });

  it("is known by its key, under what contains it", () => {
    const file = loaded("projects: { web: { pipelines: { a/b: { triggerMode: MANUAL, refName: main } } } }");
    expect(namesOf(file)).toEqual(["projects/web", "projects/web/pipelines/a%2Fb"]);
    expect(declared(file, "projects/web/pipelines/a%2Fb").args).toMatchObject({
      name: "a/b",
      project: new Ref("projects/web"),
    });
  });

  it("keeps what it is told to keep, with its contents", () => {
    const retained = (project: string, pipeline: string) => {
      const text = `projects: { web: { ${project} pipelines: { p: { ${pipeline} triggerMode: MANUAL, refName: main } } } }`;
      return loaded(text).declarations.map(({ retain }) => retain);
    };
    expect(retained("", "")).toEqual([false, false]);
    expect(retained("retain: true,", "")).toEqual([true, true]);
    expect(retained("retain: true,", "retain: false,")).toEqual([true, false]);
    expect(retained("", "retain: true,")).toEqual([false, true]);
  });

  it("has keywords of the right kind", () => {
    expect(problemsOf("groups: { QA: { retain: perhaps } }")).toEqual([
      expect.stringMatching(/^2:25: retain: must be true or false/),
    ]);
    const file = loaded("groups: { QA: { protect: true, ignoreChanges: [description], previously: [Q] } }");
    expect(declared(file, "groups/QA")).toMatchObject({
      protect: true,
      ignoreChanges: ["description"],
      formerNames: ["groups/Q"],
    });
  });

  it("does not repeat what follows from its place", () => {
    expect(
      problemsOf(
        "projects: { web: { pipelines: { p: { project: web, triggerMode: MANUAL, refName: main } } } }",
      ),
    ).toEqual([
      '2:38: unknown property "project": remove it, because it follows from where the pipeline is declared',
    ]);
  });

  it("may have an argument with the name of a section, which is a list then", () => {
    const variables = (type: string) =>
      problemsOf(inPipeline(`[{ name: A, type: ${type}, variables: [{ key: A }] }]`)).filter((line) =>
        line.includes("variables"),
      );
    expect(variables("AGENT")).toEqual([]);
    expect(variables("PING")).not.toEqual([]);
  });

  it("is told where a section belongs that is not one of its own", () => {
    expect(problemsOf("pipelines: {}")).toEqual([
      expect.stringMatching(/^2:1: unknown property "pipelines": move it into an entry of projects$/),
    ]);
  });
});

describe("an external entry", () => {
  it("has no arguments and no other keywords", () => {
    expect(problemsOf("groups: { QA: { external: true, description: x, retain: true } }")).toEqual([
      '2:33: this group is external, so this file does not manage it and cannot set "description": remove "description", or remove "external"',
      '2:49: this group is external, so this file does not manage it and cannot set "retain": remove "retain", or remove "external"',
    ]);
  });

  it("is no item of a list", () => {
    const text = "projects:\n  web:\n    pipelines:\n      p: { actions: [{ name: A, external: true }] }";
    expect(problemsOf(text)).toContain(
      '5:43: an action cannot be external: remove "external", and declare the rest of it here, or remove the whole entry',
    );
  });

  it("may have contents, and is referred to by its name", () => {
    const file = loaded(`
groups: { QA: { external: true, members: [ann@example.com] } }
members: { ann@example.com: {} }
`);
    expect(namesOf(file)).toEqual(["members/ann@example.com", "groups/QA/members/ann@example.com"]);
    expect(declared(file, "groups/QA/members/ann@example.com").args).toEqual({
      group: "QA",
      member: new Ref("members/ann@example.com"),
    });
  });
});

describe("a list of names", () => {
  it("refers to what the file declares, or by number to what it does not", () => {
    const file = loaded(
      "groups: { QA: { members: [ann@example.com, 7] } }\nmembers: { ann@example.com: {} }",
    );
    expect(declared(file, "groups/QA/members/7").args).toMatchObject({ member: 7 });
    expect(problemsOf("groups: { QA: { members: [eve@example.com] } }")).toEqual([
      '2:27: no member "eve@example.com" is declared in this file. Declare it under members, with external: true if it is managed elsewhere',
    ]);
    expect(problemsOf("groups: { QA: { members: [[1]] } }")).toEqual([
      "2:27: must be a member, written as a string: - NAME",
    ]);
    expect(problemsOf("groups: { QA: { members: [7, 7] } }")).toEqual([
      '2:30: "7" appears twice: remove one of them',
    ]);
  });
});

describe("a list that its parent owns", () => {
  const people = "members: { ann@example.com: {} }\npermissionSets: { dev: { external: true } }\n";
  const project = (members: string) => `${people}projects: { web: { exclusive: true, members: ${members} } }`;

  it("contains what the section does, in short or in full", () => {
    const members = (text: string) => declared(loaded(project(text)), "projects/web").args["members"];
    const ann = new Ref("members/ann@example.com");
    expect(members("{ ann@example.com: dev }")).toEqual([{ member: ann, permissionSet: "dev" }]);
    expect(members("{ ann@example.com: { permissionSet: dev } }")).toEqual([
      { member: ann, permissionSet: "dev" },
    ]);
    expect(members("{}")).toEqual([]);
  });

  it("is a part of the parent, and no section of its own", () => {
    expect(namesOf(loaded(project("{ ann@example.com: dev }")))).toEqual([
      "members/ann@example.com",
      "projects/web",
    ]);
    const usual = loaded(
      `${people}projects: { web: { exclusive: false, members: { ann@example.com: dev } } }`,
    );
    expect(namesOf(usual)).toContain("projects/web/members/ann@example.com");
  });

  it("is reported where it is wrong: at the name, at the value, or at the list", () => {
    expect(problemsOf(project("{ eve@example.com: dev }"))).toEqual([
      expect.stringMatching(/^4:48: no member "eve@example.com" is declared in this file/),
    ]);
    expect(problemsOf(project("{ ann@example.com: ops }"))).toEqual([
      expect.stringMatching(/^4:\d+: no permission set "ops" is declared in this file/),
    ]);
    expect(problemsOf(project(""))).toEqual([expect.stringContaining("members: is required")]);
    expect(problemsOf(project("{ ann@example.com: }"))).toEqual([
      expect.stringMatching(/^4:\d+: permissionSet: is required/),
    ]);
    const group = (members: string) => `${people}groups: { QA: { exclusive: true, members: ${members} } }`;
    expect(problemsOf(group("[eve@example.com]"))).toEqual([
      expect.stringMatching(/^4:44: no member "eve@example.com" is declared in this file/),
    ]);
    expect(problemsOf(group("{ ann@example.com: {} }"))).not.toEqual([]);
  });
});

describe("an item of an ordered list", () => {
  const of = (item: string) => problemsOf(inPipeline(`[${item}]`)).map((line) => line.replace(/^\S+ /, ""));

  it("has a name, which is a text", () => {
    expect(of("{ disabled: true }")).toContain("name: is required");
    expect(of("{ nam: 7, type: PING }")).toContain("name: is required");
    expect(of("{ template: none }")).toEqual([expect.stringContaining('no template "none"')]);
    expect(problemsOf("projects:\n  web:\n    pipelines:\n      p: { actions: [{ name: 7 }] }")).toContain(
      "5:30: name: must be a string: write it in quotes",
    );
    expect(of("{ nam: A, type: PING }")).toContain(
      'name: is required. Did you mean "name" where it says "nam"?',
    );
    expect(of("{ name: 7, type: PING }")).toContain("name: must be a string: write it in quotes");
    expect(of("{ name: true, type: PING }")).toContain("name: must be a string: write it in quotes");
    expect(of("{ name: [a], type: PING }")).toContain("name: must be a string");
    expect(of("{ key: 7, name: A, type: PING }")).toContain("key: must be a string: write it in quotes");
    expect(of('{ name: "", type: PING }')).toContain("name: is required");
    expect(of("A")).toContain('each item must be a map with a name, such as "- name: ..."');
  });

  it("is known by its key, if it has one, and only once", () => {
    const item = (names: string) =>
      `{ ${names}, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }`;
    const file = loaded(inPipeline(`[${item("key: a, name: A")}, ${item("name: B")}]`));
    expect(declared(file, "projects/web/pipelines/p/actions/a").args).toMatchObject({ name: "A" });
    expect(of(`${item("name: A")}, ${item("key: A, name: B")}`)).toEqual([
      '"A" is declared twice: give one of them a `key` of its own',
    ]);
  });
});
