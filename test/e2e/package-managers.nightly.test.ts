/** A release that pnpm or Bun installs: `workspacectl`, and a program under plain Pulumi. Both managers come from npm's registry. */
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { execa } from "execa";
import { beforeAll, expect, it, vi } from "vitest";
import { stringify } from "yaml";
import type { Emulator } from "../../emulator/index.js";
import {
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  repository,
  stateIn,
  temporaryFolder,
} from "./support.js";

vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const managers = { pnpm: "12.21.0", bun: "1.4.5" } as const;
type Manager = keyof typeof managers;

const vendor = temporaryFolder();
const tools = temporaryFolder();
const program = `
import { Group, Project } from "pulumi-workspace-automation";
new Project("web", { name: "web", displayName: "Web shop", deletionProtection: false });
new Group("qa", { name: "QA", description: "Testers" });
`;
let tarballs: readonly string[];
let emulator: Emulator;

beforeAll(async () => {
  const pack = ["pack", "--workspaces", "--ignore-scripts", "--silent", "--pack-destination", vendor];
  await execa("npm", pack, { cwd: repository });
  tarballs = readdirSync(vendor);
  const wanted = Object.entries(managers).map(([name, version]) => `${name}@${version}`);
  await execa("npm", ["install", "--prefix", tools, "--no-audit", "--no-fund", ...wanted]);
  emulator = await emulatorForTests({ strictBodies: true });
});

/** The packages by which `workspacectl` depends on the others, which are in no registry. */
function overrides(): Record<string, string> {
  const files = tarballs.filter((file) => !file.startsWith("workspacectl"));
  return Object.fromEntries(files.map((file) => [file.replace(/-\d.*/, ""), `file:./vendor/${file}`]));
}

/** Writes the settings that docs/install.md shows. */
function settings(manager: Manager): Record<string, string> {
  const manifest = { name: "program", private: true, type: "module", main: "index.js" };
  if (manager === "bun") return { "package.json": JSON.stringify({ ...manifest, overrides: overrides() }) };
  const allowBuilds = { "classic-level": false, protobufjs: false };
  return {
    "package.json": JSON.stringify(manifest),
    "pnpm-workspace.yaml": stringify({ overrides: overrides(), allowBuilds }),
  };
}

it.each(["pnpm", "bun"] as const)("%s installs a release that works", async (manager) => {
  const root = temporaryFolder();
  const folder = join(root, "program");
  mkdirSync(folder);
  cpSync(vendor, join(folder, "vendor"), { recursive: true });
  const files = {
    ...settings(manager),
    "Pulumi.yaml": "name: program\nruntime: nodejs\n",
    "index.js": program,
  };
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content);
  const bin = join(tools, "node_modules/.bin");
  const env = isolated(root, {
    ...stateIn(root),
    ...connected(emulator),
    WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
    PATH: [join(folder, "node_modules/.bin"), bin, process.env["PATH"]].join(delimiter),
  });
  const run = async (command: string, ...argv: string[]) => {
    const { exitCode, stdout, stderr } = await execa(command, argv, {
      ...{ cwd: folder, env, extendEnv: false, reject: false, stdin: "ignore" },
    });
    expect({ command, argv, exitCode, output: exitCode === 0 ? "" : stdout + stderr }).toEqual(
      expect.objectContaining({ exitCode: 0, output: "" }),
    );
    return stdout;
  };
  const sdk = readFileSync(join(repository, "node_modules/@pulumi/pulumi/package.json"), "utf8");
  const { version } = JSON.parse(sdk) as { version: string };
  await run(manager, "add", ...tarballs.map((file) => `./vendor/${file}`), `@pulumi/pulumi@${version}`);

  // The command, with a workspace file.
  // A copy, because files of a workspace file may not be links into hidden folders, such as those of pnpm.
  const quickstart = join(folder, "node_modules/workspacectl/examples/quickstart");
  cpSync(quickstart, join(folder, "quickstart"), { recursive: true, dereference: true });
  await run("workspacectl", "lint", "-f", "quickstart/workspace.yaml");
  writeFileSync(
    join(folder, "workspace.yaml"),
    "version: 1\nworkspace: acme\nvariables:\n  REGION: us-east\n",
  );
  const stack = ["-f", "workspace.yaml", "--stack", "file"];
  await run("workspacectl", "up", "--yes", "--create-stack", ...stack);
  await run("workspacectl", "drift", ...stack);
  await run("workspacectl", "destroy", "--yes", ...stack);

  // A program under plain Pulumi.
  const plain = async (...argv: string[]) => {
    const { code, stdout, stderr } = await pulumi(argv, folder, env);
    expect({ argv, code, output: code === 0 ? "" : stdout + stderr }).toEqual({ argv, code: 0, output: "" });
    return stdout;
  };
  await plain("stack", "init", "program");
  expect(await plain("up", "--yes", "--skip-preview")).toContain("3 created");
  await plain("preview", "--expect-no-changes");
  await plain("refresh", "--yes", "--expect-no-changes");
  expect(await plain("destroy", "--yes", "--skip-preview")).toContain("3 deleted");
});
