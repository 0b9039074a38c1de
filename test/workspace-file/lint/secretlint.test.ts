/** Tests workspace-file/lint/secretlint.ts. */
import { performance } from "node:perf_hooks";
import { expect, it } from "vitest";
import { findKnownSecrets } from "../../../workspace-file/lint/secretlint.js";

it("finds a secret by its format, without performance marks that would slow it down", async () => {
  // Other test files in this process use secretlint with its marks.
  performance.clearMarks();
  const secret = "https://deploy:kf8Hq2mX1c@git.example.org/shop.git";
  const found = await findKnownSecrets(`a: 1\nb: ${secret}\n`, "workspace.yaml");
  expect(found.map(({ range }) => range[0] >= 8)).toEqual([true]);
  expect(performance.getEntriesByType("mark").filter(({ name }) => name.includes("lint"))).toEqual([]);
});
