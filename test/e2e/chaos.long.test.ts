/** Runs a short selection of `npm run stress -- chaos`. Needs a build. */
import { describe, expect, it } from "vitest";
import { chaosRun } from "../chaos/run.js";
import { chooseStories } from "../stories.js";

describe("after a crash, the next up", () => {
  const runs = [
    { seed: 2, index: 0 },
    { seed: 12, index: 1 },
  ];
  it.each(chooseStories(runs, 1))(
    "makes the workspace match the file without duplicates or orphans (seed $seed)",
    { timeout: 600_000 },
    async ({ seed, index }) => {
      expect(await chaosRun(seed, index)).toMatchObject({ problems: [] });
    },
  );
});
