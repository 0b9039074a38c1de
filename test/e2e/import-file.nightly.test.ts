/** A workspace that exists comes under a stack by the file that `pulumi import --file` takes, for the plugin and for dynamic providers. */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { tellsAllStories } from "../stories.js";
import { type Ended, pulumi, repository, type Setup, setUp, stateIn, workspacectl } from "./support.js";

vi.setConfig({ testTimeout: 600_000 });

const workspace = `version: 1
workspace: acme
members:
  ann@example.com: { admin: true }
groups:
  QA: { description: Testers, members: [ann@example.com] }
permissionSets:
  developers: { description: May deploy, repositoryAccessLevel: READ_ONLY, pipelineAccessLevel: RUN_ONLY }
variables:
  REGION: us-east
projects:
  web:
    displayName: Web shop
    members: { ann@example.com: developers }
    variables: { NODE_ENV: production }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        variables: { TIER: "1" }
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
          - name: Build
            type: BUILD
            triggerTime: ON_EVERY_EXECUTION
            containerImageName: node
            containerImageTag: "22"
            executeCommands: [npm test]
            variables: { CI: "true" }
`;

let setup: Setup;
let plain: NodeJS.ProcessEnv;

beforeAll(async () => {
  setup = await setUp(workspace, { echoMemberEmail: true });
  plain = { ...setup.env, ...stateIn(setup.folder), WORKSPACE_AUTOMATION_DOMAIN: "acme" };
  expect((await setup.run("up", "--yes", "--create-stack")).code).toBe(0);
});

/** A project of Pulumi's own, with the import file in it. */
async function project(name: string, settings: string, ...exported: string[]) {
  const root = join(setup.folder, name);
  mkdirSync(root);
  writeFileSync(join(root, "Pulumi.yaml"), `name: ${name}\nruntime: nodejs\n${settings}`);
  writeFileSync(join(root, "package.json"), JSON.stringify({ name, main: "index.js" }));
  writeFileSync(join(root, "index.js"), "");
  symlinkSync(join(repository, "node_modules"), join(root, "node_modules"), "dir");
  const ended = await workspacectl(
    ["export", "--format", "import-file", "-o", join(root, "import.json"), ...exported],
    root,
    { ...setup.env, WORKSPACE_AUTOMATION_DOMAIN: "acme" },
  );
  expect({ code: ended.code, stderr: ended.code === 0 ? "" : ended.stderr }).toEqual({ code: 0, stderr: "" });
  return root;
}

async function succeed(root: string, ...argv: string[]): Promise<string> {
  const { code, stdout, stderr }: Ended = await pulumi(argv, root, plain);
  expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  return stdout;
}

interface Imported {
  readonly urn: string;
  readonly type: string;
  readonly custom: boolean;
  readonly inputs: Readonly<Record<string, unknown>>;
}

async function importInto(root: string): Promise<Imported[]> {
  await succeed(root, "stack", "init", "imported");
  setup.emulator.journal.clear();
  await succeed(root, "import", "--file", "import.json", "--yes", "--protect=false", "--generate-code=false");
  expect(setup.emulator.journal.writes()).toEqual([]);
  const state = JSON.parse(await succeed(root, "stack", "export", "--show-secrets")) as {
    deployment: { resources: Imported[] };
  };
  return state.deployment.resources.filter(({ type }) => !type.startsWith("pulumi:"));
}

/** A program that declares just what was imported: what code would be generated of. */
function declare(root: string, imported: readonly Imported[]): void {
  const declarations = imported.map(({ type, urn, inputs }) =>
    JSON.stringify([type, urn.split("::").slice(3).join("::"), inputs]),
  );
  writeFileSync(
    join(root, "index.js"),
    `const pulumi = require("@pulumi/pulumi");
for (const [type, name, inputs] of [${declarations.join(",\n")}]) new pulumi.CustomResource(type, name, inputs);
`,
  );
}

describe.sequential("an import file", () => {
  const types = [
    ...["WorkspaceMember", "Group", "GroupMember", "PermissionSet", "Variable", "Project", "ProjectMember"],
    ...["Pipeline", "Action", "ActionOrder"],
  ];

  it("imports every object by the plugin; the next preview is empty", async () => {
    const plugin = JSON.stringify(join(repository, "packages/library/plugin"));
    const settings = `plugins:\n  providers:\n    - { name: workspace-automation, path: ${plugin} }\n`;
    const root = await project("by-plugin", settings);
    const imported = await importInto(root);
    expect(imported.map(({ type }) => type.split(":").at(-1))).toEqual(expect.arrayContaining(types));
    expect(imported).toHaveLength(14);
    declare(root, imported);
    await succeed(root, "preview", "--expect-no-changes");
    await succeed(root, "refresh", "--yes", "--expect-no-changes");
  });

  it("is also the state of a workspace file that the plugin runs", async () => {
    const root = join(setup.folder, "by-plugin");
    const state = await succeed(root, "stack", "export");
    const other = join(setup.folder, "by-file");
    mkdirSync(other);
    writeFileSync(join(other, "Pulumi.yaml"), "name: by-plugin\nruntime: nodejs\n");
    writeFileSync(join(other, "workspace.yaml"), workspace);
    writeFileSync(join(other, "state.json"), state);
    await succeed(other, "stack", "init", "filed");
    const moved = state.replaceAll("urn:pulumi:imported::", "urn:pulumi:filed::");
    writeFileSync(join(other, "state.json"), moved);
    await succeed(other, "stack", "import", "--file", "state.json");
    setup.emulator.journal.clear();
    const { stdout, code } = await workspacectl(["preview", "--stack", "filed"], other, plain);
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining("No changes") as string });
  });

  it.runIf(tellsAllStories)(
    "imports every object by dynamic providers; the next preview is empty",
    async () => {
      const root = await project("by-dynamic", "", "--engine", "dynamic");
      expect(readFileSync(join(root, "import.json"), "utf8")).toContain("pulumi-nodejs:dynamic");
      const imported = await importInto(root);
      expect(imported).toHaveLength(14);
      declare(root, imported);
      await succeed(root, "preview", "--expect-no-changes");
      await succeed(root, "refresh", "--yes", "--expect-no-changes");
    },
  );

  it("is not written over another file", async () => {
    const root = join(setup.folder, "by-plugin");
    const argv = ["export", "--format", "import-file", "-o", "import.json"];
    const { code, stderr } = await workspacectl(argv, root, plain);
    expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("--force") as string });
  });
});
