/** Git starts nothing that a checkout, a clone or a variable names. `npm run stress -- attack` plays every setting in every place. */
import { expect, it } from "vitest";
import { gitPlays, runPlainGit } from "./git-plays.js";
import { choosePlays, listWrongs, seed } from "./play-some.js";

const plays = [...gitPlays()];

it("would start them without us", () => {
  expect(runPlainGit()).toHaveLength(1);
});

it(`starts none (seed ${seed})`, async () => {
  expect(plays.length).toBeGreaterThan(240);
  expect(await listWrongs(choosePlays(plays, 10))).toEqual({});
});
