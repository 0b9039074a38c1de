/** Runs the examples that are Pulumi programs as a user would. */
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Emulator, startEmulator } from "../../emulator/index.js";
import { tellsAllStories } from "../stories.js";
import { InstalledProject } from "./installed-project.js";

const examples = resolve(import.meta.dirname, "../../examples");

/** Installs an example with an emulator of its own. */
function example(name: string): { emulator: Emulator; project: InstalledProject } {
  const at = {} as { emulator: Emulator; project: InstalledProject };
  beforeAll(async () => {
    at.emulator = await startEmulator({ strictBodies: true });
    at.project = await InstalledProject.create(at.emulator, join(examples, name));
  }, 600_000);
  afterAll(async () => {
    at.project.remove();
    await at.emulator.close();
  });
  it("passes the type check", async () => {
    await at.project.typecheck();
  });
  return at;
}

describe("examples/typescript", { timeout: 600_000 }, () => {
  const at = example("typescript");

  it("is applied, does not change again, and keeps its protected project on destroy", async () => {
    const { emulator, project } = at;
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("15 created");
    await project.pulumi("config", "set", "--secret", "apiKey", "example-key");
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("1 created");
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("16 unchanged");
    expect(project.filesLeft()).not.toContain("example-key");
    const pipelines = () => emulator.edit({ method: "GET", path: "/workspaces/acme/projects/web/pipelines" });
    const before = await pipelines();
    // Nothing in the protected project is deleted, unless the run names it.
    const destroy = ["destroy", "--yes", "--exclude-protected", "--skip-preview"];
    await expect(project.pulumi(...destroy)).rejects.toThrow(`project "web" is protected`);
    if (tellsAllStories) {
      const program = join(project.folder, "index.ts");
      const text = readFileSync(program, "utf8");
      writeFileSync(program, "export {};\n");
      await expect(project.pulumi("up", "--yes", "--skip-preview")).rejects.toThrow("protected");
      writeFileSync(program, text);
      await project.pulumi("up", "--yes", "--skip-preview");
    }
    expect(await pipelines()).toEqual(before);
    const named = { WORKSPACE_AUTOMATION_DELETE_PROJECTS: "web" };
    expect(await project.pulumiWith(named, ...destroy)).toContain("deleted");
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects/web" });
    expect(body).toMatchObject({ name: "web" });
  });
});

describe.runIf(tellsAllStories)("examples/typescript-document", { timeout: 600_000 }, () => {
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

describe.runIf(tellsAllStories)("examples/us-eu/program", { timeout: 600_000 }, () => {
  const services = {} as { us: Emulator; eu: Emulator };
  let project: InstalledProject;

  beforeAll(async () => {
    const seed = (domain: string) => ({
      users: [{ email: "owner@example.com", tokens: [{ token: `token-of-${domain}` }] }],
      workspaces: [{ domain }],
    });
    services.us = await startEmulator({ strictBodies: true, seed: seed("acme") });
    services.eu = await startEmulator({ strictBodies: true, seed: seed("acme-eu") });
    project = await InstalledProject.create(services.us, join(examples, "us-eu/program"));
    for (const [region, { baseUrl, token, workspace }] of Object.entries(services)) {
      await project.pulumi("config", "set", `${region}BaseUrl`, baseUrl);
      await project.pulumi("config", "set", "--secret", `${region}Token`, token);
      await project.pulumi("config", "set", `${region}Workspace`, workspace);
    }
  }, 600_000);
  afterAll(async () => {
    project.remove();
    await services.us.close();
    await services.eu.close();
  });

  const projectsOf = async (service: Emulator) =>
    (
      (await service.edit({ method: "GET", path: `/workspaces/${service.workspace}/projects` })).body as {
        projects: { name: string }[];
      }
    ).projects.map(({ name }) => name);

  it("passes the type check, creates each region in its own account, and does not change again", async () => {
    await project.typecheck();
    expect(await project.pulumi("up", "--yes", "--skip-preview")).toContain("9 created");
    expect(await projectsOf(services.us)).toEqual(["web"]);
    expect(await projectsOf(services.eu)).toEqual(["web"]);
    expect(await project.pulumi("preview")).toContain("9 unchanged");
    const { deployment } = JSON.parse(await project.pulumi("stack", "export")) as {
      deployment: { resources: { urn: string; dependencies?: string[] }[] };
    };
    const variable = deployment.resources.find(({ urn }) => urn.endsWith("::region-eu"));
    expect(variable?.dependencies?.map((urn) => urn.split("::").at(-1)).sort()).toEqual([
      "deploy-eu",
      "web-eu",
    ]);
    expect(project.filesLeft()).not.toContain("token-of-acme");
  });

  it("refuses a reference to the other account, and a setting that does not exist", async () => {
    const program = join(project.folder, "index.ts");
    const text = readFileSync(program, "utf8");
    writeFileSync(
      program,
      `${text}
new Variable("wrong", { key: "WRONG", value: "1", project: projects[0]! }, { provider: providers[1]! });
`
        .replaceAll(
          "const options = { provider };",
          "const options = { provider };\n  providers.push(provider);",
        )
        .replace(
          "for (const region",
          "const providers: Provider[] = [];\nconst projects: Project[] = [];\nfor (const region",
        )
        .replace("const deploy", "projects.push(web);\n  const deploy"),
    );
    await expect(project.pulumi("preview")).rejects.toThrow(
      /Variable "wrong" is in .*workspace acme-eu, but its project is Project "web-us", which is in .*workspace acme/,
    );
    // A program in TypeScript would not compile.
    const mistyped = text.replace(/workspace: (config.*),/, "...({ worksapce: $1 } as object),");
    writeFileSync(program, mistyped);
    await expect(project.pulumi("preview")).rejects.toThrow(
      'unknown setting "worksapce". Did you mean "workspace"?',
    );
    writeFileSync(program, text);
  });
});
