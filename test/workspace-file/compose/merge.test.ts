/** Tests what several files become. */
import { describe, expect, it } from "vitest";
import { problemsOf, resultOf } from "./composed.js";

describe("several files", () => {
  it("become one, without their includes and what begins with x-", () => {
    expect(resultOf(["include: [b]\nx-a: 1\ngroups: { A: {} }", "x-b: 2\nvariables: { B: b }"])).toEqual({
      groups: { A: {} },
      variables: { B: "b" },
    });
  });

  it("may repeat the head, in the same words", () => {
    const [one, other] = ["workspace: acme\nguards: { a: 1, b: 2 }", "guards: { b: 2, a: 1 }"];
    expect(resultOf([one, other])).toEqual({ workspace: "acme", guards: { a: 1, b: 2 } });
    expect(problemsOf([one, "\nguards: { a: 1 }"])).toEqual([
      'b.yaml:2: "guards" has another value in a.yaml:2: remove one of the two',
    ]);
  });

  it("may leave a section empty", () => {
    for (const files of [
      ["groups:", "groups: { A: {} }"],
      ["groups: { A: {} }", "groups:"],
    ])
      expect(resultOf(files)).toEqual({ groups: { A: {} } });
  });

  it("may each add templates and defaults, but not of the same name", () => {
    const group = "defaults: { Group: { description: x } }\ngroups: { A: {} }";
    expect(
      resultOf([group, "defaults: { Variable: { settable: true } }\nvariables: { V: { value: v } }"]),
    ).toEqual({
      groups: { A: { description: "x" } },
      variables: { V: { value: "v", settable: true } },
    });
    expect(problemsOf([group, "\ndefaults: { Group: {} }"])).toEqual([
      'b.yaml:2: "Group" of defaults is declared twice: also in a.yaml:1. Remove one of them, or merge them',
    ]);
    // Whatever is no map is reported later, as in a single file.
    expect(problemsOf([group, "defaults: []"])).toEqual([]);
  });

  it("may add to an entry of another file that only has sections", () => {
    const pipelines = (name: string) => `projects: { web: { pipelines: { ${name}: { refName: main } } } }`;
    const both = { projects: { web: { pipelines: { a: { refName: "main" }, b: { refName: "main" } } } } };
    expect(resultOf([pipelines("a"), pipelines("b")])).toEqual(both);
    expect(resultOf(["projects: { web: { displayName: W } }", pipelines("a")])).toEqual({
      projects: { web: { displayName: "W", pipelines: { a: { refName: "main" } } } },
    });
    expect(resultOf([pipelines("a"), "projects: { web: }"])).toEqual({
      projects: { web: { pipelines: { a: { refName: "main" } } } },
    });
    expect(resultOf(["projects: { web: }", pipelines("a")])).toEqual({
      projects: { web: { pipelines: { a: { refName: "main" } } } },
    });
    expect(problemsOf([pipelines("a"), pipelines("a")])).toEqual([
      'b.yaml:1: pipeline "a" is declared twice: also in a.yaml:1. Remove one of them, or merge them',
    ]);
    const named = "projects: { web: { displayName: W } }";
    expect(problemsOf([named, named])).toEqual([
      'b.yaml:1: project "web" is declared twice: also in a.yaml:1. Remove one of them, or merge them',
    ]);
  });

  it("may not both have an ordered list, or a section that is none", () => {
    const actions = (name: string) =>
      `projects: { web: { pipelines: { a: { actions: [{ name: ${name} }] } } } }`;
    expect(problemsOf([actions("x"), actions("y")])).toEqual([
      "b.yaml:1: actions is declared twice: also in a.yaml:1. Remove one of them, or merge them",
    ]);
    expect(problemsOf(["groups: x", "groups: { A: {} }"])).toEqual([
      "b.yaml:1: groups is declared twice: also in a.yaml:1. Remove one of them, or merge them",
    ]);
  });
});
