/** Whatever file there is, and whatever workspace: exported onto it, the file says what the workspace says. */
import { describe, expect, it } from "vitest";
import { patchedOnce, type Patched } from "./generated/patched.js";

const SEEDS = Array.from({ length: Number(process.env["SEEDS"] ?? 12) }, (_, index) => 500 + index);

describe("any workspace, exported onto the file of any other", () => {
  const ran: Patched[] = [];

  it.each(SEEDS)(
    "is said as a new file would say it, and once more changes no byte: seed %i",
    async (seed) => {
      const one = await patchedOnce(seed);
      ran.push(one);
      expect(one.problems).toEqual([]);
    },
  );

  it("was not left to the reader in most cases", () => {
    expect(ran.filter(({ code }) => code === 0 || code === 10).length).toBeGreaterThan(SEEDS.length / 2);
  });
});
