/** Holds the number of npm scripts: what has variants is one script with a name (scripts/run.mjs). */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("there are at most 18 npm scripts", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  expect(Object.keys(scripts).length).toBeLessThanOrEqual(18);
});
