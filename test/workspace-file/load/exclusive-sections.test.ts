/** Tests sections that are an argument of their parent: the forms in which they may be written, and where they are wrong. */
import { describe, expect, it } from "vitest";
import { Ref } from "../../../workspace-file/load/load.js";
import { declared, loaded, problemsOf } from "./loaded.js";

const people = `members: { ann@example.com: {}, bob@example.com: {} }
permissionSets: { dev: { external: true } }
`;
const project = (members: string) => `${people}projects: { web: { exclusive: true, members: ${members} } }`;
const group = (members: string) => `${people}groups: { QA: { exclusive: true, members: ${members} } }`;
const [ann, bob] = ["members/ann@example.com", "members/bob@example.com"].map((name) => new Ref(name));

describe("the members of an exclusive project", () => {
  it.each([
    "{ ann@example.com: dev, bob@example.com: dev }",
    "{ ann@example.com: { permissionSet: dev }, bob@example.com: dev }",
    // In the service's own form, it is a list.
    "[{ member: ann@example.com, permissionSet: dev }, { permissionSet: dev, member: bob@example.com }]",
  ])("may be %s", (members) => {
    expect(declared(loaded(project(members)), "projects/web").args["members"]).toEqual([
      { member: ann, permissionSet: "dev" },
      { member: bob, permissionSet: "dev" },
    ]);
  });

  const noEve =
    'no member "eve@example.com" is declared in this file. Declare it under members, with external: true if it is managed elsewhere';
  it.each([
    ["{ ann@example.com: dev, eve@example.com: dev }", [`4:70: ${noEve}`]],
    ["[{ member: eve@example.com, permissionSet: dev }]", [`4:57: ${noEve}`]],
    [
      "{ ann@example.com: dev, bob@example.com: [dev] }",
      ["4:87: permissionSet: must be a string or a number"],
    ],
    [
      "{ ann@example.com: { permissionSet: dev, of: a } }",
      ['4:87: unknown property "of": remove it, or correct its name'],
    ],
    ["{ ann@example.com: }", ["4:48: permissionSet: is required"]],
    ["dev", ["4:46: members: must be a list"]],
  ])("are wrong where %s is", (members, problems) => {
    expect(problemsOf(project(members))).toEqual(problems);
  });
});

it("the members of an exclusive group are a list, and no map", () => {
  expect(declared(loaded(group("[ann@example.com, 7]")), "groups/QA").args["members"]).toEqual([ann, 7]);
  expect(problemsOf(group("{ ann@example.com: {} }"))).toEqual(["4:43: members: must be a list"]);
  expect(problemsOf(group("{ eve@example.com: {} }"))).toEqual(["4:43: members: must be a list"]);
});

it("a member that is not exclusive is reported at its key", () => {
  const text = `${people}projects:\n  web:\n    members:\n      eve@example.com: dev\n`;
  expect(problemsOf(text)).toEqual([expect.stringMatching(/^7:7: no member "eve@example.com" is declared/)]);
});
