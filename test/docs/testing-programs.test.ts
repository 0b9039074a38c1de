/** Runs the program and the tests of docs/testing-programs.md, as its reader would. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");

it("the unit tests on the page pass", { timeout: 600_000 }, async () => {
  const page = readFileSync(join(root, "docs/testing-programs.md"), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "testing-programs-"));
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "type": "module" }');
  for (const [, name = "", code = ""] of page.matchAll(/^```ts\n\/\/ (\S+)\n([\s\S]*?)^```/gm))
    writeFileSync(join(folder, name), code);
  const { NODE_OPTIONS: _options, ...env } = process.env;
  const argv = ["--import", "tsx", "--test", "--test-reporter=tap", "delivery.test.ts"];
  const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd: folder, env }).catch(
    (error: unknown) => error as { stdout: string },
  );
  expect(stdout).toMatch(/^# pass 3$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
});
