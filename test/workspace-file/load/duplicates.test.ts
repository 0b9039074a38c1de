/** Tests entries that are valid by themselves, and together name one object. */
import { describe, expect, it } from "vitest";
import { loaded, namesOf, problemsOf } from "./loaded.js";

describe("two entries of one name", () => {
  it("are refused if they are of one type and in one place", () => {
    expect(problemsOf("groups: { A: { name: X }, B: { name: X } }")).toEqual([
      "2:27: groups/B names the same group as groups/A: rename or remove one of them",
    ]);
    expect(problemsOf("groups: { A: { name: B }, B: {} }")).toHaveLength(1);
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
      "2:35: groups/A is declared itself: remove the name from `previously` after the rename, or rename the other one",
    ]);
    expect(problemsOf("groups: { A: { previously: [X] }, B: { previously: [X] } }")).toEqual([
      "2:52: groups/X is claimed by groups/A too: remove the name from `previously` after the rename, or rename the other one",
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
    ).toEqual([expect.stringContaining("projects/x is claimed by projects/a too")]);
  });

  it("of a parent is no claim on its contents", () => {
    const pipeline = "pipelines: { p: { triggerMode: MANUAL, refName: main } }";
    expect(problemsOf(`projects: { a: { previously: [b], ${pipeline} }, c: { ${pipeline} } }`)).toEqual([]);
    expect(problemsOf("groups: { A: { previously: [Old] }, B: {} }")).toEqual([]);
  });
});
