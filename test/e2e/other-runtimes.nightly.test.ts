/** The command and the client in Bun and Deno, whose binaries come from npm's registry. Needs a build. */
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { beforeAll, expect, it, vi } from "vitest";
import {
  bin,
  connected,
  editByHand,
  emulatorForTests,
  isolated,
  quickstart,
  repository,
  stateIn,
  temporaryFolder,
} from "./support.js";

vi.setConfig({ testTimeout: 300_000, hookTimeout: 600_000 });

const versions = { bun: "1.4.5", deno: "2.9.6" } as const;
type Runtime = keyof typeof versions;

const tools = temporaryFolder();
const words: Readonly<Record<Runtime, readonly string[]>> = {
  bun: ["--bun"],
  deno: ["run", "--allow-all", "--node-modules-dir=manual"],
};

beforeAll(async () => {
  const wanted = Object.entries(versions).map(([name, version]) => `${name}@${version}`);
  await execa("npm", ["install", "--prefix", tools, "--no-audit", "--no-fund", ...wanted], { cwd: tools });
});

/** Runs a script, and returns its exit code and output. */
async function run(runtime: Runtime, argv: readonly string[], cwd: string, env: NodeJS.ProcessEnv) {
  const command = join(tools, "node_modules", ".bin", runtime);
  const settings = { ...env, DENO_DIR: join(cwd, "deno"), DENO_NO_UPDATE_CHECK: "1" };
  const options = {
    cwd,
    env: settings,
    extendEnv: false,
    reject: false,
    all: true,
    stdin: "ignore",
  } as const;
  const { exitCode, all } = await execa(command, [...words[runtime], ...argv], options);
  return { code: exitCode, all };
}

it.each(["bun", "deno"] as const)("%s applies a file, finds drift and reverts it", async (runtime) => {
  const emulator = await emulatorForTests();
  const folder = temporaryFolder();
  const file = quickstart(folder);
  const env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
  const command = (...argv: string[]) => run(runtime, [bin, ...argv, "-f", file], folder, env);
  const ended = async (expected: number, ...argv: string[]) => {
    const { code, all } = await command(...argv);
    expect(code, all).toBe(expected);
    return all;
  };
  await ended(0, "validate");
  expect(await ended(0, "up", "--yes", "--create-stack", "--stack", "dev")).toContain("Done: ");
  expect(await ended(0, "preview", "--stack", "dev")).toContain("No changes");
  await editByHand(emulator, ["PATCH", "groups", "QA"], { description: "Hobby club" });
  await ended(7, "drift", "--stack", "dev");
  await ended(0, "up", "--yes", "--stack", "dev");
  expect(await ended(0, "drift", "--stack", "dev")).toContain("No drift");
});

it.each(["bun", "deno"] as const)("the client works in %s", async (runtime) => {
  const emulator = await emulatorForTests();
  const folder = temporaryFolder();
  const script = join(folder, "client.mjs");
  mkdirSync(join(folder, "node_modules"));
  symlinkSync(join(repository, "packages/library"), join(folder, "node_modules/pulumi-workspace-automation"));
  writeFileSync(join(folder, "package.json"), "{}");
  writeFileSync(
    script,
    `import { WorkspaceAutomationClient } from "pulumi-workspace-automation/client";
const { WORKSPACE_AUTOMATION_BASE_URL: baseUrl, WORKSPACE_AUTOMATION_TOKEN: token } = process.env;
const client = new WorkspaceAutomationClient({ baseUrl, token });
await client.groups.create("acme", { name: "QA", description: "Testers" });
console.log((await client.groups.list("acme").toArray()).map(({ name }) => name).join());
process.exit(0);
`,
  );
  const { code, all } = await run(runtime, [script], folder, isolated(folder, connected(emulator)));
  expect({ code, all }).toEqual({ code: 0, all: "QA" });
});
