/** Tests `owns` of a workspace file: what it may declare, and what its patterns say. */
import { describe, expect, it } from "vitest";
import type { WorkspaceFileError } from "../../workspace-file/load/index.js";
import { readDeclarations } from "../../workspace-file/load/index.js";
import { isOwned, mayOwnIn, findOwnedByBoth, ownsContents } from "../../workspace-file/load/owns.js";

const load = (text: string) =>
  readDeclarations("-", { env: {}, mock: true, stdin: () => `version: 1\nworkspace: acme\n${text}` });

function problems(text: string): string[] {
  try {
    load(text);
    return [];
  } catch (error) {
    return (error as WorkspaceFileError).problems.map(
      ({ place, code, message }) => `${place.line} ${code} ${message}`,
    );
  }
}

describe("owns", () => {
  it("allows what its patterns match, and external objects of others", () => {
    const text = `
owns: ["projects/web/**", "groups/web-*/**"]
members: { ann@example.com: { external: true } }
groups: { web-team: { members: [ann@example.com] }, QA: { external: true } }
projects: { web: { variables: { A: a } } }
`;
    expect(problems(text)).toEqual([]);
    expect(load(text).owns).toEqual(["projects/web/**", "groups/web-*/**"]);
  });

  it("refuses all else at its line, the outermost object only", () => {
    const outside = problems(`
owns: ["projects/web/**"]
groups: { QA: {} }
projects:
  web: {}
  api: { variables: { A: a }, pipelines: { p: { triggerMode: MANUAL, refType: BRANCH, refName: main, actions: [] } } }
  shared: { external: true, variables: { B: b } }
`);
    const remedy = "or add a pattern to owns";
    const why = "is not in what this file owns (projects/web/**)";
    expect(outside).toEqual([
      `5 owns groups/QA ${why}: write external: true if it is managed elsewhere, ${remedy}`,
      `8 owns projects/api ${why}: write external: true if it is managed elsewhere, ${remedy}`,
      `9 owns projects/shared/variables/B ${why}: write external: true if it is managed elsewhere, ${remedy}`,
    ]);
  });

  it("refuses exclusive lists that are not owned as a whole", () => {
    const group = "groups: { QA: { exclusive: true, members: [] } }";
    expect(problems(`owns: ["groups/QA"]\n${group}`)).toEqual([
      "4 owns exclusive: true removes members that others have added, and this file does not own all of groups/QA/members: " +
        'add "groups/QA/**" to owns, or omit exclusive',
    ]);
    expect(problems(`owns: ["groups/**"]\n${group}`)).toEqual([]);
  });

  it("refuses patterns that can match no object", () => {
    expect(problems(`owns: ["project/web/**"]`)).toEqual([
      '3 owns no object can be called "project/web/**". Did you mean "projects"?',
    ]);
    expect(problems(`owns: ["variables/A/B"]`)[0]).toContain("names are like groups/QA or");
    expect(problems(`owns: []`)[0]).toContain("owns");
    expect(problems(`owns: ["**/constructor"]`)).toEqual([]);
  });

  it("may contain placeholders, whose mock values are not checked", () => {
    expect(problems("owns: ['projects/${config:team}/**']\ngroups: { QA: {} }")).toEqual([]);
  });
});

describe("ownership by name", () => {
  it("is everything without patterns", () => {
    expect(isOwned(undefined, "groups/QA")).toBe(true);
    expect(mayOwnIn(undefined, "groups")).toBe(true);
  });

  it("tells which lists may contain something owned", () => {
    const owns = ["projects/web/variables/WEB_*"];
    expect(mayOwnIn(owns, "projects/web/variables")).toBe(true);
    expect(mayOwnIn(owns, "projects/web/members")).toBe(false);
    expect(mayOwnIn(owns, "projects")).toBe(false);
  });

  it("tells whether all contents of an object are owned", () => {
    expect(ownsContents(["projects/web/**"], "Project", "projects/web")).toBe(true);
    expect(ownsContents(["projects/web", "projects/web/variables/**"], "Project", "projects/web")).toBe(
      false,
    );
    expect(ownsContents(["variables/A"], "Variable", "variables/A")).toBe(true);
  });

  it("overlaps only in names that an object can have", () => {
    expect(findOwnedByBoth("projects/web*", "projects/*api/**")).toBe("projects/webapi");
    expect(findOwnedByBoth("groups", "groups/**")).toBeUndefined();
    expect(findOwnedByBoth("projects/*/members/*", "projects/web/**")).toBe("projects/web/members/x");
  });
});
