/** One switch between dynamic providers and the packaged plugin: `--engine`, the file, and `stack migrate` for a state. */
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { type Setup, setUp } from "./support.js";

vi.setConfig({ testTimeout: 600_000 });

let setup: Setup;

const workspace = `version: 1
workspace: acme
groups:
  QA: { description: Testers }
variables:
  DEPLOY_TOKEN: { value: "\${env:DEPLOY_TOKEN}", encrypted: true }
projects:
  web:
    pipelines:
      deploy:
        triggerMode: MANUAL
        refName: main
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
          - { name: Again, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: shop.example.com }
`;

beforeAll(async () => {
  setup = await setUp(workspace);
});

async function succeed(...argv: string[]): Promise<string> {
  const { code, stdout, stderr } = await setup.run(...argv);
  expect({ code, output: code === 0 ? "" : stdout + stderr }).toEqual({ code: 0, output: "" });
  return stdout + stderr;
}

async function expectNoChanges(...argv: string[]): Promise<void> {
  expect(await succeed("preview", ...argv)).toContain("No changes");
  expect(setup.emulator.journal.writes()).toEqual([]);
}

const types = async () => {
  const { resources } = (JSON.parse(await succeed("stack", "export")) as Exported).deployment;
  return resources.map(({ type }) => type).filter((type) => !type.startsWith("pulumi:pulumi:"));
};

interface Exported {
  readonly deployment: { readonly resources: { readonly type: string }[] };
}

describe.sequential("a stack", () => {
  it("is made by the plugin, which workspacectl serves itself", async () => {
    expect(await succeed("up", "--yes", "--create-stack", "--engine", "plugin")).toMatch(/Done: \d+ created/);
    expect(new Set((await types()).map((type) => type.split(":").slice(0, 2).join(":")))).toEqual(
      new Set(["workspace-automation:index", "pulumi:providers"]),
    );
    setup.emulator.journal.clear();
  });

  it("needs no switch from then on: the state says it", async () => {
    await expectNoChanges();
    expect(await succeed("drift")).toContain("No drift: ");
    expect(await succeed("refresh")).not.toContain("Done: ");
    expect(setup.emulator.journal.writes()).toEqual([]);
  });

  it("is not worked on with the other engine", async () => {
    const { code, stderr } = await setup.run("preview", "--engine", "dynamic");
    expect(code).toBe(1);
    expect(stderr).toContain("workspacectl stack migrate --to dynamic");
  });

  it("holds no secret in plaintext", async () => {
    const text = await succeed("stack", "export");
    expect(text).not.toContain("in-clear");
    expect(text).not.toContain(setup.emulator.token);
  });

  it("is migrated to dynamic providers without a request, with a backup, and its preview stays empty", async () => {
    const before = await succeed("stack", "export");
    setup.emulator.journal.clear();
    const said = await succeed("stack", "migrate", "--to", "dynamic", "--yes");
    expect(setup.emulator.journal.requests).toEqual([]);
    const backup = /The previous state is in (\S+\.json);/.exec(said)?.[1] ?? "";
    expect(JSON.parse(readFileSync(backup, "utf8"))).toEqual(JSON.parse(before));
    expect(statSync(backup).mode & 0o777).toBe(0o600);
    expect((await types()).join()).not.toContain("workspace-automation:index");
    await expectNoChanges();
    expect(await succeed("stack", "migrate", "--to", "dynamic", "--yes")).toContain("No object");
  });

  it("is migrated back, and goes on: a change is one update", async () => {
    await succeed("stack", "migrate", "--to", "plugin", "--yes");
    expect(setup.emulator.journal.writes()).toEqual([]);
    const text = readFileSync(setup.file, "utf8").replace("version: 1", "version: 1\nengine: plugin");
    writeFileSync(setup.file, text);
    await expectNoChanges();
    writeFileSync(setup.file, text.replace("Testers", "People who test"));
    expect(await succeed("up", "--yes")).toContain("Done: 0 created, 1 updated");
    expect(readdirSync(join(setup.folder, ".pulumi-state", "backups"))).toHaveLength(2);
  });

  it("is destroyed by the plugin", async () => {
    expect(await succeed("destroy", "--yes", "--include-protected", "--allow-delete", "**")).toMatch(
      /Done: 0 created, 0 updated, \d+ deleted/,
    );
  });
});
