/** Tests what overlays change. */
import { describe, expect, it } from "vitest";
import { problemsOf, resultOf } from "./composed.js";

describe("an overlay", () => {
  const base = `
groups:
  QA: { description: Testers, members: [ann, bob] }
variables: { REGION: us }
projects:
  web:
    pipelines:
      deploy:
        refName: main
        actions: [{ name: A, type: PING }, { name: B, type: PING }, { key: c, name: C, type: PING }]
`;
  const actionsOf = (items: string) => {
    const result = resultOf(base, `projects: { web: { pipelines: { deploy: { actions: [${items}] } } } }`);
    const { projects } = result as unknown as {
      projects: { web: { pipelines: { deploy: { actions: Record<string, unknown>[] } } } };
    };
    return projects.web.pipelines.deploy.actions;
  };
  const orderOf = (items: string) => actionsOf(items).map(({ name }) => name);
  const problemOf = (overlay: string) => problemsOf(base, overlay);

  it("of an entry without a value changes nothing", () => {
    expect(resultOf(base, "groups: { QA: }")).toEqual(resultOf(base));
    expect(resultOf(base, "groups: { New: }")["groups"]).toMatchObject({ New: null });
    expect(resultOf("guards: { maxDeletes: 1 }", "guards:")).toEqual({ guards: null });
    // Elsewhere, the value is not set any more.
    expect(resultOf(base, "groups: { QA: { description: } }")["groups"]).toEqual({
      QA: { description: null, members: ["ann", "bob"] },
    });
  });

  it("adds to the short form of an entry, or is the short form itself", () => {
    expect(resultOf(base, "variables: { REGION: { encrypted: true } }")["variables"]).toEqual({
      REGION: { value: "us", encrypted: true },
    });
    const long = "variables: { REGION: { value: us, encrypted: true } }";
    expect(resultOf(long, "variables: { REGION: eu }")).toEqual({
      variables: { REGION: { value: "eu", encrypted: true } },
    });
    expect(resultOf("variables: { REGION: us }", "variables: { REGION: eu }")).toEqual({
      variables: { REGION: "eu" },
    });
  });

  it("replaces a value of another kind", () => {
    expect(resultOf(base, "groups: { QA: { members: none } }")["groups"]).toMatchObject({
      QA: { members: "none" },
    });
    expect(resultOf(base, "groups: { QA: { members: { a: 1 } } }")["groups"]).toMatchObject({
      QA: { members: { a: 1 } },
    });
    expect(resultOf(base, "groups: { QA: { members: [eve] } }")["groups"]).toMatchObject({
      QA: { members: ["eve"] },
    });
  });

  it("adds a value to a list once, and removes all that are equal", () => {
    const members = (change: string) =>
      resultOf("groups: { QA: { members: [ann, bob, ann] } }", `groups: { QA: { members: ${change} } }`);
    expect(members("{ $add: [bob, eve] }")).toEqual({
      groups: { QA: { members: ["ann", "bob", "ann", "eve"] } },
    });
    expect(members("{ $remove: [ann] }")).toEqual({ groups: { QA: { members: ["bob"] } } });
    expect(problemOf("groups: { QA: { members: { $add: [eve], more: [] } } }")).toEqual([
      'overlay.yaml:1: "more" has no meaning here, because the overlay changes a list: write $add: [...] with the items to add, or $remove: [...] with the items to remove',
    ]);
    expect(problemOf("groups: { QA: { members: { $remove: ann } } }")).toEqual([
      'overlay.yaml:1: "$remove" must be a list, even of one item: write $remove: [ann]',
    ]);
    expect(problemOf("groups: { QA: { members: { $remove: [eve] } } }")).toEqual([
      'overlay.yaml:1: there is no "eve" in the file that this overlay changes, only ann, bob',
    ]);
  });

  it("removes an entry, and then sets nothing in it", () => {
    expect(resultOf(base, "groups: { QA: { $remove: true } }")["groups"]).toEqual({});
    expect(problemOf("groups: { QA: { $remove: true, description: x } }")).toEqual([
      "overlay.yaml:1: $remove: true removes this entry, so description next to it has no effect: remove one of the two lines",
    ]);
    expect(problemOf("variables: { X: { $remove: true } }")).toEqual([
      'overlay.yaml:1: there is no "X" in the file that this overlay changes, only REGION',
    ]);
    expect(problemsOf("groups: {}", "groups: { X: { $remove: true } }")).toEqual([
      'overlay.yaml:1: there is no "X" in the file that this overlay changes: nothing is declared there',
    ]);
    expect(problemOf("groups: { QA: { $remove: false } }")).toEqual([
      'overlay.yaml:1: "$remove" must be true: write "$remove: true", or remove the line',
    ]);
  });

  it("replaces an entry as a whole", () => {
    expect(resultOf(base, "groups: { QA: { $replace: true, description: x } }")["groups"]).toEqual({
      QA: { description: "x" },
    });
    expect(problemOf("groups: { QA: { $replace: yes please } }")).toEqual([
      'overlay.yaml:1: "$replace" must be true: write "$replace: true", or remove the line',
    ]);
  });

  it("explains keywords that mean nothing where they are", () => {
    expect(problemOf("groups: { QA: { $after: A } }")).toEqual([
      "overlay.yaml:1: $after gives an item of a list its position: remove it here, because the entries of a map have no order, or because $before is set, too",
    ]);
    expect(problemOf("groups: { QA: { $before: A } }")).toEqual([
      "overlay.yaml:1: $before gives an item of a list its position: remove it here, because the entries of a map have no order, or because $after is set, too",
    ]);
    expect(problemOf("groups: { QA: { $remov: true } }")[0]).toContain('Did you mean "$remove"?');
    expect(problemOf("groups: { QA: { $x: true } }")[0]).toContain(
      "the keywords are $remove, $replace, $after, $before, and, where the file has a list, $add: [...]",
    );
    // A name may look like a keyword.
    expect(resultOf(base, "groups: { $x: { description: y } }")["groups"]).toMatchObject({
      $x: { description: "y" },
    });
    expect(problemOf("groups: { $x: y }")).toHaveLength(1);
  });

  it("explains keywords in a new part, too", () => {
    expect(problemOf("groups: { New: { $x: 1 } }")).toHaveLength(1);
    expect(problemOf("groups: { New: { members: { $remove: [ann] } } }")).toHaveLength(1);
  });

  it("changes an item of an ordered list in its place, by its key or its name", () => {
    expect(actionsOf("{ name: B, destination: x }")[1]).toEqual({
      name: "B",
      type: "PING",
      destination: "x",
    });
    expect(actionsOf("{ key: c, name: D }")[2]).toEqual({ key: "c", name: "D", type: "PING" });
    expect(orderOf("{ name: D, type: PING }")).toEqual(["A", "B", "C", "D"]);
  });

  it("moves and inserts items", () => {
    expect(orderOf("{ name: D, $after: A }")).toEqual(["A", "D", "B", "C"]);
    expect(orderOf("{ name: D, $before: A }")).toEqual(["D", "A", "B", "C"]);
    expect(orderOf("{ name: A, $after: B }")).toEqual(["B", "A", "C"]);
    expect(orderOf("{ name: A, $after: c }")).toEqual(["B", "C", "A"]);
    expect(orderOf("{ key: c, $before: A }")).toEqual(["C", "A", "B"]);
    expect(orderOf("{ name: B, $after: A }")).toEqual(["A", "B", "C"]);
    expect(orderOf("{ name: B, $before: c }")).toEqual(["A", "B", "C"]);
    expect(actionsOf("{ name: D, $after: A }")[1]).toEqual({ name: "D" });
  });

  it("removes items, and says which ones there are", () => {
    expect(orderOf("{ name: B, $remove: true }")).toEqual(["A", "C"]);
    expect(orderOf("{ key: c, $remove: true }")).toEqual(["A", "B"]);
    const of = (item: string) =>
      problemOf(`projects: { web: { pipelines: { deploy: { actions: [${item}] } } } }`);
    expect(of("{ name: X, $remove: true }")).toEqual([
      'overlay.yaml:1: there is no "X" in the file that this overlay changes, only A, B, c',
    ]);
    expect(of("{ $remove: true }")[0]).toContain('there is no "" in the file that this overlay changes');
    expect(of("{ name: A, type: PING, $remove: true }")).toEqual([
      "overlay.yaml:1: $remove: true removes this entry, so type next to it has no effect: remove one of the two lines",
    ]);
    expect(of("{ name: D, $after: Other }")).toEqual([
      'overlay.yaml:1: there is no "Other" in the file that this overlay changes, only A, B, c',
    ]);
    expect(of("{ name: D, $after: A, $before: B }")).toEqual([
      "overlay.yaml:1: $before gives an item of a list its position: remove it here, because the entries of a map have no order, or because $after is set, too",
    ]);
  });

  it("makes a list where there was none", () => {
    const pipeline = (actions: string) => `projects: { web: { pipelines: { p: { ${actions} } } } }`;
    expect(resultOf(pipeline("refName: main"), pipeline("actions: [{ name: A }]"))).toEqual({
      projects: { web: { pipelines: { p: { refName: "main", actions: [{ name: "A" }] } } } },
    });
    expect(resultOf(pipeline("actions: x"), pipeline("actions: [{ name: A }]"))).toEqual({
      projects: { web: { pipelines: { p: { actions: [{ name: "A" }] } } } },
    });
    for (const name of ["7", '""'])
      expect(
        resultOf(pipeline(`actions: [{ name: ${name} }]`), pipeline(`actions: [{ name: ${name} }]`)),
      ).toMatchObject({ projects: { web: { pipelines: { p: { actions: [{}, {}] } } } } });
    expect(
      problemsOf(
        pipeline("actions: [{ name: Long }, x]"),
        pipeline("actions: [{ name: Other, $remove: true }]"),
      ),
    ).toEqual(['overlay.yaml:1: there is no "Other" in the file that this overlay changes, only Long']);
    // An item without a key cannot be found again.
    expect(resultOf(pipeline("actions: [{ name: A }]"), pipeline('actions: [x, { name: "" }, 1]'))).toEqual({
      projects: { web: { pipelines: { p: { actions: [{ name: "A" }, "x", { name: "" }, 1] } } } },
    });
  });
});

describe("overlays in a row", () => {
  it("apply one after the other", () => {
    expect(
      resultOf(
        "groups: { A: {} }",
        "groups: { B: {} }",
        "groups: { B: { description: x }, A: { $remove: true } }",
      ),
    ).toEqual({ groups: { B: { description: "x" } } });
  });

  it("may change templates, the parameters of their use, and defaults", () => {
    const base = `
templates: { team: { type: Group, parameters: { who: {}, why: { default: work } }, entry: { description: "\${param:who}, \${param:why}" } } }
defaults: { Variable: { settable: true } }
groups: { QA: { template: team, with: { who: we } } }
variables: { A: { value: a } }
`;
    const groups = (overlay: string) => resultOf(base, overlay)["groups"];
    expect(groups("groups: { QA: { with: { why: fun } } }")).toEqual({ QA: { description: "we, fun" } });
    expect(groups("groups: { QA: { with: { who: you } } }")).toEqual({ QA: { description: "you, work" } });
    expect(groups("templates: { team: { entry: { description: x } } }")).toEqual({
      QA: { description: "x" },
    });
    const line = `
templates: { line: { type: Pipeline, parameters: { ref: {} }, entry: { refName: "\${param:ref}", actions: [{ name: A }, { name: B }] } } }
projects: { web: { pipelines: { p: { template: line, with: { ref: main } } } } }
`;
    const pipelines = (overlay: string) =>
      (resultOf(line, overlay)["projects"] as { web: { pipelines: object } }).web.pipelines;
    expect(pipelines("projects: { web: { pipelines: { p: { with: { ref: dev } } } } }")).toEqual({
      p: { refName: "dev", actions: [{ name: "A" }, { name: "B" }] },
    });
    // The keywords of a new entry apply to what its template contains.
    expect(
      pipelines(
        "projects: { web: { pipelines: { q: { template: line, with: { ref: dev }, actions: [{ name: A, $remove: true }] } } } }",
      ),
    ).toMatchObject({ q: { refName: "dev", actions: [{ name: "B" }] } });
    expect(groups("groups: { QA: { description: y } }")).toEqual({ QA: { description: "y" } });
    expect(groups("groups: { Ops: { template: team, with: { who: they } } }")).toEqual({
      QA: { description: "we, work" },
      Ops: { description: "they, work" },
    });
    expect(resultOf(base, "defaults: { Variable: { settable: false } }")["variables"]).toEqual({
      A: { value: "a", settable: false },
    });
    expect(problemsOf(base, "groups: { QA: { with: x } }")).toEqual([
      'overlay.yaml:1: "with" must be a map of parameters and their values, such as with: { who: VALUE }',
      'a.yaml:4: template "team" requires the parameter "who": add "who: VALUE" below "with:"',
    ]);
  });
});
