/** A slice of invariants.nightly.test.ts, with a fixed seed. Needs a build. */
import { it } from "vitest";
import { chooseStories, tellsAllStories } from "../stories.js";
import { checkInvariants } from "./invariants.js";

const seed = Number(process.env["SEED"] ?? 100);

// Concurrently, because each of them mostly waits for its processes.
it.runIf(tellsAllStories).concurrent.each(chooseStories(["accept", "revert", "up", "later"] as const, 1))(
  `what a plan, a drift report and an accepted edit say is what happens: %s (seed ${seed})`,
  { timeout: 600_000 },
  async (settling) => void (await checkInvariants(seed, settling)),
);
