/** Compares previews of random programs with what up does, with both engines. SEEDS is their number (default 3), SEED repeats them. Needs a build. */
import { expect, it } from "vitest";
import { engines } from "../../provider/index.js";
import { checkReferences } from "./references.js";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const seeds = Array.from({ length: Number(process.env["SEEDS"] ?? 3) }, (_, index) => seed + index);
/** Outputs that a changed argument may change, and which show only afterwards whether it did. */
const mayChange = /\.(htmlUrl|httpRepository|sshRepository|size)$/;

it.each(seeds.flatMap((one) => engines.map((engine) => [one, engine] as const)))(
  "a preview announces the steps of up: seed %i, %s",
  { timeout: 600_000 },
  async (one, engine) => {
    const { needless, outputs } = await checkReferences(one, engine, (one % 2) + 1);
    expect(outputs.size, "outputs that objects refer to").toBeGreaterThan(90);
    // Pulumi's own host of dynamic providers previews no outputs of an update.
    if (engine === "plugin")
      expect(needless.filter((refersTo) => !refersTo.some((output) => mayChange.test(output)))).toEqual([]);
  },
);
