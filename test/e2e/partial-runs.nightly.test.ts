/** Tells many stories of limited and failed runs on files with new names. SEEDS is their number (default 12), SEED repeats them. Needs a build. */
import { expect, it } from "vitest";
import { partialRun } from "../chaos/partial-run.js";

const first = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const seeds = Array.from({ length: Number(process.env["SEEDS"] ?? 12) }, (_, index) => first + index);

it.each(seeds)(
  "what a limited or failed run leaves is finished by the next up (seed %i)",
  { timeout: 900_000 },
  async (seed) => {
    const { story, problems } = await partialRun(seed);
    expect(problems, story).toEqual([]);
  },
);
