/** A project that somebody renamed in the service, on the real engine: it is recognised, and nothing of it is lost. */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, it } from "vitest";
import type { DriftReport } from "../../cli/drift/model.js";
import type { Emulator } from "../../emulator/index.js";
import { connected, emulatorForTests, isolated, temporaryFolder, workspacectl } from "./support.js";

const folder = temporaryFolder();
const file = join(folder, "workspace.yaml");
let emulator: Emulator;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  emulator = await emulatorForTests();
  env = isolated(folder, connected(emulator));
  writeFileSync(
    file,
    `version: 1
workspace: acme
projects:
  api: {}
  web:
    variables: { A: "1" }
    pipelines:
      deploy:
        triggerMode: MANUAL
        refType: BRANCH
        refName: main
        variables: { B: "2" }
        actions:
          - { name: Ping, type: PING, triggerTime: ON_EVERY_EXECUTION, destination: example.com, variables: { C: "3" } }
`,
  );
  await run("up", "--yes");
});

async function run(...argv: string[]) {
  emulator.journal.clear();
  const ran = await workspacectl([...argv, "-f", file], folder, env);
  return { ...ran, writes: emulator.journal.writes().map(({ method, path }) => `${method} ${path}`) };
}

async function rename(from: string, to: string): Promise<void> {
  await emulator.edit({
    method: "PATCH",
    path: `/workspaces/acme/projects/${from}`,
    body: { name: to },
  });
}

it("is drift of its name: up gives the old one back and writes nothing else", async () => {
  await rename("web", "shop");
  const { code, stdout, stderr } = await run("drift", "--json");
  const report = JSON.parse(stdout) as DriftReport;
  expect(report.findings.map((one) => `${one.class} ${one.name} ${one.path}`)).toEqual([
    "changed projects/web name",
  ]);
  expect(code).toBe(7);
  expect(stderr).toContain('Project "web" was renamed to "shop" outside');
  const up = await run("up", "--yes");
  expect(up).toMatchObject({ code: 0, writes: ["PATCH /workspaces/acme/projects/shop"] });
  expect(await run("drift")).toMatchObject({ code: 0, writes: [] });
});

it("keeps its new name when the drift is accepted, and nothing is written to the service", async () => {
  await rename("web", "shop");
  const accepted = await run("drift", "accept", "--all");
  expect(accepted).toMatchObject({ code: 0 });
  expect(readFileSync(file, "utf8")).toMatch(/web:\n +name: shop/);
  expect(await run("up", "--yes")).toMatchObject({ code: 0, writes: [] });
  expect(await run("drift")).toMatchObject({ code: 0, writes: [] });
});
