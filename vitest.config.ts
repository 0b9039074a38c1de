import { defineConfig } from "vitest/config";

const long = "test/**/*.long.test.ts";

export default defineConfig({
  test: {
    // Two cores: more forks only slow each other down.
    maxWorkers: 2,
    // They begin in the order of their names. `npm test` leaves the long ones out, `npm run test:all` does not.
    projects: [
      {
        extends: true,
        test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], exclude: [long] },
      },
      { extends: true, test: { name: "long", include: [long] } },
      {
        extends: true,
        // What many files import is loaded once for each fork.
        test: { name: "unit", include: ["test/**/*.test.ts"], exclude: [long, "test/e2e/**"], isolate: false },
      },
    ],
    // Against what hangs; speed is measured elsewhere.
    testTimeout: 120_000,
    hookTimeout: 180_000,
  },
});
