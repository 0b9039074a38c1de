/** Runs a short selection of `npm run stress -- partial`. Needs a build. */
import { expect, it } from "vitest";
import { partialRun } from "../chaos/partial-run.js";
import { chooseStories } from "../stories.js";

it.each(chooseStories([100, 103, 107], 1))(
  "what a limited or failed run leaves is finished by the next up (seed %i)",
  { timeout: 600_000 },
  async (seed) => {
    expect(await partialRun(seed)).toMatchObject({ problems: [] });
  },
);
