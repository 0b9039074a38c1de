/** A part of the attacks of attack.long.test.ts, which changes from run to run; and proof that the commands do something there. */
import { expect, it } from "vitest";
import { onePlay, play, playHarmless, titled } from "./attack.js";
import { attacks } from "./checkouts.js";
import { commands } from "./commands.js";

const seed = Number(process.env["ATTACK_SEED"] ?? Math.floor(Date.now() / 1000));
const PART = 6;
const begin = seed % attacks.length;
const part = [...attacks, ...attacks].slice(begin, begin + PART);

it.each(part.map((attack, index) => titled(onePlay(attack, seed + index))))(
  `$title (seed ${seed})`,
  async ({ parts, command, seed: own }) => {
    expect(await play(parts, command, own)).toEqual([]);
  },
);

it("commands work on a checkout that nobody has attacked", async () => {
  const codes = await playHarmless();
  // A new workspace has no fleet file and no stack before `up`.
  expect(Object.keys(codes)).toEqual(Object.keys(commands));
  expect(Object.entries(codes).filter(([, code]) => code !== 0)).toEqual([]);
});
