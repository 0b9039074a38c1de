/**
 * Tests the way from a live workspace to a Pulumi program on the real engine, with the commands that the export prints.
 */
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importReport } from "../../cli/operations/import.js";
import type { Emulator } from "../../emulator/index.js";
import {
  connected,
  emulatorForTests,
  isolated,
  pulumi,
  quickstart,
  repository,
  stateIn,
  temporaryFolder,
  workspacectl,
} from "./support.js";

/** Values that only the users know, by key of the stack configuration. */
const given: Readonly<Record<string, string>> = {
  apiReleaseRestartTheServicePassword: "server-password-in-clear",
  deployToken: "deploy-token-in-clear",
  webNightlyChecksCron: "0 2 * * *",
};

/** The same values as environment variables for a workspace file. */
const asVariables = Object.entries(given).map(([key, value]): [string, string] => [
  key.replace(/[A-Z]/g, "_$&").toUpperCase(),
  value,
]);

/** Links the packages that `npm install` would install. */
function install(program: string): void {
  const modules = join(program, "node_modules");
  mkdirSync(modules);
  for (const name of ["@pulumi", "typescript", "@types"])
    symlinkSync(join(repository, "node_modules", name), join(modules, name), "dir");
  symlinkSync(join(repository, "packages/library"), join(modules, "pulumi-workspace-automation"), "dir");
}

/** Adds an action of an unknown type by hand. */
async function addAction(emulator: Emulator): Promise<string> {
  const pipelines = "/workspaces/acme/projects/web/pipelines";
  const { body } = await emulator.edit({ method: "GET", path: pipelines });
  const [pipeline] = (body as { pipelines: { id: number }[] }).pipelines;
  const action = {
    name: "Scan",
    type: "CUSTOM_SCAN",
    trigger_time: "ON_EVERY_EXECUTION",
    scan_target: "src",
    scan_rules: ["a", "b"],
    integration: { id: 2 },
  };
  const path = `${pipelines}/${pipeline?.id}/actions`;
  const made = await emulator.edit({ method: "POST", path, body: action });
  return `${path}/${(made.body as { id: number }).id}`;
}

describe("a program for an existing workspace", () => {
  it("is exported, imported without a write, and previewed as unchanged", { timeout: 400_000 }, async () => {
    const folder = temporaryFolder();
    const emulator = await emulatorForTests({ echoMemberEmail: true });
    const env = isolated(folder, { ...connected(emulator), ...stateIn(folder) });
    const up = ["up", "--create-stack", "-f", quickstart(join(folder, "first")), "--stack", "first", "--yes"];
    expect(await workspacectl(up, folder, env)).toMatchObject({ code: 0 });
    const action = await addAction(emulator);
    emulator.journal.clear();

    const program = join(folder, "program");
    const exported = await workspacectl(
      ["export", "-w", "acme", "--language", "typescript", "-o", program],
      folder,
      env,
    );
    expect(exported).toMatchObject({ code: 0, stdout: "" });
    install(program);
    expect(await pulumi(["stack", "init", "taken"], program, env)).toMatchObject({ code: 0 });
    const lines = [...exported.stderr.matchAll(/^ {2}pulumi (config set (?:--secret )?(\S+)) +#/gm)];
    expect(lines.map(([, , key]) => key).sort()).toEqual(Object.keys(given).sort());
    for (const [, command = "", key = ""] of lines)
      expect(await pulumi([...command.split(" "), given[key] ?? ""], program, env)).toMatchObject({
        code: 0,
      });

    const importing = ["import", "--create-stack", "--program", program, "--stack", "taken"];
    const imported = await workspacectl([...importing, "--json"], folder, env);
    expect(imported).toMatchObject({ code: 0 });
    const report = JSON.parse(imported.stdout) as { imported: object[]; differences: object[] };
    expect(report).toMatchObject({ kind: "workspacectl-import", workspace: "acme", differences: [] });
    expect(importReport.safeParse(report).error).toBeUndefined();
    expect(report.imported.length).toBeGreaterThan(35);
    expect(imported.stderr).toContain("The next preview is empty");
    const preview = ["preview", "--expect-no-changes", "--stack", "taken"];
    expect(await pulumi(preview, program, env)).toMatchObject({ code: 0 });
    expect((await workspacectl(importing, folder, env)).stdout).toContain("Nothing to import");
    // A workspace file of the same objects fits the same stack, so either form can replace the other.
    const yaml = join(folder, "workspace.yaml");
    await workspacectl(["export", "-w", "acme", "-o", yaml], folder, env);
    const filled = { ...env, ...Object.fromEntries(asVariables) };
    const other = await workspacectl(["preview", "-f", yaml, "--stack", "taken"], folder, filled);
    expect(other.stdout).toContain("No changes");
    expect(emulator.journal.writes()).toEqual([]);
    const state = await pulumi(["stack", "export", "--stack", "taken"], program, env);
    expect(state.stdout).not.toContain("in-clear");

    // A change of one field of an unknown type must preserve the others.
    const file = join(program, "projects/web.ts");
    const text = readFileSync(file, "utf8");
    writeFileSync(file, text.replace('scan_target: "src"', 'scan_target: "lib"'));
    const changed = await pulumi(["up", "--yes", "--skip-preview", "--stack", "taken"], program, env);
    expect(changed).toMatchObject({ code: 0 });
    expect((await emulator.edit({ method: "GET", path: action })).body).toMatchObject({
      scan_target: "lib",
      scan_rules: ["a", "b"],
      integration: { id: 2 },
    });
    expect(emulator.journal.writes()).toHaveLength(1);
  });
});
