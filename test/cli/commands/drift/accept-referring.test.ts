/** Tests that `drift accept` removes a deleted object together with what names it, and says where it is still named. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { fileIn, run, temporaryFolder } from "../../support.js";
import { reportWith } from "./support.js";

const workspace = `version: 1
members:
  ann@example.com: { admin: true }
  bob@example.com: {}
groups:
  QA: { description: Testers, members: [ann@example.com, bob@example.com] }
projects:
  web: { displayName: Web shop, members: { bob@example.com: release } }
permissionSets:
  release: { description: Some, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
`;

const gone = (type: string, name: string) => ({
  class: "deleted" as const,
  id: name,
  type,
  name,
  path: "",
  pathParts: [],
  secret: false,
});
const bob = gone("WorkspaceMember", "members/bob@example.com");
const inProject = gone("ProjectMember", "projects/web/members/bob@example.com");
const inGroup = gone("GroupMember", "groups/QA/members/bob@example.com");

async function accept(findings: readonly (typeof bob)[]) {
  const folder = temporaryFolder();
  const file = fileIn(folder, "workspace.yaml", workspace);
  const report = fileIn(folder, "drift.json", JSON.stringify(reportWith({ findings })));
  const { code, stderr } = await run(["drift", "accept", "-f", file, "--report", report, bob.name]);
  return { code, said: stderr.replace(/\s+/g, " "), text: readFileSync(file, "utf8") };
}

it("accepts the drift of what names a deleted member with that of the member", async () => {
  const { code, said, text } = await accept([bob, inGroup, inProject, gone("Project", "projects/web")]);
  expect(code, said).toBe(0);
  expect(said).toContain(`because they name what was deleted: ${inGroup.name}, ${inProject.name}`);
  expect(text).not.toContain("bob@example.com");
  expect(text).toContain("displayName: Web shop");
});

it("says where a member is named that cannot be removed", async () => {
  const { code, said, text } = await accept([bob, inGroup]);
  expect(code).toBe(1);
  expect(said).toContain('the file would not be valid: no member "bob@example.com" is declared');
  expect(said).toContain(`It is named in ${inGroup.name}, ${inProject.name}: remove it there first`);
  expect(text).toContain("bob@example.com: release");
});
