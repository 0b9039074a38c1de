/**
 * Tests the guarantees of an export for any workspace: imported, it leaves nothing to do and writes nothing. Applied to
 * an empty second workspace, it creates an equal one. `npm run fuzz -- export` tests more and larger workspaces.
 */
import { describe, expect, it } from "vitest";
import { type Ran, runOnce } from "./generated/run.js";

const SEEDS = Array.from({ length: 24 }, (_, index) => 100 + index);

describe("any workspace of the service", () => {
  const ran: Ran[] = [];

  it.each(SEEDS)("can be imported without a change, and recreated elsewhere: seed %i", async (seed) => {
    const one = await runOnce(seed);
    ran.push(one);
    expect(one.problems).toEqual([]);
  });

  it("contains many objects in most cases", () => {
    const sum = (of: (one: Ran) => number) => ran.reduce((all, one) => all + of(one), 0);
    expect(sum(({ made }) => made)).toBeGreaterThan(400);
    expect(sum(({ refused }) => refused)).toBeLessThan(40);
    expect(sum(({ copied }) => (copied ? 1 : 0))).toBeGreaterThan(8);
  });
});
