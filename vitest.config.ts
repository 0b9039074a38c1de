import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Against what hangs; speed is measured elsewhere.
    testTimeout: 120_000,
    hookTimeout: 180_000,
    // Two cores: more forks only slow each other down.
    maxWorkers: 2,
  },
});
