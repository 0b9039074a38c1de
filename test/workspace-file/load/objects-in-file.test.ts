/** Tests the objects of a file with all their arguments, as rules of a user see them. */
import { expect, it } from "vitest";
import {
  collectObjects,
  objectTypes,
  withDescendants,
} from "../../../workspace-file/load/objects-in-file.js";
import { parseYaml } from "../../../workspace-file/syntax/parse.js";
import type { MapTree } from "../../../workspace-file/syntax/tree.js";

const text = `
version: 1
workspace: acme
groups:
  QA: { description: Testers, exclusive: true, members: [ann@example.com, bob@example.com] }
variables: { REGION: us }
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refName: main
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: host }
  old: { external: true, variables: { A: { value: b } } }
`;
const tree = parseYaml("a.yaml", text).tree as MapTree;
const root = collectObjects(tree);
const all = [...withDescendants(root)];
const find = (name: string) => all.find((one) => one.name === name)!;

it("are all objects, below the workspace", () => {
  expect(root).toMatchObject({ type: "Workspace", name: "", args: { workspace: "acme", connection: null } });
  expect(root.parent).toBeUndefined();
  expect(root.pathOf(["workspace"])).toEqual(["workspace"]);
  expect(all.map(({ type, name }) => `${type} ${name}`).toSorted()).toEqual([
    "Action projects/web/pipelines/deploy/actions/Ping",
    "Group groups/QA",
    "GroupMember groups/QA/members/ann@example.com",
    "GroupMember groups/QA/members/bob@example.com",
    "Pipeline projects/web/pipelines/deploy",
    "Project projects/old",
    "Project projects/web",
    "Variable projects/old/variables/A",
    "Variable variables/REGION",
    "Workspace ",
  ]);
  expect(objectTypes).toEqual(expect.arrayContaining(["Workspace", "Group", "Action"]));
});

it("know their parents, sections and children", () => {
  const web = find("projects/web");
  expect(web.parent).toBe(root);
  expect(web.children("Pipeline").map(({ name }) => name)).toEqual(["projects/web/pipelines/deploy"]);
  expect(web.children("Variable")).toEqual([]);
  expect(Object.keys(web.sections)).toEqual(expect.arrayContaining(["pipelines", "variables", "members"]));
  expect(find("projects/web/pipelines/deploy").parent).toBe(web);
  expect([find("projects/old").external, web.external]).toEqual([true, false]);
});

it("have what is not written: the default, an empty list, or null", () => {
  expect(find("variables/REGION").args).toMatchObject({
    ...{ key: "REGION", value: "us", encrypted: false, sshKey: false, valueManaged: true },
    description: null,
  });
  expect(find("projects/web/pipelines/deploy/actions/Ping").args).toMatchObject({
    ...{ name: "Ping", destination: "host", executeCommands: [] },
  });
  expect(find("projects/web/pipelines/deploy").args).not.toHaveProperty("project");
  expect(find("projects/old").args).toMatchObject({ name: "old" });
});

it("know where they are in the file", () => {
  const region = find("variables/REGION");
  expect([region.path, region.pathOf(["value"])]).toEqual([
    ["variables", "REGION"],
    ["variables", "REGION"],
  ]);
  const pipeline = find("projects/web/pipelines/deploy");
  expect(pipeline.pathOf(["refName"])).toEqual([...pipeline.path, "refName"]);
  const bob = find("groups/QA/members/bob@example.com");
  expect(bob.path).toEqual(["groups", "QA", "members", 1]);
  expect(bob.pathOf(["x"])).toEqual([...bob.path, "x"]);
  expect(bob.parent).toBe(find("groups/QA"));
});
