/** Checks the invariants of many random workspaces. SEEDS is their number (default 12), SEED repeats them. Needs a build. */
import { describe, it } from "vitest";
import { checkInvariants } from "./invariants.js";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const seeds = Array.from({ length: Number(process.env["SEEDS"] ?? 12) }, (_, index) => seed + index);

describe.each(["accept", "revert", "up", "later"] as const)(`invariants of %s (seed ${seed})`, (settling) => {
  it.each(seeds)("seed %i", { timeout: 900_000 }, async (one) => void (await checkInvariants(one, settling)));
});
