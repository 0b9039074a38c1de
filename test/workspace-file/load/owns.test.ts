/** Tests `owns` of a workspace file: what it may declare, and what its patterns say. */
import { describe, expect, it } from "vitest";
import type { WorkspaceFileError } from "../../../workspace-file/load/load.js";
import { readDeclarations } from "../../../workspace-file/load/load.js";
import {
  findOwnedByBoth,
  isOwned,
  mapToNameInFile,
  mayOwnBelow,
  mayOwnIn,
  ownsContents,
} from "../../../workspace-file/load/owns.js";

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
    const remedy = 'or add it to "owns"';
    const why = "is not in what this file owns (projects/web/**)";
    expect(outside).toEqual([
      `5 owns groups/QA ${why}: write external: true if it is managed elsewhere, ${remedy}`,
      `8 owns projects/api ${why}: write external: true if it is managed elsewhere, ${remedy}`,
      `9 owns projects/shared/variables/B ${why}: write external: true if it is managed elsewhere, ${remedy}`,
    ]);
  });

  it("refuses an object at its key, and says of an item of a list that it can be removed", () => {
    const text = `owns: ["groups/QA"]
members: { ann@example.com: { external: true } }
groups:
  QA: { members: [ann@example.com] }
  "Ops":
    description: others
`;
    const why = "is not in what this file owns (groups/QA)";
    const remedy = 'if it is managed elsewhere, or add it to "owns"';
    try {
      load(text);
      expect.unreachable();
    } catch (error) {
      expect((error as WorkspaceFileError).problems.map(({ place, message }) => [place, message])).toEqual([
        [
          { file: "<stdin>", line: 6, column: 19 },
          `groups/QA/members/ann@example.com ${why}: remove it ${remedy}`,
        ],
        [{ file: "<stdin>", line: 7, column: 3 }, `groups/Ops ${why}: write external: true ${remedy}`],
      ]);
    }
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
    // What the other patterns match means nothing then.
    expect(problems(`owns: ["group/**"]\ngroups: { QA: {} }`)).toEqual([
      '3 owns no object can be called "group/**". Did you mean "groups"?',
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
    expect(mayOwnBelow(undefined, "groups/QA")).toBe(true);
  });

  it("tells which lists may contain something owned", () => {
    const owns = ["groups/QA", "projects/web/variables/WEB_*"];
    expect(mayOwnIn(owns, "projects/web/variables")).toBe(true);
    expect(mayOwnIn(owns, "projects/web/members")).toBe(false);
    expect(mayOwnIn(owns, "projects")).toBe(false);
  });

  it("tells whether an object, or anything in it, may be owned", () => {
    const owns = ["groups/QA", "projects/web/variables/WEB_*"];
    const of = (...names: string[]) => names.filter((name) => mayOwnBelow(owns, name));
    expect(of("groups/QA", "projects/web", "projects/web/variables/WEB_A")).toHaveLength(3);
    expect(
      of("groups/Ops", "projects/api", "projects/web/variables/API_A", "projects/web/members/x"),
    ).toEqual([]);
  });

  it("is by the names in the file, where the service has other names", () => {
    const names = new Map([
      ["projects/shop", "projects/web"],
      ["projects/shop/pipelines/release", "projects/web/pipelines/deploy"],
    ]);
    const inFile = (name: string) => mapToNameInFile(name, (live) => names.get(live));
    expect(inFile("projects/shop")).toBe("projects/web");
    expect(inFile("projects/api")).toBe("projects/api");
    expect(inFile("projects/shop/variables/A")).toBe("projects/web/variables/A");
    expect(inFile("projects/shop/pipelines/release")).toBe("projects/web/pipelines/deploy");
    expect(inFile("projects/shop/pipelines/release/actions/A/variables/B")).toBe(
      "projects/web/pipelines/deploy/actions/A/variables/B",
    );
    expect(inFile("projects/api/pipelines/release/variables/B")).toBe(
      "projects/api/pipelines/release/variables/B",
    );
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
