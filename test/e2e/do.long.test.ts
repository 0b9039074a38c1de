/** `pulumi do` with the packaged plugin: objects are listed, created, read, changed and deleted without a program or a state. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it, vi } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { chooseStories } from "../stories.js";
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
    // Projects are protected.
    WORKSPACE_AUTOMATION_DELETE_PROJECTS: "*",
  });
});

interface Listed {
  readonly id: string;
  readonly name: string;
}

interface Case {
  readonly type: string;
  /** Path of the service's own list, the key of its items there, and the key of their names. */
  readonly list: readonly [path: string, items: string, name: string];
  /** Arguments of a new object, as flags, or as the text of an input file. */
  readonly create: readonly string[] | string;
  /** Name of the new object. */
  readonly name: string;
  /** A change of one argument. Some types have none that can be changed. */
  readonly patch?: readonly [flag: string, value: string];
}

const acme = "/workspaces/acme";

// Enumerations have no flags in Pulumi 3.259, so they are in a file. A file in YAML would need a plugin for the conversion.
const cases: readonly Case[] = [
  {
    type: "Group",
    list: [`${acme}/groups`, "groups", "name"],
    create: ["--name", "QA", "--description", "Testers"],
    name: "QA",
    patch: ["--description", "All who test"],
  },
  {
    type: "Variable",
    list: [`${acme}/variables`, "variables", "key"],
    create: ["--key", "REGION", "--value", "us-east"],
    name: "REGION",
    patch: ["--value", "eu-west"],
  },
  {
    type: "Project",
    list: [`${acme}/projects`, "projects", "name"],
    create: ["--name", "web", "--display-name", "Web"],
    name: "web",
    patch: ["--display-name", "Web shop"],
  },
  {
    type: "PermissionSet",
    list: [`${acme}/permissions`, "permission_sets", "name"],
    create: `name = "releasers"
description = "May deploy"
repositoryAccessLevel = "READ_ONLY"
pipelineAccessLevel = "RUN_ONLY"
`,
    name: "releasers",
    patch: ["--description", "May deploy to production"],
  },
  {
    type: "Pipeline",
    list: [`${acme}/projects/shop/pipelines`, "pipelines", "name"],
    create: `name = "deploy"
project = "shop"
triggerMode = "MANUAL"
refType = "BRANCH"
refName = "main"
`,
    name: "deploy",
    patch: ["--ref-name", "release"],
  },
  {
    type: "Branch",
    list: [`${acme}/projects/shop/repository/branches`, "branches", "name"],
    create: ["--name", "feature", "--project", "shop"],
    name: "feature",
  },
  {
    type: "UserEmail",
    list: ["/user/emails", "emails", "email"],
    create: ["--email", "second@example.com"],
    name: "second@example.com",
  },
];

async function run(type: string, ...argv: string[]): Promise<string> {
  const token = `workspace-automation:index:${type}`;
  const { code, stdout, stderr } = await pulumi(["do", "--package", executable, token, ...argv], folder, env);
  expect({ code, stderr: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, stderr: "" });
  return stdout;
}

async function runJson<T>(type: string, ...argv: string[]): Promise<T> {
  return JSON.parse(await run(type, ...argv)) as T;
}

/** Returns the names in the service's own list. */
async function namesInService({ list: [path, items, name] }: Case): Promise<string[]> {
  const { body } = await emulator.edit({ method: "GET", path });
  const listed = (body as Record<string, Record<string, string>[]>)[items] ?? [];
  return listed.map((item) => String(item[name])).sort();
}

/** Returns the arguments of a command, in a file where they are a text. */
function given(create: readonly string[] | string): readonly string[] {
  if (typeof create !== "string") return create;
  const file = join(folder, "input.pp");
  writeFileSync(file, create);
  return ["--input", "pcl", "--input-file", file];
}

const json = ["--output", "json"];
const writing = ["--stateless", "--yes", ...json];

it.each(chooseStories(cases, 2))("a $type is created, listed, read, changed and deleted", async (one) => {
  const { type, name, patch } = one;
  const before = await namesInService(one);
  const created = await runJson<{ id: string }>(type, "create", ...given(one.create), ...writing);

  const listed = await runJson<Listed[]>(type, "list");
  expect(listed.map((item) => item.name).sort()).toEqual(await namesInService(one));
  const id = listed.find((item) => item.name === name)?.id ?? "";
  expect(await runJson(type, "read", id, "--stateless", ...json)).toMatchObject({ id: created.id });

  if (patch !== undefined) {
    const patched = await runJson<object>(type, "patch", id, ...patch, ...writing);
    expect(Object.values(patched)).toContain(patch[1]);
    expect(Object.values(await runJson<object>(type, "read", id, "--stateless", ...json))).toContain(
      patch[1],
    );
  }
  await run(type, "delete", id, "--stateless", "--yes");
  expect(await namesInService(one)).toEqual(before);
});
