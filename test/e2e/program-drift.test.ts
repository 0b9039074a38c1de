/** Tests `workspacectl drift --program` on the real engine: of programs, it reads the state alone and runs no code. */
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { DriftReport } from "../../automation/drift/drift-report.js";
import { tellsAllStories } from "../stories.js";
import {
  connected,
  editByHand,
  emulatorForTests,
  isolated,
  pulumi,
  repository,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const folder = temporaryFolder();
const emulator = await emulatorForTests({ echoMemberEmail: true });
const env = isolated(folder, {
  ...connected(emulator),
  ...stateIn(folder),
  WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
});
const ranFile = join(folder, "other-code-has-run");

/** Creates a program, and applies it with plain Pulumi. */
async function apply(name: string, source: string, settings = ""): Promise<string> {
  const root = join(folder, name);
  mkdirSync(root);
  writeFileSync(join(root, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n${settings}`);
  writeFileSync(join(root, "package.json"), JSON.stringify({ name, main: "index.js" }));
  writeFileSync(join(root, "index.js"), source);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"), "dir");
  for (const argv of [
    ["stack", "init", "test"],
    ["up", "--yes", "--skip-preview"],
  ]) {
    const { code, stdout, stderr } = await pulumi(argv, root, env);
    expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  }
  return root;
}

/** Runs the command, and checks that it writes nothing. */
async function drift(cwd: string, ...argv: string[]) {
  emulator.journal.clear();
  const ran = await workspacectl(["drift", ...argv], cwd, env);
  expect(emulator.journal.writes()).toEqual([]);
  expect(ran.stdout + ran.stderr).not.toContain("in-clear");
  return ran;
}

async function report(cwd: string, ...argv: string[]) {
  const { code, stdout, stderr } = await drift(cwd, "--json", ...argv);
  if (code === 1) throw new Error(stdout + stderr);
  const { findings, ...rest } = JSON.parse(stdout) as DriftReport;
  return {
    code,
    ...rest,
    found: findings.map((one) => `${one.class} ${one.type} ${one.name} ${one.path}`.trim()),
  };
}

/** Also uses code of its own, and of another provider. */
const typescript = `
const pulumi = require("@pulumi/pulumi");
const { Group, PingAction, Pipeline, Project, Variable, listGroups } = require("pulumi-workspace-automation");

class Team extends pulumi.ComponentResource {
  constructor(name) {
    super("example:index:Team", name);
    const part = new pulumi.ComponentResource("example:index:Part", name, {}, { parent: this });
    new Group(name, { name: "QA", description: "Testers" }, { parent: part });
  }
}
const ranFile = ${JSON.stringify(ranFile)};
const other = {
  create: async () => ({ id: "1", outs: {} }),
  read: async (id) => { require("node:fs").writeFileSync(ranFile, ""); return { id, props: {} }; },
};
class Other extends pulumi.dynamic.Resource {
  constructor(name, opts) { super(other, name, {}, opts); }
}
new Team("web");
new Other("other");
new Other("read", { id: "1" });
const web = new Project("web", { name: "web", displayName: "Web shop" });
const deploy = new Pipeline("deploy", { project: web, name: "deploy", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" });
new PingAction("ping", { pipeline: deploy, name: "Ping", triggerTime: "ON_EVERY_EXECUTION", destination: "example.com" });
new Variable("token", { project: web, key: "TOKEN", value: pulumi.secret("token-in-clear"), encrypted: true });
Project.get("existing", "acme/existing");
const ops = pulumi.output(listGroups()).apply((all) => all.find(({ name }) => name === "Ops"));
Group.get("ops", pulumi.interpolate\`acme/\${ops.id}\`);
new Variable("region", { key: "REGION", value: "us" }, { ignoreChanges: ["description"] });
`;

describe("a program in TypeScript", () => {
  let root: string;
  beforeAll(async () => {
    await editByHand(emulator, ["POST", "projects"], { name: "existing", display_name: "Existing" });
    await editByHand(emulator, ["POST", "groups"], { name: "Ops" });
    root = await apply("typescript", typescript);
  }, 600_000);

  it("is compared by its state, without a workspace file and without its code", async () => {
    const clean = await drift(root, "--program", ".");
    expect(clean).toMatchObject({ code: 0 });
    expect(clean.stdout).toContain("No drift: 6 objects");
    expect(clean.stdout).toContain("state alone");
    // Neither a component nor what the program only reads can be deleted or changed outside.
    const preview = await workspacectl(["preview", "--program", ".", "--json"], root, env);
    expect(JSON.parse(preview.stdout)).toMatchObject({ result: "nothing", plan: { drift: [] } });
    // A preview runs the code, which a comparison with the state does not.
    rmSync(ranFile);

    await editByHand(emulator, ["PATCH", "groups", "QA"], { description: "Hobby club" });
    await editByHand(emulator, ["PATCH", "variables", "REGION"], {
      key: "REGION",
      value: "us",
      description: "ignored",
    });
    await editByHand(emulator, ["POST", "groups"], { name: "Made by hand" });
    await editByHand(emulator, ["DELETE", "projects/web/pipelines", "deploy"]);
    // What the program only reads, and what it contains, is managed elsewhere.
    await editByHand(emulator, ["PATCH", "groups", "Ops"], { description: "Changed elsewhere" });
    await editByHand(emulator, ["POST", "projects/existing/pipelines"], {
      name: "elsewhere",
      trigger_mode: "MANUAL",
      ref_name: "main",
    });
    const found = await report(root);
    expect(found).toMatchObject({ code: 7, comparedWith: "state", result: "drift", stack: "test" });
    expect(found.found).toEqual([
      "deleted Pipeline deploy",
      "deleted Action ping",
      "changed Group web description",
      "added Group groups/Made by hand",
    ]);
    expect(existsSync(ranFile)).toBe(false);
  });
});

describe.runIf(tellsAllStories)("a program that workspacectl applies", () => {
  it("is planned with guards, and applied exactly as it was saved", { timeout: 600_000 }, async () => {
    const root = await apply("guarded", guarded);
    const run = (...argv: string[]) => workspacectl([...argv, "--program", root], folder, env);
    await editByHand(emulator, ["PATCH", "groups", "Guards"], { description: "Hobby club" });
    const saved = await run("preview", "--save-plan", "plan.json");
    expect(saved).toMatchObject({ code: 0 });
    expect(saved.stdout).toMatch(/description +"Hobby club" → "Testers"/);
    expect(saved.stderr).toContain(`up --plan plan.json --program ${root}`);
    expect((await run("up", "--plan", "plan.json", "--yes")).stdout).toContain("1 updated");

    await editByHand(emulator, ["PATCH", "groups", "Guards"], { description: "Hobby club" });
    const { fingerprint } = JSON.parse((await run("preview", "--json")).stdout) as { fingerprint: string };
    await editByHand(emulator, ["PATCH", "groups", "Guards"], { description: "Another club" });
    const stale = await run("up", "--yes", "--approved", fingerprint);
    expect(stale).toMatchObject({ code: 1 });
    expect(stale.stderr).toMatch(/approved/);
    await editByHand(emulator, ["PATCH", "groups", "Guards"], { description: "Hobby club" });
    expect((await run("up", "--yes", "--approved", fingerprint)).stdout).toContain("1 updated");

    writeFileSync(join(root, "index.js"), guarded.replace(/^new Project.*$/m, ""));
    emulator.journal.clear();
    const refused = await run("up", "--yes");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain("--delete-project guarded");
    expect(emulator.journal.writes()).toEqual([]);
    const selected = await run("preview", "--only", "guards");
    expect(selected.stderr).toContain("pulumi up --target");
  });
});

describe.runIf(tellsAllStories)("a program that reads a project that it does not manage", () => {
  it("plans nothing for it, until it declares the project itself", { timeout: 600_000 }, async () => {
    await emulator.edit({
      method: "POST",
      path: "/workspaces/acme/projects",
      body: { name: "read", display_name: "Read" },
    });
    const root = await apply("reading", reading);
    const run = (...argv: string[]) => workspacectl([...argv, "--program", root], folder, env);
    const write = (line: string) =>
      writeFileSync(join(root, "index.js"), reading.replace(/^Project.get.*$/m, line));
    await emulator.edit({
      method: "PATCH",
      path: "/workspaces/acme/projects/read",
      body: { display_name: "Changed elsewhere" },
    });
    expect((await run("preview")).stdout).toContain("No changes");
    write("");
    expect((await run("preview")).stdout).toContain("No changes");
    write('new Project("read", { name: "read" });');
    const taken = await run("preview");
    expect(taken.stdout).toMatch(
      /\+ project read[^]*already exists[^]*1 to create, 0 to update, 0 to delete, 1 unchanged/,
    );
    write('new Project("read", { name: "read", adopt: true });');
    expect(await run("up", "--yes")).toMatchObject({ code: 0 });
    expect((await run("preview")).stdout).toContain("No changes");
  });
});

const reading = `
const { Group, Project } = require("pulumi-workspace-automation");
new Group("readers", { name: "Readers" });
Project.get("read", "acme/read");
`;

const guarded = `
const { Group, Project } = require("pulumi-workspace-automation");
new Project("guarded", { name: "guarded" });
new Group("guards", { name: "Guards", description: "Testers" });
`;

/** Registers resources as the SDK of any language does, in the accounts of two providers. */
const plugin = `
const pulumi = require("@pulumi/pulumi");
class Custom extends pulumi.CustomResource {
  constructor(type, name, args, opts) { super("workspace-automation:index:" + type, name, args, opts); }
}
class Account extends pulumi.ProviderResource {
  constructor(name, args) { super("workspace-automation", name, args); }
}
new Custom("Group", "qa", { name: "Testers", description: "People who test" });
const web = new Custom("Project", "shop", { name: "shop", projectName: undefined });
const deploy = new Custom("Pipeline", "release", { project: web.id, name: "release", triggerMode: "MANUAL", refType: "BRANCH", refName: "main", pipelineId: undefined });
new Custom("BuildAction", "shop", { pipeline: deploy.id, name: "Build", triggerTime: "ON_EVERY_EXECUTION", containerImageName: "node", containerImageTag: "22", executeCommands: ["npm test"] });
const eu = new Account("eu", { baseUrl: process.env.EU_URL, token: pulumi.secret(process.env.EU_TOKEN), workspace: "acme" });
new Custom("Group", "qa-eu", { name: "Testers" }, { provider: eu });
`;

const withoutVersion = `
class Custom extends require("@pulumi/pulumi").CustomResource {
  constructor(type, name, args) { super("workspace-automation:index:" + type, name, args); }
}
new Custom("Group", "old", { name: "Old", description: "of an earlier release" });
const web = new Custom("Project", "old", { name: "old" });
new Custom("Pipeline", "release", { project: web.id, name: "release", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" });
`;
/** The same with the classes of the library, which name its version. */
const withVersion = `
const { Group, Pipeline, Project } = require("pulumi-workspace-automation");
new Group("old", { name: "Old", description: "of an earlier release" });
const web = new Project("old", { name: "old" });
new Pipeline("release", { project: web.id, name: "release", triggerMode: "MANUAL", refType: "BRANCH", refName: "main" });
`;

describe.runIf(tellsAllStories)("a stack whose default provider has no version", () => {
  it("moves to the one with the version of the library without a change", async () => {
    const path = join(repository, "packages/library/plugin");
    const settings = `plugins: { providers: [{ name: workspace-automation, path: ${JSON.stringify(path)} }] }\n`;
    const root = await apply("version", withoutVersion, settings);
    writeFileSync(join(root, "index.js"), withVersion);
    const engine = { ...env, WORKSPACE_AUTOMATION_ENGINE: "plugin" };
    for (const argv of [
      ["preview", "--diff", "--expect-no-changes"],
      ["up", "--yes", "--skip-preview", "--expect-no-changes"],
      ["refresh", "--yes", "--expect-no-changes"],
    ]) {
      const { code, stdout, stderr } = await pulumi(argv, root, engine);
      expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
    }
  }, 600_000);
});

describe.runIf(tellsAllStories)("a program with the plugin, in two accounts", () => {
  it("is compared in the account of the connection, and in the other with its own", async () => {
    const eu = await emulatorForTests();
    Object.assign(env, { EU_URL: eu.baseUrl, EU_TOKEN: eu.token });
    const path = join(repository, "packages/library/plugin");
    const settings = `plugins: { providers: [{ name: workspace-automation, path: ${JSON.stringify(path)} }] }\n`;
    const root = await apply("plugin", plugin, settings);
    writeFileSync(
      join(root, "drift-ignore.yaml"),
      "version: 1\nignore:\n  - { object: '**', class: added, reason: known }\n",
    );

    await editByHand(emulator, ["PATCH", "groups", "Testers"], { description: "Hobby club" });
    await editByHand(eu, ["DELETE", "groups", "Testers"]);
    const us = await report(folder, "--program", root, "--stack", "test");
    expect(us).toMatchObject({ code: 7, incomplete: [] });
    expect(us.found).toEqual(["changed Group qa description"]);
    expect(us.warnings).toMatchObject([{ code: "other-workspace" }]);
    expect(us.warnings[0]?.message).toContain(`${eu.baseUrl}/workspaces/acme`);
    expect(us.ignored.length).toBeGreaterThan(0);

    Object.assign(env, connected(eu));
    const other = await report(folder, "--program", root, "--stack", "test");
    expect(other.found).toEqual(["deleted Group qa-eu"]);
  }, 600_000);
});
