/**
 * `pulumi package add` of the plugin's folder and of a Git address, in an empty project, and a program in YAML that uses it. Pulumi's
 * host of Node.js runs the plugin. A release contains one that can. PULUMI_LANGUAGE_HOSTS=<folder> puts another one first on PATH.
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { buildToolchainEnvironment, ensurePulumi } from "../../toolchain/index.js";
import { GIT_HOST, startGitServer } from "./git-server.js";
import { languageProgram, missingGo } from "./language-hosts.js";
import { connected, emulatorForTests, isolated, repository, stateIn, temporaryFolder } from "./support.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const program = `name: program
runtime: yaml
`;
const resources = `resources:
  testers:
    type: workspace-automation:index:Group
    properties: { name: QA, description: Testers }
`;

const vendor = temporaryFolder();
const repositories = temporaryFolder();
let tarball: string;
let emulator: Emulator;
let hosts: string;
let git: NodeJS.ProcessEnv;
const noGo = await missingGo();
/** Why nothing can be tested here. */
let reason: string | undefined = noGo;

beforeAll(async () => {
  const pack = ["pack", "--workspace=pulumi-workspace-automation", "--ignore-scripts", "--silent"];
  await execa("npm", [...pack, "--pack-destination", vendor], { cwd: repository });
  [tarball = ""] = readdirSync(vendor);
  emulator = await emulatorForTests({ strictBodies: true });
  git = await startGitServer(repositories);
  if (noGo !== undefined) return;
  hosts = await languageProgram("pulumi-language-yaml");
  reason = (await isTooOld()) ? "Pulumi's host of Node.js is too old to run plugins" : undefined;
});

/** Creates an empty project, and returns a function that runs a command of Pulumi there. */
async function emptyProject(more: NodeJS.ProcessEnv = {}) {
  const root = temporaryFolder();
  const folder = join(root, "program");
  mkdirSync(folder);
  writeFileSync(join(folder, "Pulumi.yaml"), program);
  const own = { ...stateIn(root), ...connected(emulator), WORKSPACE_AUTOMATION_DOMAIN: "acme", ...more };
  const toolchain = await ensurePulumi();
  const env = isolated(root, own);
  const all = { ...env, ...(await buildToolchainEnvironment(toolchain, env)) };
  const path = [process.env["PULUMI_LANGUAGE_HOSTS"], all["PATH"], hosts].filter(
    (part) => part !== undefined,
  );
  const pulumi = async (...argv: string[]) => {
    const { exitCode, stdout, stderr } = await execa(toolchain.command, [...argv, "--non-interactive"], {
      ...{ cwd: folder, extendEnv: false, reject: false, stdin: "ignore" },
      env: { ...all, PATH: path.join(delimiter) },
    });
    return { exitCode, output: stdout + stderr };
  };
  return { folder, pulumi };
}

type Project = Awaited<ReturnType<typeof emptyProject>>;

/** Whether Pulumi's host of Node.js is too old to run plugins. */
async function isTooOld(): Promise<boolean> {
  const { folder, pulumi } = await emptyProject();
  for (const name of ["probe", "probe/nothing"]) {
    mkdirSync(join(folder, name));
    const dependencies = name === "probe" ? { nothing: "file:./nothing" } : {};
    const manifest = JSON.stringify({ name: "nothing", version: "1.0.0", dependencies });
    writeFileSync(join(folder, name, "package.json"), manifest);
  }
  writeFileSync(join(folder, "probe/PulumiPlugin.yaml"), "runtime: nodejs\n");
  return (await pulumi("package", "get-schema", "./probe")).output.includes("not supported");
}

async function add({ pulumi }: Project, source: string): Promise<void> {
  const { exitCode, output } = await pulumi("package", "add", source);
  expect({ exitCode, output: exitCode === 0 ? "" : output }).toEqual({ exitCode: 0, output: "" });
}

async function works({ folder, pulumi }: Project): Promise<void> {
  const file = join(folder, "Pulumi.yaml");
  writeFileSync(file, readFileSync(file, "utf8") + resources);
  for (const command of [
    ["stack", "init", "test"],
    ["up", "--yes", "--skip-preview"],
    ["preview", "--expect-no-changes"],
    ["destroy", "--yes", "--skip-preview"],
  ])
    expect(await pulumi(...command)).toMatchObject({ exitCode: 0 });
}

/** Creates the folder that docs/plugin.md shows. */
function pluginRepository(): string {
  const folder = join(temporaryFolder(), "plugin");
  cpSync(vendor, join(folder, "vendor"), { recursive: true });
  const page = readFileSync(join(repository, "docs/plugin.md"), "utf8");
  const [, manifest = ""] =
    /```json\n(\{\n {2}"name": "workspace-automation-plugin".*?)```/s.exec(page) ?? [];
  expect(manifest).toContain(tarball);
  writeFileSync(join(folder, "package.json"), manifest);
  writeFileSync(join(folder, "PulumiPlugin.yaml"), "runtime: nodejs\n");
  return folder;
}

describe("pulumi package add", () => {
  beforeEach(({ skip }) => skip(reason !== undefined, reason));

  it("takes the folder of the installed library", async () => {
    const project = await emptyProject();
    const packages = [join(vendor, tarball), "@pulumi/pulumi@^3.230.0"];
    const install = ["install", "--no-audit", "--no-fund", "--prefer-offline", ...packages];
    await execa("npm", install, { cwd: project.folder });
    await add(project, "./node_modules/pulumi-workspace-automation/plugin");
    await works(project);
  });

  it("takes a folder that contains the library as a dependency, and its Git address", async () => {
    const folder = pluginRepository();
    const run = (...argv: string[]) => execa("git", ["-C", folder, ...argv]);
    await run("init", "--quiet", "--initial-branch=main");
    await run("add", ".");
    const author = ["-c", "user.name=Ann", "-c", "user.email=ann@example.com"];
    await run(...author, "commit", "--quiet", "--message", "Add the plugin");
    await run("tag", "v0.1.0");
    await run("clone", "--quiet", "--bare", ".", join(repositories, "acme/plugin.git"));

    const byAddress = await emptyProject(git);
    await add(byAddress, `https://${GIT_HOST}/acme/plugin.git@0.1.0`);
    expect(readFileSync(join(byAddress.folder, "Pulumi.yaml"), "utf8")).toContain(
      `workspace-automation: ${GIT_HOST}/acme/plugin.git@0.1.0`,
    );
    await works(byAddress);

    const byPath = await emptyProject();
    await add(byPath, folder);
    await works(byPath);
  });
});
