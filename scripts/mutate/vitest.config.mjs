// How Stryker runs the tests of a folder (scripts/mutate.ts): one project, whose files an environment variable names.
import { defineConfig } from "vitest/config";
import { warmThread } from "./warm-thread.mjs";

export default defineConfig({
  plugins: [warmThread()],
  test: {
    include: process.env.MUTATE_TESTS.split(","),
    exclude: ["test/**/*.{long,nightly}.test.ts"],
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
