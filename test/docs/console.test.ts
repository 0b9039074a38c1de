/** Checks that every console block of the pages is run by a test, or says why not: `<!-- not run: reason -->` in the line above it. */
import { existsSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { expect, it } from "vitest";
import { pages } from "../e2e/guide.js";

const root = resolve(import.meta.dirname, "../..");
const SEVERAL = "test/e2e/pages-of-several.long.test.ts";
const ownTest: Readonly<Record<string, string>> = {
  "before-you-trust-it": "test/e2e/before-you-trust-it.long.test.ts",
  "first-day": "test/e2e/first-day.long.test.ts",
  guards: "test/e2e/review-page.long.test.ts",
  compare: SEVERAL,
  fleet: SEVERAL,
  parts: SEVERAL,
  replicate: SEVERAL,
  "contributing/adding-a-resource": "test/docs/adding-a-resource.nightly.test.ts",
};
const blocks = globSync("docs/**/*.md", { cwd: root }).flatMap((file) => {
  const text = readFileSync(join(root, file), "utf8");
  const found = [...text.matchAll(/^(?:<!-- not run: (.*) -->\n)?```console\n(.*)/gm)];
  return found.map(([, reason, command]) => ({ page: file.slice("docs/".length, -3), reason, command }));
});

it("every console block is run, or has a reason", () => {
  const run = [...pages, ...Object.keys(ownTest)];
  expect(blocks.filter(({ page, reason }) => reason === undefined && !run.includes(page))).toEqual([]);
});

it("the tests that are named exist", () => {
  const named = blocks.flatMap(({ reason }) => reason?.match(/test\/\S+\.ts/g) ?? []);
  expect([...named, ...Object.values(ownTest)].filter((file) => !existsSync(join(root, file)))).toEqual([]);
});
