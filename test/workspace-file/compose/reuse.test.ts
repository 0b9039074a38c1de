/** Tests what defaults and templates add. */
import { describe, expect, it } from "vitest";
import { composed, problemsOf, resultOf } from "./composed.js";

describe("defaults", () => {
  it("apply to entries without arguments, and not to external ones", () => {
    expect(
      resultOf(
        "defaults: { Group: { description: x } }\ngroups: { A: , B: { external: true }, C: { external: false } }",
      ),
    ).toEqual({
      groups: {
        A: { description: "x" },
        B: { external: true },
        C: { description: "x", external: false },
      },
    });
  });

  it("may be empty, and are refused when they are no map", () => {
    expect(resultOf("defaults:\ngroups: { A: {} }")).toEqual({ groups: { A: {} } });
    expect(resultOf("defaults: { Group: }\ngroups: { A: {} }")).toEqual({ groups: { A: {} } });
    expect(problemsOf("defaults: x")).toEqual([
      'a.yaml:1: "defaults" must be a map: each key is a type, such as Pipeline, with its default arguments below it',
    ]);
    expect(problemsOf("defaults: { Group: x }")).toEqual([
      "a.yaml:1: must be a map with the properties of a group",
    ]);
  });

  it("leave sections in a wrong form as they are", () => {
    expect(resultOf("defaults: { Group: { description: x } }\ngroups: [{ name: A }]")).toEqual({
      groups: [{ name: "A" }],
    });
    const actions = { A: { type: "PING" } };
    expect(
      resultOf(
        "defaults: { Action: { disabled: true } }\nprojects: { web: { pipelines: { p: { actions: { A: { type: PING } } } } } }",
      ),
    ).toEqual({ projects: { web: { pipelines: { p: { actions } } } } });
  });

  it("name the types that there are", () => {
    expect(problemsOf("defaults: { variables: {} }")).toEqual([
      'a.yaml:1: unknown type "variables". Did you mean Variable?',
    ]);
    expect(problemsOf("defaults: { zzzzzz: {} }")[0]).toMatch(
      /^a.yaml:1: unknown type "zzzzzz": they are .*Pipeline/,
    );
    // The members of a group are plain names.
    expect(problemsOf("defaults: { GroupMember: {} }")[0]).toContain('unknown type "GroupMember"');
  });

  it("cannot set what follows from the place of an entry", () => {
    expect(problemsOf("defaults: { Pipeline: { project: web } }")[0]).toContain(
      'a pipeline has no "project"',
    );
    expect(
      resultOf("defaults: { Pipeline: { protect: true, retain: true, ignoreChanges: [refName] } }"),
    ).toEqual({});
    expect(resultOf("defaults: { Project: { pipelines: { p: {} } } }\nprojects: { web: {} }")).toEqual({
      projects: { web: { pipelines: { p: {} } } },
    });
  });

  it("of actions apply to the types that have such an argument", () => {
    const base = `
defaults: { Action: { triggerTime: ON_FAILURE, type: PING, destination: host, containerImageName: node } }
projects: { web: { pipelines: { p: { actions: [{ name: A }, { name: B, type: BUILD }] } } } }
`;
    const common = { triggerTime: "ON_FAILURE" };
    expect(resultOf(base)).toEqual({
      projects: {
        web: {
          pipelines: {
            p: {
              actions: [
                { ...common, name: "A", type: "PING", destination: "host" },
                { ...common, name: "B", type: "BUILD", containerImageName: "node" },
              ],
            },
          },
        },
      },
    });
  });
});

describe("templates", () => {
  const team = (parts: string) =>
    `templates: { team: { type: Group, ${parts} } }\ngroups: { QA: { template: team } }`;
  const problemOf = (text: string) => problemsOf(text)[0];

  it("are no part of the result", () => {
    expect(resultOf(team("entry: { description: x }"))).toEqual({ groups: { QA: { description: "x" } } });
    expect(resultOf("templates:\ngroups: { QA: {} }")).toEqual({ groups: { QA: {} } });
  });

  it("have a type, and one entry", () => {
    expect(problemOf("templates: []")).toBe(
      'a.yaml:1: "templates" must be a map: each key is the name of a template, with its type and entry below it',
    );
    expect(problemOf("templates: { team: { type: Grup, entry: {} } }")).toMatch(
      /^a.yaml:1: type: must be one of .*Group.*Did you mean "Group"\?$/,
    );
    expect(problemOf("templates: { m: { type: GroupMember, entry: {} } }")).toContain("type: must be one of");
    expect(problemOf(team("parameters: {}"))).toBe(
      'a.yaml:1: template "team" is for a group, and must have `entry:`, with the properties that it sets',
    );
    expect(problemOf(team("entries: [{}]"))).toBe(
      'a.yaml:1: template "team" is for a group, and must have `entry:`, with the properties that it sets',
    );
    expect(problemOf("templates: { a: { type: Action, entry: {}, entries: [] } }")).toBe(
      'a.yaml:1: template "a" is for an action, and must have either `entry:` or `entries:`, with the properties that it sets',
    );
    expect(problemOf("templates: { a: { entry: {} } }")).toContain("type: ");
    expect(problemOf(team("entri: {}"))).toContain('Did you mean "entry"?');
  });

  it("are used by name", () => {
    expect(problemOf("groups: { QA: { template: [x] } }")).toBe(
      "a.yaml:1: template: must be the name of a template",
    );
    expect(problemOf("groups: { QA: { template: team } }")).toBe(
      'a.yaml:1: there is no template "team": declare one under "templates:", with type: Group',
    );
    expect(problemOf("groups: { QA: { with: {} } }")).toBe("a.yaml:1: `with` requires `template`: add it");
  });

  it("that cannot be expanded leave the entry as it is, and mark it as incomplete", () => {
    expect(composed("groups: { QA: { template: team, description: x } }").result).toEqual({
      groups: { QA: { template: "team", description: "x" } },
    });
    expect(composed("groups: { QA: { with: {}, description: x } }").result).toEqual({
      groups: { QA: { description: "x" } },
    });
  });

  it("are of the type of the entry, and do not use themselves", () => {
    const other =
      "templates: { team: { type: Variable, entry: { value: x } } }\ngroups: { QA: { template: team } }";
    expect(problemOf(other)).toBe(
      'a.yaml:2: template "team" is for the type Variable, and this is of Group: choose a template for Group, or write the properties here',
    );
    const near = "templates: { team: { type: Group, entry: {} }, tea: { type: Variable, entry: {} } }";
    expect(problemOf(`${near}\ngroups: { QA: { template: teams } }`)).toBe(
      'a.yaml:2: there is no template "teams". Did you mean "team"?',
    );
    expect(problemOf(team("entry: { template: team }"))).toBe(
      'a.yaml:1: template "team" uses itself: team -> team. Remove one of these uses',
    );
    expect(
      problemOf(`
templates:
  site: { type: Project, entry: { pipelines: { p: { template: line } } } }
  line: { type: Pipeline, entry: { template: line } }
projects: { web: { template: site } }
`),
    ).toBe('a.yaml:4: template "line" uses itself: site -> line -> line. Remove one of these uses');
  });

  it("add no more than a file may contain, which is reported once", () => {
    const long = "x".repeat(100_000);
    expect(
      problemsOf(`
templates: { team: { type: Group, parameters: { a: {} }, entry: { description: "${"${param:a}".repeat(60)}" } } }
groups: { QA: { template: team, with: { a: ${long} } }, Ops: { template: team, with: { a: ${long} } } }
`),
    ).toEqual(["a.yaml:3: templates expand to more than 300000 parts: use fewer templates of templates"]);
  });

  it("allow some values of a parameter only", () => {
    const given = (value: string) =>
      composed(
        `templates: { t: { type: Variable, parameters: { a: { enum: [1, x] } }, entry: { value: "\${param:a}", settable: true } } }\nvariables: { V: { template: t, with: { a: ${value} } } }`,
      );
    expect(given("1")).toEqual({ result: { variables: { V: { value: 1, settable: true } } }, problems: [] });
    expect(given("x").problems).toEqual([]);
    expect(given("y").problems).toEqual(["a.yaml:2: a: must be one of 1, x"]);
  });

  it("need no parameters where all have defaults", () => {
    const text =
      'templates: { t: { type: Group, parameters: { a: { default: d } }, entry: { description: "${param:a}" } } }';
    expect(resultOf(`${text}\ngroups: { QA: { template: t, with: } }`)).toEqual({
      groups: { QA: { description: "d" } },
    });
    expect(problemOf(text.replace("{ default: d }", "{}") + "\ngroups: { QA: { template: t } }")).toBe(
      'a.yaml:2: template "t" requires the parameter "a": add "a: VALUE" below "with:"',
    );
  });

  it("list their parameters where an unknown one is given", () => {
    const given = (parameters: string) =>
      problemOf(
        `templates: { team: { type: Group, parameters: ${parameters}, entry: {} } }\ngroups: { QA: { template: team, with: { zz: 1 } } }`,
      );
    expect(given("{ who: { default: we }, why: { default: x } }")).toBe(
      'a.yaml:2: template "team" has no parameter "zz": it has who, why',
    );
    expect(given("{}")).toBe('a.yaml:2: template "team" has no parameter "zz": it has none');
  });

  it("insert plain values into texts, and any value alone", () => {
    const filled = (value: string, text: string) =>
      composed(
        `templates: { team: { type: Group, parameters: { a: {} }, entry: { description: "${text}" } } }\ngroups: { QA: { template: team, with: { a: ${value} } } }`,
      );
    const description = (value: string, text: string) =>
      (filled(value, text).result as { groups: { QA: { description: unknown } } }).groups.QA.description;
    expect(description("7", "${param:a}")).toBe(7);
    expect(description("7", "n=${param:a}")).toBe("n=7");
    expect(description("[1]", "${param:a}")).toEqual([1]);
    expect(description("x", "$${param:a} ${env:A}${param:a}")).toBe("${param:a} ${env:A}x");
    expect(filled("[1]", "n=${param:a}").problems).toEqual([
      "a.yaml:1: ${param:a} is part of a string, but its value is a list or a map: pass a string or a number",
    ]);
    expect(filled("", "n=${param:a}").problems).toEqual([
      "a.yaml:1: ${param:a} is part of a string, but its value is empty: pass a string or a number",
    ]);
    expect(filled("x", "${param:other}").problems).toEqual([
      'a.yaml:1: template "team" has no parameter "other"',
    ]);
    expect(filled("x", "${param:aa}").problems[0]).toContain('Did you mean "a"?');
  });

  it("of several items are expanded in their place", () => {
    const using = (item: string, entries = "[{ name: A }, { name: B }]") => `
templates: { two: { type: Action, entries: ${entries} }, more: { type: Action, entries: [{ template: two }, { name: C }] } }
projects: { web: { pipelines: { p: { actions: [{ name: X }, ${item}, { name: Y }] } } } }
`;
    const names = (item: string) =>
      (
        resultOf(using(item)) as {
          projects: { web: { pipelines: { p: { actions: { name: string }[] } } } };
        }
      ).projects.web.pipelines.p.actions.map(({ name }) => name);
    expect(names("{ template: two }")).toEqual(["X", "A", "B", "Y"]);
    expect(names("{ template: more }")).toEqual(["X", "A", "B", "C", "Y"]);
    expect(problemOf(using("{ template: two, name: Z }"))).toBe(
      'a.yaml:3: template "two" contains several items: its entry may set only `template` and `with`',
    );
    expect(problemOf(using("{ template: two }", "x"))).toBe("a.yaml:2: entries: must be a list");
  });

  it("of an entry with contents expand what it contains", () => {
    expect(
      resultOf(`
templates:
  site: { type: Project, entry: { displayName: S, pipelines: { p: { template: line } } } }
  line: { type: Pipeline, entry: { refName: main } }
projects: { web: { template: site, pipelines: { q: { template: line } } } }
`),
    ).toEqual({
      projects: {
        web: { displayName: "S", pipelines: { p: { refName: "main" }, q: { refName: "main" } } },
      },
    });
  });
});
