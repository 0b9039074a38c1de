/** Tests that each guard has a code and a description. */
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { guardCodes, guards } from "../../../../cli/policies/guards/evaluate.js";

it("each guard has a code, and each code has a guard", () => {
  expect(guards.map(({ code }) => code).toSorted()).toEqual([...guardCodes].toSorted());
});

it("each guard is described in docs/guards.md", () => {
  const page = readFileSync("docs/guards.md", "utf8");
  for (const { code } of guards) expect(page).toContain(`\`${code}\``);
});
