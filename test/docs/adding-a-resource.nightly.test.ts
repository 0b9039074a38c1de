/**
 * Follows docs/contributing/adding-a-resource.md in a copy of the repository, to show that the page is
 * complete.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { blocksOf, withAddedLines } from "../pages.js";

const repository = resolve(import.meta.dirname, "../..");
const blocks = blocksOf(join(repository, "docs/contributing/adding-a-resource.md"));
let copy: string;

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), "adding-a-resource-"));
  const left = new Set(["node_modules", "dist", ".git"].map((name) => join(repository, name)));
  cpSync(repository, copy, { recursive: true, filter: (path) => !left.has(path) });
  symlinkSync(join(repository, "node_modules"), join(copy, "node_modules"));
  for (const block of blocks) {
    const file = join(copy, block.file);
    writeFileSync(file, block.isDiff ? withAddedLines(readFileSync(file, "utf8"), block) : block.text);
  }
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

function run(tool: string, ...args: string[]): string {
  const program = join(repository, "node_modules/.bin", tool);
  return execFileSync(program, args, { cwd: copy, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
}

it("a new type takes one file and one registry entry in client, provider and emulator", () => {
  expect(blocks.map(({ file }) => file)).toEqual([
    "client/api/badges.ts",
    "client/api/areas.ts",
    "resources/badge.ts",
    "resources/registry.ts",
    "emulator/resources/badges.ts",
    "emulator/resources/list-of-resources.ts",
  ]);
});

it("the generator adds everything else for a new type", () => {
  run("tsx", "scripts/generate.ts");
  const generated = (file: string) => readFileSync(join(copy, file), "utf8");
  expect(generated("client/api-types.ts")).toContain("./api/badges.js");
  expect(generated("sdk/nodejs/resources.ts")).toContain("export class Badge extends");
  expect(generated("schema/workspace.schema.json")).toContain('"badges"');
  expect(generated("docs/reference/resources.md")).toContain("A badge of a project.");
});

it("a new type compiles and passes the tests of all types", () => {
  run("tsc", "-p", "tsconfig.json", "--noEmit");
  const tests = ["test/provider/lifecycle.test.ts", "test/provider/fields.long.test.ts"];
  const report = JSON.parse(run("vitest", "run", "--reporter=json", "-t", "Badge", ...tests)) as {
    readonly numPassedTests: number;
    readonly numFailedTests: number;
  };
  expect(report.numFailedTests).toBe(0);
  expect(report.numPassedTests).toBeGreaterThan(5);
}, 300_000);
