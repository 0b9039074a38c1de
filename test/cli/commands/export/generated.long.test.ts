/**
 * What an export promises, of any workspace: imported, it leaves nothing to do and writes nothing; brought up in an empty second
 * workspace, it makes the same again. Many more, and larger ones: `npm run fuzz:export`.
 */
import { describe, expect, it } from "vitest";
import { runOnce, type Ran } from "./generated/run.js";

const SEEDS = Array.from({ length: 24 }, (_, index) => 100 + index);

describe("any workspace that the service may hold", () => {
  const ran: Ran[] = [];

  it.each(SEEDS)(
    "comes under code without a change, and can be made again elsewhere: seed %i",
    async (seed) => {
      const one = await runOnce(seed);
      ran.push(one);
      expect(one.problems).toEqual([]);
    },
  );

  it("has been one with much in it, more often than not", () => {
    const sum = (of: (one: Ran) => number) => ran.reduce((all, one) => all + of(one), 0);
    expect(sum(({ made }) => made)).toBeGreaterThan(400);
    expect(sum(({ refused }) => refused)).toBeLessThan(40);
    expect(sum(({ copied }) => (copied ? 1 : 0))).toBeGreaterThan(8);
  });
});
