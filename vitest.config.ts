/** The test projects: unit, long and nightly. */
import { defineConfig } from "vitest/config";

const long = "test/**/*.long.test.ts";
const nightly = "test/**/*.nightly.test.ts";
const e2e = "test/e2e/**/*.test.ts";

const common = {
  // Each fork loads once what many files import; so a test puts back what it changes in its process.
  isolate: false,
  // Against what hangs; speed is measured elsewhere.
  testTimeout: 600_000,
  hookTimeout: 600_000,
  expect: { poll: { timeout: 60_000 } },
};

export default defineConfig({
  test: {
    // Two cores: more forks only slow each other down.
    maxWorkers: 2,
    globalSetup: "test/temporary-folder.ts",
    // They begin in the order of their names. `npm test` omits the long ones, and only `npm test -- --nightly` runs the nightly ones.
    projects: [
      { test: { ...common, name: "e2e", include: [e2e], exclude: [long, nightly] } },
      { test: { ...common, name: "long", include: [long] } },
      { test: { ...common, name: "nightly", include: [nightly] } },
      { test: { ...common, name: "unit", include: ["test/**/*.test.ts"], exclude: [long, nightly, e2e] } },
    ],
  },
});
