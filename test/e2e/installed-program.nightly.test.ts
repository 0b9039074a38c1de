/** Tests a TypeScript project that installed the package, on the real Pulumi engine. */
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { definitions } from "../../provider/index.js";
import { InstalledProject } from "./installed-project.js";

const users = [{ email: "owner@example.com" }];
const workspaces = [{ domain: "acme", sandboxes: [{ id: "sandbox-1", identifier: "sandbox-1" }] }];

let emulator: Emulator;
let project: InstalledProject;

beforeAll(async () => {
  emulator = await startEmulator({ strictBodies: true, actionSeconds: 0, seed: { users, workspaces } });
  project = await InstalledProject.create(emulator, join(import.meta.dirname, "programs/all-types.js"));
}, 120_000);
afterAll(async () => {
  project.remove();
  await emulator.close();
});

describe("a project that installed the package", { timeout: 120_000 }, () => {
  it("creates every type, and does not change on a second up", async () => {
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("23 created");
    emulator.journal.clear();
    expect(await project.pulumi("up", "--yes")).toContain("23 unchanged");
    expect(emulator.journal.writes()).toEqual([]);
    const types = new Set((await project.state()).map((resource) => resource.type.split(":").at(-1)));
    expect([...types].sort()).toEqual(definitions.map((definition) => definition.type).sort());
  });

  it("stores provider code that is the same on every machine and in every release", async () => {
    for (const { type, inputs } of await project.state()) {
      expect(inputs?.["__provider"]).toBe(
        `exports.handler=()=>require("module").createRequire(process.cwd()+"/")("pulumi-workspace-automation/provider")` +
          `.get("${type.split(":").at(-1) ?? ""}")`,
      );
    }
  });

  it("keeps the state small and free of local paths", async () => {
    const sizes = (await project.state()).map((resource) => JSON.stringify(resource).length);
    expect(sizes.reduce((sum, size) => sum + size, 0) / sizes.length).toBeLessThan(1536);
    expect(JSON.stringify(await project.state())).not.toContain(project.folder);
  });

  it("keeps secrets out of all files on the disk", () => {
    const left = project.filesLeft();
    expect(left).toContain("us-east");
    expect(left).not.toContain("planted-secret");
  });

  it("reports no drift immediately afterwards, and one outside edit as one change", async () => {
    expect(await project.pulumi("refresh", "--preview-only", "--expect-no-changes")).toContain(
      "23 unchanged",
    );
    const group = (await project.state()).find((resource) => resource.type.endsWith(":Group"));
    const path = `/workspaces/acme/groups/${String(group?.outputs?.["groupId"])}`;
    await emulator.edit({ method: "PATCH", path, body: { description: "Changed by hand" } });
    emulator.journal.clear();
    const drift = await project.pulumi("preview", "--refresh", "--diff");
    expect(drift).toMatch(/description: "Changed by hand" => "Testers"/);
    expect(drift).toContain("1 to update");
    expect(emulator.journal.writes()).toEqual([]);
    expect(await project.pulumi("up", "--yes", "--refresh", "--skip-preview")).toContain("1 updated");
  });

  it("renames everything in place without a replacement, including children", async () => {
    const ids = (await project.state()).map((resource) => resource.id).sort();
    const renamed = { SUFFIX: "-2" };
    const preview = await project.pulumiWith(renamed, "preview", "--diff");
    expect(preview).not.toMatch(/replace/i);
    emulator.journal.clear();
    const up = await project.pulumiWith(renamed, "up", "--yes", "--skip-preview");
    expect(up).not.toMatch(/replaced/);
    expect((await project.state()).map((resource) => resource.id).sort()).toEqual(ids);
    // One request each for project, group, permission set, pipeline, two actions and variable.
    expect(emulator.journal.writes().map((request) => request.method)).toEqual(Array(7).fill("PATCH"));
    const settled = await project.pulumiWith(renamed, "refresh", "--preview-only", "--expect-no-changes");
    expect(settled).toContain("23 unchanged");
  });

  it("is destroyed completely", async () => {
    const mayDelete = { WORKSPACE_AUTOMATION_DELETE_PROJECTS: "*" };
    expect(await project.pulumiWith(mayDelete, "destroy", "--yes", "--skip-preview")).toContain("23 deleted");
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects" });
    expect(body).toMatchObject({ projects: [] });
  });
});
