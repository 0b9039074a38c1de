/** Git starts nothing that a checkout, a clone or a variable names. `npm run stress -- attack` plays every setting in every place. */
import { expect, it } from "vitest";
import { randomOf } from "../../chaos/random.js";
import { gitPlays, runPlainGit } from "./git-plays.js";
import { judge } from "./judge.js";

const seed = Number(process.env["ATTACK_SEED"] ?? Math.floor(Date.now() / 1000));
const plays = [...gitPlays()];
const chosen = process.env["ATTACK"] === "all" ? plays : randomOf(seed).shuffled(plays).slice(0, 10);

it("would start them without us", () => {
  expect(runPlainGit()).toHaveLength(1);
});

it(`starts none (seed ${seed})`, async () => {
  expect(plays.length).toBeGreaterThan(240);
  const wrong: Record<string, readonly string[]> = {};
  for (const play of chosen) {
    const wrongs = await judge(play);
    if (wrongs.length > 0) wrong[play.title] = wrongs;
  }
  expect(wrong).toEqual({});
});
