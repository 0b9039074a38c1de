/**
 * Plants faults (mutants) in a folder or a file, one at a time, and counts those that its unit tests notice:
 * `npm run stress -- mutate provider/crud`. A second run repeats only what has changed in the code and the tests. Other tests can be
 * named: `npm run stress -- mutate provider/crud/diff.ts test/provider/crud/diff.test.ts`.
 */
import { mkdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Stryker } from "@stryker-mutator/core";

/** By folder: the tests that have to notice a fault in it. Loops over all types take too long for each fault. */
const testsOf: Readonly<Record<string, readonly string[]>> = {
  diff: ["test/diff"],
  "provider/crud": [
    "test/provider/crud",
    ...["provider/promises", "resources/exclusive-members", "recovery/create-journal"].map(
      (name) => `test/${name}.test.ts`,
    ),
  ],
  "provider/adapters": ["test/provider/adapters", "test/automation/plan/planned-writes.test.ts"],
  "automation/plan": ["test/automation/plan"],
  "provider/existence": [
    "test/provider/existence",
    ...["deletion-guard", "import", "requests"].map((name) => `test/provider/crud/${name}.test.ts`),
  ],
  "automation/policy": ["test/automation/policy"],
  "workspace-file/compose": [
    "test/workspace-file/compose",
    ...["composition", "reuse", "placeholders"].map((name) => `test/workspace-file/${name}.test.ts`),
  ],
  "workspace-file/load": [
    "test/workspace-file/load",
    ...["load", "exclusive-members", "ignore-changes", "matching-files", "read-once", "references"].map(
      (name) => `test/workspace-file/${name}.test.ts`,
    ),
    "test/workspace-file/secret*.test.ts",
    "test/sdk/define-workspace.test.ts",
  ],
  recovery: ["test/recovery"],
  trust: ["test/trust"],
  "automation/compare": ["test/automation/compare", "test/cli/commands/compare"],
  "provider/discovery": [
    "test/provider/discovery",
    "test/provider/existence",
    "test/provider/adapters",
    ...["names", "lookalikes", "shared-names", "shared-reads", "spelling"].map(
      (name) => `test/provider/${name}.test.ts`,
    ),
  ],
};

const [given = "diff", ...tests] = process.argv.slice(2);
const wanted = given.replace(/\/$/, "");
const folder = Object.keys(testsOf).find((name) => wanted === name || wanted.startsWith(`${name}/`));
if (folder === undefined) {
  throw new Error(`No tests are listed for "${wanted}", but for ${Object.keys(testsOf).join(", ")}.`);
}
// For scripts/mutate/vitest.config.mjs, which another process loads.
process.env["MUTATE_TESTS"] = (tests.length > 0 ? tests : testsOf[folder])
  ?.map((path) => (path.endsWith(".ts") ? path : `${path}/**/*.test.ts`))
  .join();

const reports = `coverage/mutants/${folder}`;
mkdirSync(reports, { recursive: true });
await new Stryker({
  mutate: [wanted.endsWith(".ts") ? wanted : `${wanted}/**/*.ts`],
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  vitest: { configFile: "scripts/mutate/vitest.config.mjs", related: false },
  coverageAnalysis: "perTest",
  // A fault in what is evaluated while a module is loaded would need all tests.
  ignoreStatic: true,
  // Few tests compare whole messages.
  mutator: { excludedMutations: ["StringLiteral"] },
  ignorePatterns: ["dist", "coverage", "packages/*/{dist,docs,examples,schema}"],
  tempDirName: "coverage/mutants/sandboxes",
  concurrency: Math.max(1, availableParallelism() - 1),
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 30,
  incremental: true,
  incrementalFile: `${reports}/incremental.json`,
  reporters: ["clear-text", "progress-append-only", "html"],
  clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
  htmlReporter: { fileName: `${reports}/report.html` },
  thresholds: { high: 95, low: 85, break: 85 },
}).runMutationTest();
