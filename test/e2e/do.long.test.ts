/** `pulumi do` with the packaged plugin: objects are listed, created, read, changed and deleted without a program or a state. */
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
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

vi.setConfig({ testTimeout: 300_000 });

const folder = temporaryFolder();
const executable = join(repository, "packages/library/plugin/pulumi-resource-workspace-automation");
let emulator: Emulator;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  emulator = await emulatorForTests({
    seed: {
      users: [{ email: "owner@example.com" }],
      workspaces: [{ domain: "acme", projects: [{ name: "shop", files: { "a.txt": "x" } }] }],
    },
  });
  env = isolated(folder, {
    ...connected(emulator),
    ...stateIn(folder),
    WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
  });
});

async function run<T>(type: string, ...argv: string[]): Promise<T> {
  const token = `workspace-automation:index:${type}`;
  const { code, stdout, stderr } = await pulumi(["do", "--package", executable, token, ...argv], folder, env);
  expect({ code, stderr: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, stderr: "" });
  return (argv[0] === "delete" ? undefined : JSON.parse(stdout)) as T;
}

const operation = ["--stateless", "--yes", "--output", "json"];

it.each<[string, string[], string[]?]>([
  ["Group", ["--name", "QA", "--description", "Testers"], ["--description", "All who test"]],
  ["Variable", ["--key", "REGION", "--value", "us-east"], ["--value", "eu-west"]],
  ["Project", ["--name", "web", "--display-name", "Web"], ["--display-name", "Web shop"]],
  // These two have nothing that can be changed.
  ["Branch", ["--name", "feature", "--project", "shop"]],
  ["UserEmail", ["--email", "second@example.com"]],
])("a %s is created, listed, read, changed and deleted", async (type, given, changed) => {
  const created = await run<{ id: string }>(type, "create", ...given, ...operation);
  const [, name] = given;
  const listed = await run<{ id: string; name: string }[]>(type, "list");
  const listedId = listed.find((one) => one.name === name)?.id ?? "";
  expect(listedId).not.toBe("");
  expect(await run(type, "read", listedId, ...operation.filter((flag) => flag !== "--yes"))).toMatchObject({
    id: created.id,
  });
  if (changed !== undefined) {
    const patched = await run<object>(type, "patch", listedId, ...changed, ...operation);
    expect(Object.values(patched)).toContain(changed.at(-1));
  }
  await run(type, "delete", listedId, "--stateless", "--yes");
  expect((await run<{ name: string }[]>(type, "list")).map((one) => one.name)).not.toContain(name);
});
