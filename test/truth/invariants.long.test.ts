/** A slice of invariants.nightly.test.ts, with a fixed seed. Needs a build. */
import { it } from "vitest";
import { checkInvariants } from "./invariants.js";

const seed = Number(process.env["SEED"] ?? 100);

it.each(["accept", "up"] as const)(
  `what a plan, a drift report and an accepted edit say is what happens: %s (seed ${seed})`,
  { timeout: 180_000 },
  async (settling) => void (await checkInvariants(seed, settling)),
);
