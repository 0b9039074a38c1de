/** Runs the examples that are Pulumi programs as a user would. */
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { InstalledProject } from "./installed-project.js";

const examples = resolve(import.meta.dirname, "../../examples");

/** Installs an example with an emulator of its own. */
function example(name: string): { emulator: Emulator; project: InstalledProject } {
  const at = {} as { emulator: Emulator; project: InstalledProject };
  beforeAll(async () => {
    at.emulator = await startEmulator({ strictBodies: true });
    at.project = await InstalledProject.create(at.emulator, join(examples, name));
  }, 120_000);
  afterAll(async () => {
    at.project.remove();
    await at.emulator.close();
  });
  it("passes the type check", async () => {
    await at.project.typecheck();
  });
  return at;
}

describe("examples/typescript", { timeout: 120_000 }, () => {
  const at = example("typescript");

  it("is applied, does not change again, and keeps its protected project on destroy", async () => {
    const { emulator, project } = at;
    await project.pulumi("config", "set", "--secret", "apiKey", "example-key");
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("16 created");
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("16 unchanged");
    expect(project.filesLeft()).not.toContain("example-key");
    expect(await project.pulumi("destroy", "--yes", "--exclude-protected", "--skip-preview")).toContain(
      "deleted",
    );
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects/web" });
    expect(body).toMatchObject({ name: "web" });
  });
});

describe("examples/typescript-document", { timeout: 120_000 }, () => {
  const at = example("typescript-document");

  it("is applied from the module, and does not change again", async () => {
    const { emulator, project } = at;
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("32 created");
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("32 unchanged");
    const { body } = await emulator.edit({
      method: "GET",
      path: "/workspaces/acme/projects/search/pipelines",
    });
    const { pipelines } = body as { pipelines: { name: string }[] };
    expect(pipelines.map(({ name }) => name).sort()).toEqual(["nightly", "test"]);
  });
});
