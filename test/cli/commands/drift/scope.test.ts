/** Tests which unmanaged objects `drift` searches for. */
import { describe, expect, it } from "vitest";
import { searchFor } from "../../../../automation/drift/detect-drift.js";
import { findPlaceOfFinding } from "../../../../automation/report/report-view.js";
import { readDeclarations } from "../../../../workspace-file/load/load.js";
import { told } from "../../../automation/events.js";
import { fileIn, temporaryFolder } from "../../support.js";
import { events, finding } from "./support.js";

const text = `version: 1
workspace: acme
groups:
  QA:
    description: Testers
projects:
  web:
    variables: { TIER: one }
    pipelines:
      deploy: { previously: [ship], triggerMode: MANUAL, refType: BRANCH, refName: main }
  theirs:
    external: true
    pipelines:
      nightly: { name: Nightly run, triggerMode: MANUAL, refType: BRANCH, refName: main }
permissionSets:
  Developer: { external: true }
`;
const file = fileIn(temporaryFolder(), "workspace.yaml", text);
const declared = readDeclarations(file, { env: {} });

const web = { name: "web" };
const { observed } = told([
  ...events(
    "Project",
    "projects/web",
    { applied: web, live: web, declared: web },
    { plan: "same", id: "acme/web" },
  ),
  ...events("Group", "groups/QA", { applied: {}, declared: {} }),
]);
const search = (scope: "none" | "declared" | "all") => searchFor(scope, declared.tree, observed);

describe("the search for unmanaged objects", () => {
  const included = (scope: "none" | "declared" | "all") =>
    [
      ["Group", "workspace"],
      ["PermissionSet", "workspace"],
      ["Variable", "Project"],
      ["Variable", "Pipeline"],
      ["Pipeline", "Project"],
      ["ProjectMember", "Project"],
    ]
      .filter(([type = "", parent = ""]) => search(scope).includes(type, parent))
      .map((pair) => pair.join(" in "));

  it("covers lists of which the file declares an object, not those that it only refers to", () => {
    expect(included("declared")).toEqual([
      "Group in workspace",
      "Variable in Project",
      "Pipeline in Project",
    ]);
  });

  it("covers all lists or none on request", () => {
    expect(included("all")).toHaveLength(6);
    expect(included("none")).toEqual([]);
  });

  it("covers only existing objects", () => {
    expect(search("all").managed.map(({ name }) => name)).toEqual(["projects/web"]);
  });

  it("does not exclude an object with the name of one in the state, which is recognized by its number", () => {
    expect(search("all").named.filter(({ type }) => type === "Project")).toEqual([
      { type: "Project", key: "theirs", parent: undefined },
    ]);
  });

  it("does not exclude an object with the name of a deleted one, unless the file adopts it", () => {
    const groups = (tree: typeof declared.tree) =>
      searchFor("declared", tree, observed).named.filter(({ type }) => type === "Group");
    expect(groups(declared.tree)).toEqual([]);
    const adopting = fileIn(
      temporaryFolder(),
      "workspace.yaml",
      text.replace("QA:\n", "QA:\n    adopt: true\n"),
    );
    expect(groups(readDeclarations(adopting, { env: {} }).tree)).toHaveLength(1);
  });

  it("excludes other objects that the file names, external or not, by their names at the service", () => {
    expect(search("declared").named).toEqual([
      { type: "PermissionSet", key: "Developer", parent: undefined },
      { type: "Pipeline", key: "deploy", parent: "projects/web" },
      { type: "Variable", key: "TIER", parent: "projects/web" },
      { type: "Project", key: "theirs", parent: undefined },
      { type: "Pipeline", key: "Nightly run", parent: "projects/theirs" },
    ]);
  });
});

describe("the location of a finding", () => {
  const place = (type: string, name: string, ...pathParts: string[]) => {
    const found = findPlaceOfFinding(finding({ type, name, pathParts }), declared);
    if (found === undefined) return undefined;
    const { line, column } = found;
    return `${text.split("\n")[line - 1]?.slice(column - 1) ?? ""}`;
  };

  it("is the value, the key of the object, or the nearest parent", () => {
    expect(place("Group", "groups/QA", "description")).toBe("Testers");
    expect(place("Group", "groups/QA")).toBe("QA:");
    expect(place("Variable", "projects/web/variables/TIER", "value")).toBe("one }");
    expect(place("Group", "groups/QA", "members")).toMatch(/^(QA:|description)/);
  });

  it("is unknown without the section of an object that the file no longer declares", () => {
    expect(place("Variable", "variables/REGION")).toBeUndefined();
    expect(place("Pipeline", "projects/gone/pipelines/deploy")).toBeUndefined();
  });

  it("is the section to which an unmanaged object belongs", () => {
    expect(place("Group", "groups/Hackers")).toBe("groups:");
    expect(place("Pipeline", "projects/web/pipelines/Spy")).toBe("pipelines:");
    expect(place("Branch", "projects/web/branches/x")).toMatch(/^(web:|variables:)/);
  });
});
