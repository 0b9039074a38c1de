import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { guardCodes, guards } from "../../../../cli/policies/guards/index.js";

it("every guard has a code, and every code a guard", () => {
  expect(guards.map(({ code }) => code).toSorted()).toEqual([...guardCodes].toSorted());
});

it("every guard is described in docs/guards.md", () => {
  const page = readFileSync("docs/guards.md", "utf8");
  for (const { code } of guards) expect(page).toContain(`\`${code}\``);
});
