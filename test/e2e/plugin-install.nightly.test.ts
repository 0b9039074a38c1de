/** `workspacectl plugin install`, and a program of plain Pulumi whose stack chooses the plugin, and then dynamic providers. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import {
  connected,
  emulatorForTests,
  type Ended,
  isolated,
  pulumi,
  repository,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

vi.setConfig({ testTimeout: 600_000 });

const folder = temporaryFolder();
const root = join(folder, "program");
const { version } = JSON.parse(readFileSync(join(repository, "package.json"), "utf8")) as { version: string };
const installed = join(folder, "pulumi-home", "plugins", `resource-workspace-automation-v${version}`);
let emulator: Emulator;
let env: NodeJS.ProcessEnv;

const program = `
import { Action, Group, loadWorkspace, Pipeline, Project, Variable } from "pulumi-workspace-automation";
const web = new Project("web", { name: "web", displayName: "Web shop" });
const deploy = new Pipeline("deploy", { project: web, name: "deploy", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" });
new Action("ping", { pipeline: deploy, name: "Ping", type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "shop.example.com" });
new Variable("token", { key: "API_TOKEN", value: "token-in-clear", encrypted: true, project: web });
new Group("qa", { name: "QA", description: process.env.DESCRIPTION });
loadWorkspace("workspace.yaml");
`;

const workspace = `version: 1
workspace: acme
projects:
  shop:
    pipelines:
      nightly: { triggerMode: MANUAL, refType: BRANCH, refName: main }
`;

beforeAll(async () => {
  emulator = await emulatorForTests({ strictBodies: true });
  mkdirSync(root);
  writeFileSync(join(root, "Pulumi.yaml"), "name: program\nruntime: nodejs\n");
  writeFileSync(
    join(root, "package.json"),
    JSON.stringify({ name: "program", type: "module", main: "index.js" }),
  );
  writeFileSync(join(root, "index.js"), program);
  writeFileSync(join(root, "workspace.yaml"), workspace);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"), "dir");
  env = isolated(folder, {
    ...connected(emulator),
    ...stateIn(folder),
    WORKSPACE_AUTOMATION_DOMAIN: "acme",
    DESCRIPTION: "Testers",
  });
});

async function succeed(run: Promise<Ended>): Promise<string> {
  const { code, stdout, stderr } = await run;
  expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  return stdout;
}

const plain = (...argv: string[]) => succeed(pulumi(argv, root, env));
const ours = (...argv: string[]) => succeed(workspacectl(argv, root, env));

async function types(): Promise<string[]> {
  const state = JSON.parse(await plain("stack", "export")) as {
    deployment: { resources: { type: string }[] };
  };
  const own = state.deployment.resources
    .map(({ type }) => type)
    .filter((type) => !type.startsWith("pulumi:"));
  return [...new Set(own.map((type) => type.slice(0, type.lastIndexOf(":") + 1)))];
}

describe.sequential("workspacectl plugin install", () => {
  it("puts the plugin where Pulumi lists it, and says where", async () => {
    expect(await ours("plugin", "install")).toBe(
      `The plugin workspace-automation ${version} is installed: ${installed}`,
    );
    expect(JSON.parse(await plain("plugin", "ls", "--json"))).toMatchObject([
      { name: "workspace-automation", kind: "resource", version },
    ]);
    expect(readdirSync(join(installed, ".."))).toEqual([`resource-workspace-automation-v${version}`]);
  });

  it("does nothing when the same files are there, and restores them when they are not", async () => {
    expect(await ours("plugin", "install")).toContain("already installed");
    rmSync(join(installed, "dist", "index.js"));
    expect(await ours("plugin", "install")).not.toContain("already");
    expect(existsSync(join(installed, "dist", "index.js"))).toBe(true);
    expect(readdirSync(join(installed, ".."))).toEqual([`resource-workspace-automation-v${version}`]);
  });

  it("changes nothing where it cannot write", async () => {
    const home = join(folder, "file");
    writeFileSync(home, "");
    const { code, stderr } = await workspacectl(["plugin", "install"], root, { ...env, PULUMI_HOME: home });
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("PULUMI_HOME") as string });
  });

  it("gives the package to every command of Pulumi by its name", async () => {
    const schema = JSON.parse(
      await plain("package", "get-schema", `workspace-automation@${version}`),
    ) as object;
    expect(schema).toMatchObject({ name: "workspace-automation" });
  });
});

describe.sequential("a program whose stack chooses the plugin", () => {
  it("creates its objects by the installed plugin, and changes nothing then", async () => {
    await plain("stack", "init", "dev");
    await plain("config", "set", "workspace-automation:engine", "plugin");
    expect(await plain("preview")).toContain("8 to create");
    expect(emulator.journal.writes()).toEqual([]);
    expect(await plain("up", "--yes", "--skip-preview")).toContain("8 created");
    expect(await types()).toEqual(["workspace-automation:index:"]);
    expect(await plain("stack", "export")).not.toContain("token-in-clear");
    await plain("preview", "--expect-no-changes");
    await plain("refresh", "--yes", "--expect-no-changes");
  });

  it("updates one object in place", async () => {
    env = { ...env, DESCRIPTION: "People who test" };
    expect(await plain("up", "--yes", "--skip-preview")).toContain("1 updated");
  });

  it("is migrated to dynamic providers, and nothing changes", async () => {
    emulator.journal.clear();
    await ours("stack", "migrate", "--to", "dynamic", "--stack", "dev", "--yes");
    await plain("config", "set", "workspace-automation:engine", "dynamic");
    await plain("preview", "--expect-no-changes");
    expect(await types()).toEqual(["pulumi-nodejs:dynamic/workspace-automation:"]);
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("is refused an engine that does not exist", async () => {
    await plain("config", "set", "workspace-automation:engine", "packaged");
    const { code, stdout, stderr } = await pulumi(["preview"], root, env);
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain(
      'workspace-automation:engine is "packaged": it must be dynamic or plugin',
    );
    await plain("config", "rm", "workspace-automation:engine");
  });

  it("destroys its objects", async () => {
    const unprotected = await pulumi(["state", "unprotect", "--all", "--yes"], root, env);
    expect(unprotected.code).toBe(0);
    env = { ...env, WORKSPACE_AUTOMATION_DELETE_PROJECTS: "shop,web" };
    expect(await plain("destroy", "--yes", "--skip-preview")).toContain("8 deleted");
  });
});
