/** Tests an export of any workspace to any existing file: afterwards the file matches the workspace. */
import { describe, expect, it } from "vitest";
import { type Patched, patchedOnce } from "./generated/patched.js";

const SEEDS = Array.from({ length: Number(process.env["SEEDS"] ?? 12) }, (_, index) => 500 + index);

describe("an export of any workspace to the file of another", () => {
  const ran: Patched[] = [];

  it.each(SEEDS)(
    "matches an export to a new file, and does not change on repetition: seed %i",
    async (seed) => {
      const one = await patchedOnce(seed);
      ran.push(one);
      expect(one.problems).toEqual([]);
    },
  );

  it("has succeeded in most cases", () => {
    expect(ran.filter(({ code }) => code === 0 || code === 10).length).toBeGreaterThan(SEEDS.length / 2);
  });
});
