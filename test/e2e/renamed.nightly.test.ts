/** Tests on the real engine that a project renamed at the service is recognized without loss. */
import { readFileSync } from "node:fs";
import { beforeAll, expect, it } from "vitest";
import type { DriftReport } from "../../automation/drift/drift-report.js";
import { setUp } from "./support.js";

const service = await setUp(
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
const { file, emulator } = service;

beforeAll(async () => {
  expect(await run("up", "--yes", "--create-stack")).toMatchObject({ code: 0 });
});

async function run(...argv: string[]) {
  emulator.journal.clear();
  const ran = await service.run(...argv);
  return { ...ran, writes: emulator.journal.writes().map(({ method, path }) => `${method} ${path}`) };
}

async function rename(from: string, to: string): Promise<void> {
  await service.edit("PATCH", `/projects/${from}`, { name: to });
}

it("reports a renamed project as drift of its name only", async () => {
  await rename("web", "shop");
  const { code, stdout, stderr, writes } = await run("drift", "--json");
  const report = JSON.parse(stdout) as DriftReport;
  expect(report.findings.map((one) => `${one.class} ${one.name} ${one.path}`)).toEqual([
    "changed projects/web name",
  ]);
  expect(code).toBe(7);
  expect(stderr).toContain('Project "web" was renamed to "shop" outside');
  expect(writes).toEqual([]);
});

it("up renames the project back with one request, and recreates nothing", async () => {
  const { code, writes, stderr } = await run("up", "--yes");
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(writes).toEqual(["PATCH /workspaces/acme/projects/shop"]);
  expect(await run("drift")).toMatchObject({ code: 0, writes: [] });
});

it.each([
  ["drift", "revert", "--all", "--yes"],
  ["up", "--only", "projects/web", "--yes"],
])("%s %s, limited to the project, renames it back and creates no second one", async (...argv) => {
  await rename("web", "shop");
  const { code, writes, stderr } = await run(...argv);
  expect({ code, stderr }).toMatchObject({ code: 0 });
  expect(writes).toEqual(["PATCH /workspaces/acme/projects/shop"]);
  expect(await run("up", "--yes")).toMatchObject({ code: 0, writes: [] });
});

it("drift accept writes the new name to the file, and up has nothing to do", async () => {
  await rename("web", "shop");
  expect(await run("drift", "accept", "projects/web")).toMatchObject({ code: 0, writes: [] });
  expect(readFileSync(file, "utf8")).toMatch(/^ {2}web:\n {4}name: shop$|^ {4}name: shop$/m);
  expect(await run("up", "--yes")).toMatchObject({ code: 0, writes: [] });
  expect(await run("drift")).toMatchObject({ code: 0 });
});
