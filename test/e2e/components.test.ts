/** Tests the components of the plugin on the real engine: a workspace file in a program, and a pipeline with its actions. */
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { tellsAllStories } from "../stories.js";
import {
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  repository,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const folder = temporaryFolder();
const emulator = await emulatorForTests();
const env = isolated(folder, {
  ...connected(emulator),
  ...stateIn(folder),
  WORKSPACE_AUTOMATION_DOMAIN: emulator.workspace,
  WORKSPACE_VAR_REGION: "us",
  WORKSPACE_VAR_PASSWORD: "password-in-clear",
});
const root = join(folder, "program");

/** Declares components as a generated SDK does. */
const classes = `
const pulumi = require("@pulumi/pulumi");
class Component extends pulumi.ComponentResource {
  constructor(type, name, args, outputs, options = {}) {
    super("workspace-automation:index:" + type, name, { ...args, ...outputs }, options, true);
  }
}
class Provider extends pulumi.ProviderResource {
  constructor(name, args) { super("workspace-automation", name, args); }
}
class Group extends pulumi.CustomResource {
  constructor(name, args) { super("workspace-automation:index:Group", name, args); }
}
`;
const withFile = (path: string) => `${classes}
const group = new Group("writers", { name: "Writers", groupId: undefined });
const workspace = new Component("WorkspaceFile", "workspace", {
  path: "${path}",
  values: { secret: pulumi.secret("told-by-the-program"), group: pulumi.interpolate\`Group \${group.groupId}\` },
}, { objects: undefined });
exports.web = workspace.objects.apply((objects) => objects["projects/web"].projectName);
`;
const withoutGroup = withFile("workspace.yaml").replace(/^const group.*$/m, "const group = { groupId: 1 };");
const withPipeline = (...names: string[]) => `${withFile("workspace.yaml")}
const release = new Component("PipelineDefinition", "release", {
  project: workspace.objects.apply((objects) => objects["projects/web"].id),
  name: "Release", triggerMode: "MANUAL", refType: "BRANCH", refName: "main",
  actions: ${JSON.stringify(names)}.map((name) => ({ name, type: "PING", triggerTime: "ON_EVERY_EXECUTION", destination: "example.com" })),
}, { pipelineId: undefined, actionIds: undefined });
exports.actions = release.actionIds;
`;

const action = (name: string) =>
  `{ name: ${name}, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com }`;
const file = `version: 1
projects:
  web:
    displayName: "Web \${env:REGION}"
    variables:
      PASSWORD: { value: "\${secret:env:PASSWORD}", encrypted: true }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions: [${action("Ping")}, ${action("Pong")}]
`;
const withValues = file.replace(
  "    pipelines:",
  `      TOKEN: { value: "\${secret:config:secret}", encrypted: true }
      GROUP: "\${config:group}"
    pipelines:`,
);

async function run(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await pulumi(argv, root, env);
  if (code !== 0) throw new Error(stdout + stderr);
  return stdout;
}
const write = (name: string, text: string) => writeFileSync(join(root, name), text);

beforeAll(() => {
  mkdirSync(root);
  const path = JSON.stringify(join(repository, "packages/library/plugin"));
  write(
    "Pulumi.yaml",
    `name: components\nruntime: nodejs\nplugins: { providers: [{ name: workspace-automation, path: ${path} }] }\n`,
  );
  write("package.json", JSON.stringify({ name: "components", main: "index.js" }));
  write("workspace.yaml", file);
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"), "dir");
});

describe("a workspace file in a program", () => {
  it("has the resources that workspacectl has applied", { timeout: 600_000 }, async () => {
    const flags = [
      "--file",
      "workspace.yaml",
      "--engine",
      "plugin",
      "--stack",
      "test",
      "--create-stack",
      "--yes",
    ];
    const applied = await workspacectl(["up", ...flags], root, env);
    expect(applied.stdout + applied.stderr).toContain("created");
    write("index.js", withoutGroup);
    await run("stack", "select", "test");
    const preview = await run("preview");
    expect(preview).not.toContain("protect");
    // The component itself is new.
    expect(preview).toMatch(/\+ 1 to create\s+7 unchanged/);
  });
});

describe.runIf(tellsAllStories)("a workspace file of a program's provider", () => {
  it("gets to the account of that provider, and to no other", { timeout: 600_000 }, async () => {
    const eu = await emulatorForTests();
    write("eu.yaml", file);
    write(
      "index.js",
      `${classes}
const provider = new Provider("eu", {
  baseUrl: "${eu.baseUrl}", token: pulumi.secret("${eu.token}"), workspace: "${eu.workspace}", allowInsecure: "true",
});
new Component("WorkspaceFile", "eu", { path: "eu.yaml" }, { objects: undefined }, { provider });
`,
    );
    await run("stack", "init", "eu");
    emulator.journal.clear();
    expect(await run("up", "--yes", "--skip-preview")).toContain("created");
    expect(emulator.journal.requests).toEqual([]);
    const { body } = await eu.edit({ method: "GET", path: `/workspaces/${eu.workspace}/projects/web` });
    expect(body).toMatchObject({ display_name: "Web us" });
    await run("preview", "--expect-no-changes");
    await run("stack", "select", "test");
  });
});

describe.runIf(tellsAllStories)("the way back to workspacectl", () => {
  it(
    "takes the component out of the state, and leaves all objects as they are",
    { timeout: 600_000 },
    async () => {
      write("index.js", withoutGroup);
      await run("up", "--yes", "--skip-preview");
      emulator.journal.clear();
      const flags = ["--file", "workspace.yaml", "--engine", "plugin", "--stack", "test", "--yes"];
      const { stderr } = await workspacectl(["up", ...flags], root, env);
      const [, urn = ""] = /pulumi -- state delete '(\S+)' --stack test/.exec(stderr) ?? [];
      const removed = await workspacectl(
        ["pulumi", "--", "state", "delete", urn, "--stack", "test", "--yes"],
        root,
        env,
      );
      expect(removed.code, removed.stdout + removed.stderr).toBe(0);
      const applied = await workspacectl(["up", ...flags], root, env);
      expect(applied.code, applied.stderr).toBe(0);
      expect(applied.stdout + applied.stderr).toContain("No changes: 6 objects as declared");
      expect(emulator.journal.writes()).toEqual([]);
    },
  );
});

describe.runIf(tellsAllStories)("a program with components", () => {
  it("passes values to the file, and previews what is not known yet", { timeout: 600_000 }, async () => {
    write("workspace.yaml", withValues);
    write("index.js", withPipeline("First", "Second", "Third"));
    expect(await run("preview")).toContain("+ 10 to create");
    expect(await run("up", "--yes", "--skip-preview")).toContain("+ 10 created");
    await run("preview", "--expect-no-changes");
    const state = await run("stack", "export");
    expect(state).not.toContain("told-by-the-program");
    expect(state).not.toContain("in-clear");
    const group = await read("groups");
    expect(JSON.stringify(await read("variables?projectName=web"))).toContain(
      `"Group ${group["groups"]?.[0]?.id}"`,
    );
    const { stdout } = await workspacectl(["drift", "--program", "."], root, env);
    expect(stdout).toContain("No drift: 14 objects");
  });

  it("keeps the actions of a pipeline in their order", { timeout: 600_000 }, async () => {
    write("index.js", withPipeline("Third", "First", "New"));
    const applied = await run("up", "--yes", "--skip-preview");
    expect(applied).toMatch(/\+ 1 created\s+~ 1 updated\s+- 1 deleted/);
    const { pipelines = [] } = await read("projects/web/pipelines");
    const release = pipelines.find(({ name }) => name === "Release");
    const { actions = [] } = await read(`projects/web/pipelines/${release?.id}/actions`);
    expect(actions.map(({ name }) => name)).toEqual(["Third", "First", "New"]);
    await run("preview", "--expect-no-changes");
  });

  it(
    "reports the problems of the file with their places, and runs no code of it",
    { timeout: 600_000 },
    async () => {
      write("workspace.yaml", withValues.replace("refName: main", "refNames: main"));
      expect((await pulumi(["preview"], root, env)).stdout).toContain(
        'workspace.yaml:13:9: unknown property "refNames". Did you mean "refName"?',
      );
      write("other.js", `require("node:fs").writeFileSync("ran", ""); module.exports = { version: 1 };`);
      write("index.js", withFile("other.js"));
      expect((await pulumi(["preview"], root, env)).stdout).toContain(
        "other.js: is a program, and only YAML or JSON is read here",
      );
      expect(existsSync(join(root, "ran"))).toBe(false);
    },
  );
});

type Listed = Readonly<Record<string, readonly { readonly id: number; readonly name: string }[] | undefined>>;

async function read(path: string): Promise<Listed> {
  return (await emulator.edit({ method: "GET", path: `/workspaces/acme/${path}` })).body as Listed;
}
