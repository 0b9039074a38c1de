/** The examples that are Pulumi programs, run as a user would run them. */
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startEmulator, type Emulator } from "../../emulator/index.js";
import { InstalledProject } from "./installed-project.js";

const examples = resolve(import.meta.dirname, "../../examples");

describe("examples/typescript", { timeout: 120_000 }, () => {
  let emulator: Emulator;
  let project: InstalledProject;

  beforeAll(async () => {
    emulator = await startEmulator({ strictBodies: true });
    project = await InstalledProject.create(emulator, join(examples, "typescript"));
    await project.pulumi("config", "set", "--secret", "apiKey", "example-key");
  }, 120_000);
  afterAll(async () => {
    project.remove();
    await emulator.close();
  });

  it("has right types", async () => {
    await project.typecheck();
  });

  it("comes up, stays as it is, and keeps its project on destroy since that is protected", async () => {
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
  let emulator: Emulator;
  let project: InstalledProject;

  beforeAll(async () => {
    emulator = await startEmulator({ strictBodies: true });
    project = await InstalledProject.create(emulator, join(examples, "typescript-document"));
  }, 120_000);
  afterAll(async () => {
    project.remove();
    await emulator.close();
  });

  it("has right types", async () => {
    await project.typecheck();
  });

  it("comes up from the module, and stays as it is", async () => {
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("32 created");
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("32 unchanged");
    const { body } = await emulator.edit({
      method: "GET",
      path: "/workspaces/acme/projects/search/pipelines",
    });
    expect(body).toMatchObject({ pipelines: [{ name: "test" }, { name: "nightly" }] });
  });
});
