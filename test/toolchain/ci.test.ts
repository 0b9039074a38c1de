/** Tests what `.ci/run` prints last. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { execa } from "execa";
import { describe, expect, it } from "vitest";
import { findPackageRoot } from "../../toolchain/locations.js";
import { temporaryFolder } from "./fakes.js";

const script = join(findPackageRoot(), "scripts/count-tests.mjs");

async function countOf(report: string | undefined) {
  const file = join(temporaryFolder(), "report.json");
  if (report !== undefined) writeFileSync(file, report);
  const { stdout, stderr, exitCode } = await execa(process.execPath, [script, file], { reject: false });
  return { stdout, stderr, exitCode };
}

const file = (status: string, ...tests: string[]) => ({
  status,
  assertionResults: tests.map((of) => ({ status: of })),
});
const report = (...testResults: unknown[]) => JSON.stringify({ testResults });

describe("the last line of .ci/run", () => {
  it("counts the tests in the report", async () => {
    const counted = await countOf(report(file("passed", "passed", "passed"), file("passed", "passed")));
    expect(counted).toEqual({ stdout: "3 passed, 0 failed", stderr: "", exitCode: 0 });
  });

  it("counts skipped tests, and fails if a test failed", async () => {
    const counted = await countOf(report(file("failed", "passed", "failed", "skipped", "pending", "todo")));
    expect(counted).toMatchObject({ stdout: "1 passed, 1 failed, 3 skipped", exitCode: 1 });
  });

  it("counts a file that could not be loaded as a failure", async () => {
    const counted = await countOf(report(file("passed", "passed"), file("failed")));
    expect(counted).toMatchObject({ stdout: "1 passed, 1 failed", exitCode: 1 });
  });

  it("fails if no test ran or there is no report", async () => {
    for (const nothing of [report(), report(file("passed", "skipped")), "", undefined]) {
      const { stdout, stderr, exitCode } = await countOf(nothing);
      expect(stdout).toMatch(/^0 passed, 0 failed/);
      expect(stderr).toContain("No test ran.");
      expect(exitCode).toBe(1);
    }
  });
});
