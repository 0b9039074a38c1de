/** Tests the packaged plugin on the real engine as a user of any Pulumi language: a program, an import and a schema. */
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { tellsAllStories } from "../stories.js";
import {
  emulatorForTests,
  type Ended,
  isolated,
  pulumi,
  repository,
  stateIn,
  temporaryFolder,
} from "./support.js";

const folder = temporaryFolder();
const root = join(folder, "program");
const plugin = join(repository, "packages/library/plugin");
let emulator: Emulator;
let env: NodeJS.ProcessEnv;

const project = `name: plugin
runtime: nodejs
plugins:
  providers:
    - name: workspace-automation
      path: ${JSON.stringify(plugin)}
`;

/** Registers resources as a generated SDK does. */
const program = `
const pulumi = require("@pulumi/pulumi");
class Custom extends pulumi.CustomResource {
  constructor(type, name, args, outputs, opts) {
    const none = Object.fromEntries(outputs.map((output) => [output, undefined]));
    super("workspace-automation:index:" + type, name, { ...none, ...args }, opts);
  }
}
const unprotected = process.env.UNPROTECTED ? { deletionProtection: false } : {};
const web = new Custom("Project", "web", { name: process.env.PROJECT, displayName: "Web shop", ...unprotected }, ["projectName"]);
const deploy = new Custom(
  "Pipeline",
  "deploy",
  { project: web.id, name: "deploy", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" },
  ["pipelineId"],
);
const common = { pipeline: deploy.id, triggerTime: "ON_EVERY_EXECUTION" };
const [type, kind, alias] = process.env.TYPED
  ? ["BuildAction", {}, { aliases: [{ type: "workspace-automation:index:Action" }] }]
  : ["Action", { type: "BUILD" }, {}];
const build = new Custom(type, "build", {
  ...common,
  ...kind,
  name: "Build",
  containerImageName: "node",
  containerImageTag: "22",
  executeCommands: ["npm test"],
}, ["actionId"], alias);
const ping = new Custom("Action", "ping", { ...common, name: "Ping", type: "PING", destination: "shop.example.com" }, ["actionId"], { dependsOn: build });
new Custom("Action", "tell", {
  ...common,
  name: "Tell",
  type: "HTTP",
  notificationUrl: "https://hooks.example.com",
  headers: [{ name: "X-Source", value: "pipeline" }],
}, ["actionId"], { dependsOn: ping });
new Custom("Variable", "token", { key: "API_TOKEN", value: pulumi.secret("token-in-clear"), encrypted: true, project: web.name, projectId: web.id }, ["variableId"]);
new Custom("Group", "qa", { name: "QA", description: process.env.DESCRIPTION }, ["groupId"]);
exports.groups = pulumi.runtime.invoke("workspace-automation:index:listGroups", {}).then(({ items }) => items.length);
`;

beforeAll(async () => {
  emulator = await emulatorForTests({ strictBodies: true });
  mkdirSync(root, { recursive: true });
  writeFileSync(join(root, "Pulumi.yaml"), project);
  writeFileSync(join(root, "package.json"), JSON.stringify({ name: "program", main: "index.js" }));
  writeFileSync(join(root, "index.js"), program);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"), "dir");
  env = isolated(folder, { ...stateIn(folder), DESCRIPTION: "Testers", PROJECT: "web" });
});

const plain = (...argv: string[]): Promise<Ended> => pulumi(argv, root, env);

async function succeed(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await plain(...argv);
  expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  return stdout;
}

/** Creates a stack whose configuration, and not the environment, contains the connection. */
async function newStack(name: string): Promise<void> {
  const { baseUrl, token, workspace } = emulator;
  await succeed("stack", "init", name);
  const setting = (key: string, value: string) => `workspace-automation:${key}=${value}`;
  const plaintext = [setting("baseUrl", baseUrl), setting("workspace", workspace)];
  const flags = plaintext.flatMap((text) => ["--plaintext", text]);
  await succeed("config", "set-all", ...flags, "--secret", setting("token", token));
}

// A Pulumi command can take long on a busy machine.
vi.setConfig({ testTimeout: 600_000 });

it("passes Pulumi's schema check", async () => {
  const { stdout, stderr } = await plain("schema", "check", join(repository, "schema/pulumi.schema.json"));
  expect(stdout + stderr).toBe("");
});

describe.runIf(tellsAllStories)("a program in any language", () => {
  it("previews without a write, and creates all objects", async () => {
    await newStack("test");
    expect(await succeed("preview")).toContain("8 to create");
    expect(emulator.journal.writes()).toEqual([]);
    expect(await succeed("up", "--yes", "--skip-preview")).toContain("8 created");
  });

  it("stores no plain secrets", async () => {
    const state = await succeed("stack", "export");
    expect(state).toContain("workspace-automation:index:Pipeline");
    expect(state).not.toContain("token-in-clear");
    expect(state).not.toContain(emulator.token);
  });

  it("has no changes in a preview and a refresh", async () => {
    await succeed("preview", "--expect-no-changes");
    await succeed("refresh", "--yes", "--expect-no-changes");
  });

  it("shows the changed property, and updates it in place", async () => {
    env = { ...env, DESCRIPTION: "People who test" };
    const shown = await succeed("preview", "--diff");
    expect(shown).toMatch(/description: "Testers"\s+=> "People who test"/);
    expect(await succeed("up", "--yes", "--skip-preview")).toContain("1 updated");
  });

  it("has no changes when an action gets the type of its action type, by an alias", async () => {
    env = { ...env, TYPED: "1" };
    await succeed("preview", "--expect-no-changes");
    await succeed("up", "--yes", "--skip-preview", "--expect-no-changes");
    expect(await succeed("stack", "export")).toContain("workspace-automation:index:BuildAction::build");
  });

  it("keeps what refers to a project by its id when the project is renamed, as the preview says", async () => {
    env = { ...env, PROJECT: "shop-and-more" };
    const preview = await succeed("preview");
    expect(preview).not.toContain("to replace");
    const planned = /(\d+) to update/.exec(preview)?.[1];
    const up = await succeed("up", "--yes", "--skip-preview");
    expect(/(\d+) updated/.exec(up)?.[1]).toBe(planned);
    await succeed("preview", "--expect-no-changes");
  });

  it("does not destroy the project until deletionProtection is false", async () => {
    emulator.journal.clear();
    const { code, stdout, stderr } = await plain("destroy", "--yes", "--skip-preview");
    expect(code).not.toBe(0);
    expect(stdout + stderr).toContain('project "shop-and-more" is protected, so it is not deleted');
    expect(stdout + stderr).toContain("set deletionProtection: false");
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects" });
    expect(JSON.stringify(body)).toContain("shop-and-more");
    // What is in it comes first, and stays too.
    expect(emulator.journal.writes()).toEqual([]);
    env = { ...env, UNPROTECTED: "1" };
    await succeed("up", "--yes", "--skip-preview");
  });

  it("destroys all objects", async () => {
    expect(await succeed("destroy", "--yes", "--skip-preview")).toContain("8 deleted");
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
    expect(JSON.stringify(body)).not.toContain("QA");
  });
});

describe.sequential("an import", () => {
  it("imports an object by its id, and its inputs as a program change nothing", async () => {
    const { api } = await existing();
    const id = `acme/shop/${api.id}`;
    await newStack("imported");
    emulator.journal.clear();
    const type = "workspace-automation:index:Pipeline";
    await succeed("import", type, "nightly", id, "--yes", "--protect=false", "--generate-code=false");
    expect(emulator.journal.writes()).toEqual([]);
    const state = JSON.parse(await succeed("stack", "export")) as {
      deployment: { resources: { type: string; id?: string; inputs: Record<string, unknown> }[] };
    };
    const imported = state.deployment.resources.find((resource) => resource.type === type);
    expect(imported).toMatchObject({ id });
    // Generated code would declare these inputs.
    writeFileSync(
      join(root, "index.js"),
      `const pulumi = require("@pulumi/pulumi");
class Pipeline extends pulumi.CustomResource {}
new Pipeline(${JSON.stringify(type)}, "nightly", ${JSON.stringify(imported?.inputs)});
`,
    );
    await succeed("preview", "--expect-no-changes");
  });
});

async function existing(): Promise<{ api: { id: number } }> {
  const post = (path: string, body: unknown) =>
    emulator.edit({ method: "POST", path: `/workspaces/acme${path}`, body });
  await post("/projects", { name: "shop" });
  const { body } = await post("/projects/shop/pipelines", {
    name: "nightly",
    trigger_mode: "MANUAL",
    ref_type: "BRANCH",
    ref_name: "main",
    auto_clear_cache: true,
  });
  return { api: body as { id: number } };
}

it("works without any files outside its folder", async () => {
  const copy = join(folder, "plugins", "workspace-automation");
  cpSync(plugin, copy, { recursive: true });
  const executable = join(copy, "pulumi-resource-workspace-automation");
  const { stdout } = await plain("package", "get-schema", executable);
  expect(JSON.parse(stdout)).toMatchObject({ name: "workspace-automation" });
});
