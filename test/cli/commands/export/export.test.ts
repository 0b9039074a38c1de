/** Tests `workspacectl export` as a user sees it: its output, its placeholders, and what it reports as missing. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../../../emulator/index.js";
import { readDeclarations } from "../../../../workspace-file/load/load.js";
import { emulated, personAt } from "../../service-support.js";
import { fileIn, run, temporaryFolder } from "../../support.js";
import { apply } from "./apply.js";

async function workspaceOf(text: string, settings = {}): Promise<Emulator> {
  const emulator = await emulated({ echoMemberEmail: true, ...settings });
  const { declarations } = readDeclarations("-", { mock: true, stdin: () => `version: 1\n${text}` });
  await apply(emulator, declarations);
  emulator.journal.clear();
  return emulator;
}

const exporting = (emulator: Emulator, ...options: string[]) =>
  personAt(emulator).types(["export", ...options]);

const SHOP = `members: { ann@example.com: {} }
groups: { QA: { members: [ann@example.com] }, Ops: {} }
projects:
  web:
    pipelines:
      deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main }
      tidy: { triggerMode: MANUAL, refType: BRANCH, refName: main }
  web/api: { pipelines: { deploy: { triggerMode: MANUAL, refType: BRANCH, refName: main } } }
`;

describe("workspacectl export", () => {
  it("exports actions of unknown types with all their fields", async () => {
    const emulator = await workspaceOf(`projects:
  web:
    pipelines:
      scan:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        actions:
          - { name: Scan, type: CUSTOM_SCAN, triggerTime: ON_EVERY_EXECUTION, fields: { scan_target: src, depth: 0 } }
`);
    const { code, stdout } = await exporting(emulator);
    expect(code).toBe(0);
    expect(stdout).toContain("type: CUSTOM_SCAN");
    expect(stdout).toMatch(/fields:\n\s+depth: 0\n\s+scan_target: src\n/);
  });

  it("replaces encrypted values and likely secrets with placeholders, without lint errors", async () => {
    const emulator = await workspaceOf(`variables:
  REGION: us-east
  API_TOKEN: abc
  API_KEY: { value: in-clear, encrypted: true }
`);
    const { code, stdout, stderr } = await exporting(emulator);
    expect(code).toBe(0);
    expect(stdout).not.toContain("in-clear");
    expect(stdout).toContain("value: ${env:API_KEY}");
    expect(stdout).toContain("API_TOKEN: ${secret:env:API_TOKEN}");
    expect(stdout).toContain("REGION: us-east");
    expect(stderr).toContain("API_TOKEN  variables/API_TOKEN: value");
    const file = fileIn(temporaryFolder(), "workspace.yaml", stdout);
    expect(await run(["lint", "-f", file], {})).toMatchObject({ code: 0 });
    expect(await run(["validate", "--offline", "-f", file], {})).toMatchObject({ code: 0 });
  });

  it("refers to people by number if the service hides their addresses, and reports it", async () => {
    const emulator = await workspaceOf(SHOP, { echoMemberEmail: false });
    const { code, stdout, stderr } = await exporting(emulator);
    expect(code).toBe(10);
    expect(stdout).toMatch(/QA:\n\s+members:\n\s+- \d+\n/);
    expect(stderr).toContain("the service does not return its email");
    const file = fileIn(temporaryFolder(), "workspace.yaml", stdout);
    expect(await run(["validate", "-f", file], {})).toMatchObject({ code: 0 });
  });

  it("exports only the given kinds, projects and names", async () => {
    const emulator = await workspaceOf(SHOP);
    const { stdout: groups } = await exporting(emulator, "--kinds", "groups", "--name", "Q*");
    expect(groups).toMatch(/groups:\n {2}QA: \{\}\n/);
    expect(groups).not.toMatch(/Ops|projects/);
    const { stdout: pipelines } = await exporting(emulator, "--kinds", "pipelines", "--project", "web*");
    expect(pipelines).toContain("web:\n    external: true");
    expect(pipelines).toContain("web/api:");
    const { stdout: one } = await exporting(emulator, "--project", "web", "--name", "deploy");
    expect(one).toContain("deploy:");
    expect(one).not.toMatch(/tidy|api/);
    const { stderr } = await exporting(emulator, "--kinds", "workflows");
    expect(stderr).toContain('"workflows" is not a kind of object');
  });

  it("writes a folder with a file per project, and updates an existing file or replaces it with --force", async () => {
    const emulator = await workspaceOf(SHOP);
    const folder = join(temporaryFolder(), "code");
    expect(await exporting(emulator, "--split", folder)).toMatchObject({ code: 0, stdout: "" });
    expect(readdirSync(folder).sort()).toEqual(["people.yaml", "projects", "workspace.yaml"]);
    expect(readdirSync(join(folder, "projects")).sort()).toEqual(["web-api.yaml", "web.yaml"]);
    const file = join(folder, "workspace.yaml");
    const { declarations } = readDeclarations(file, { env: {} });
    expect(declarations.map(({ name }) => name)).toContain("projects/web%2Fapi/pipelines/deploy");
    const before = readFileSync(file, "utf8");
    expect(await exporting(emulator, "-o", file)).toMatchObject({ code: 0, stdout: "" });
    expect(readFileSync(file, "utf8")).toBe(before);
    expect(await exporting(emulator, "-o", file, "--force")).toMatchObject({ code: 0 });
    expect(readFileSync(file, "utf8")).toContain("deploy:");
    expect(emulator.journal.writes()).toEqual([]);
  });

  it("reports what it could not read, and exports the rest", async () => {
    const emulator = await workspaceOf(SHOP);
    const person = personAt(emulator);
    emulator.faults.add({ kind: "status", method: "GET", path: "/workspaces/acme/groups", status: 403 });
    const { code, stdout, stderr } = await person.types(["export"]);
    expect(code).toBe(10);
    expect(stdout).toContain("deploy:");
    expect(stdout).not.toContain("QA");
    expect(stderr).toMatch(/Not in the file:\n {2}Group: .*\(the workspace\)/);
  });

  it("gives the second of two actions of the same name a key of its own", async () => {
    const emulator = await workspaceOf(SHOP);
    const listed = await emulator.edit({ method: "GET", path: "/workspaces/acme/projects/web/pipelines" });
    const [first] = (listed.body as { pipelines: { id: number }[] }).pipelines;
    const path = `/workspaces/acme/projects/web/pipelines/${first?.id}/actions`;
    const body = {
      name: "Ping",
      type: "PING",
      trigger_time: "ON_EVERY_EXECUTION",
      destination: "example.com",
    };
    await emulator.edit({ method: "POST", path, body });
    await emulator.edit({ method: "POST", path, body });
    const { code, stdout } = await exporting(emulator);
    expect(code).toBe(0);
    expect(stdout).toMatch(/- name: Ping\n +action: \d+\n/);
    expect(stdout).toMatch(/- key: Ping 2\n +name: Ping\n +action: \d+\n/);
  });
});
