import { describe, expect, it } from "vitest";
import {
  reserveOf,
  sufficiency,
  type Budget,
  printBudget,
  shortage,
  waitUntil,
} from "../../../cli/policies/request-budget.js";
import { testIo } from "../support.js";

const resetAt = new Date("2026-03-04T13:00:00Z");

function budget(requests: number, remaining: number, percent = 20): Budget {
  const left = { limit: 5000, remaining, resetAt };
  const needed = { reads: 1, writes: requests - 1 };
  return { made: { reads: 20, writes: 0 }, needed, left, reserve: reserveOf(left, percent) };
}

describe("the hourly request budget", () => {
  it("is sufficient when a plan leaves a fifth of the requests to others", () => {
    expect(sufficiency(budget(100, 1100))).toBe("enough");
    expect(sufficiency(budget(101, 1100))).toBe("short");
    expect(sufficiency(budget(101, 1100, 0))).toBe("enough");
  });

  it("is never sufficient for a plan that needs more than a whole hour's requests", () => {
    expect(sufficiency(budget(4001, 5000))).toBe("too-much");
    expect(shortage(budget(4001, 5000)).message).toContain("Not even a whole hour's requests suffice");
  });

  it("does not matter if there is nothing to send or the service reports no limit", () => {
    expect(sufficiency({ ...budget(1, 0), needed: { reads: 0, writes: 0 } })).toBe("enough");
    const { left: _, ...silent } = budget(9000, 0);
    expect(sufficiency(silent)).toBe("enough");
    const { io, written } = testIo();
    printBudget(silent, io);
    expect(written().stdout).toContain("the service does not say how many are left");
  });

  it("is reported with the remaining requests, the reset time and a remedy", () => {
    expect(shortage(budget(300, 1200)).message).toBe(
      "refused, nothing was changed: this takes about 300 requests, and 1200 of 5000 are left until " +
        "2026-03-04T13:00:00.000Z, of which 1000 are reserved. Run it again after that, add --wait to wait for it, " +
        "or set --reserve lower",
    );
  });

  it("is waited for until its reset, with a message if there is no terminal", async () => {
    const { io, written } = testIo();
    await waitUntil(new Date(Date.now() + 20), "This hour's requests do not suffice", io);
    expect(written().stderr).toMatch(
      /^This hour's requests do not suffice: waiting 0:01, until \d\d:\d\d:\d\d\n$/,
    );
  });
});
