/** Tests entries that are valid by themselves, and together name one object. */
import { describe, expect, it } from "vitest";
import { Ref } from "../../../workspace-file/load/load.js";
import { loaded, namesOf, problemsOf } from "./loaded.js";

describe("two entries of one name", () => {
  it("are refused if they are of one type and in one place", () => {
    expect(problemsOf("groups: { A: { name: X }, B: { name: X } }")).toEqual([
      "2:27: groups/B names the same group as groups/A: rename or remove one of them",
    ]);
    expect(problemsOf("groups: { A: { name: B }, B: {} }")).toHaveLength(1);
  });

  it("are refused if they are two spellings of one person's address, also in a group", () => {
    expect(problemsOf("members: { bob@example.com: {}, Bob@Example.com: {} }")).toEqual([
      "2:33: members/Bob@Example.com names the same member as members/bob@example.com: rename or remove one of them",
    ]);
    const group = "groups: { QA: { members: [BOB@example.com, bob@example.COM] } }";
    expect(problemsOf(`members: { bob@example.com: {} }\n${group}`)).toEqual([
      expect.stringContaining("names the same group member as groups/QA/members/BOB@example.com"),
    ]);
  });

  it("are allowed if only upper and lower case of names that are no addresses differ", () => {
    expect(problemsOf("groups: { QA: {}, qa: {} }")).toEqual([]);
  });

  it("are found by any spelling where others refer to them", () => {
    const file = loaded(
      'members: { bob@example.com: {} }\ngroups: { "Caf\\u00e9": { members: [BOB@example.com] } }\n' +
        'permissionSets: { "Re\\u0301sum\\u00e9": { description: d, repositoryAccessLevel: DENIED, pipelineAccessLevel: DENIED } }\n' +
        'projects: { web: { members: { Bob@example.com: "R\\u00e9sum\\u00e9" } } }',
    );
    const refs = file.declarations.flatMap(({ args }) =>
      Object.values(args).flatMap((value) => (value instanceof Ref ? [value.name] : [])),
    );
    expect(refs.filter((name) => name === "members/bob@example.com")).toHaveLength(2);
    expect(refs).toContain("permissionSets/Re\u0301sum\u00e9");
  });

  it("are allowed elsewhere", () => {
    const pipeline = "pipelines: { p: { triggerMode: MANUAL, refName: main } }";
    const file = loaded(
      `groups: { A: {} }\nvariables: { A: a }\nprojects: { a: { ${pipeline} }, b: { ${pipeline} } }`,
    );
    expect(namesOf(file)).toContain("projects/b/pipelines/p");
  });
});

describe("a former name", () => {
  it("of another entry is refused, whether that has it still or claims it too", () => {
    expect(problemsOf("groups: { A: {}, B: { previously: [A] } }")).toEqual([
      "2:35: groups/A is still declared, too: remove the name from `previously` after the rename, or rename the other one",
    ]);
    expect(problemsOf("groups: { A: { previously: [X] }, B: { previously: [X] } }")).toEqual([
      "2:52: groups/X is a former name of groups/A, too: remove the name from `previously` after the rename, or rename the other one",
    ]);
  });

  it("that two entries would exchange is refused with the steps that work", () => {
    const problems = problemsOf("groups: { A: { previously: [B] }, B: { previously: [A] } }");
    expect(problems).toHaveLength(2);
    expect(problems[0]).toContain(
      "groups/A and groups/B would exchange their names, which takes several runs",
    );
  });

  it("of a parent that two claim is reported for the parent only", () => {
    const pipeline = "pipelines: { p: { triggerMode: MANUAL, refName: main } }";
    expect(
      problemsOf(`projects: { a: { previously: [x], ${pipeline} }, b: { previously: [x], ${pipeline} } }`),
    ).toEqual([expect.stringContaining("projects/x is a former name of projects/a, too")]);
  });

  it("of a parent is no claim on its contents", () => {
    const pipeline = "pipelines: { p: { triggerMode: MANUAL, refName: main } }";
    expect(problemsOf(`projects: { a: { previously: [b], ${pipeline} }, c: { ${pipeline} } }`)).toEqual([]);
    expect(problemsOf("groups: { A: { previously: [Old] }, B: {} }")).toEqual([]);
  });
});
