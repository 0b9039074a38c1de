/**
 * Attacks from a pull request: hostile checkouts against the commands of a job whose environment and home are full of secrets. Nothing may be
 * leaked, sent to the attacker's address, started, or changed outside the checkout; and the commands do something there. `npm run stress -- attack` plays every attack with every command.
 */
import { expect, it } from "vitest";
import { everyPlay, onePlay, play, playHarmless, randomPlays, titled } from "./attack.js";
import { attacks } from "./checkouts.js";
import { commands } from "./commands.js";

const seed = Number(process.env["ATTACK_SEED"] ?? Math.floor(Date.now() / 1000));
const random = Number(process.env["ATTACKS"] ?? 60);

const plays =
  process.env["ATTACK"] === "all"
    ? [...everyPlay(), ...randomPlays(random, seed)]
    : attacks.map((attack, index) => onePlay(attack, seed + index));

it.each(plays.map(titled))(`$title (seed ${seed})`, async ({ parts, command, seed: own }) => {
  expect(await play(parts, command, own)).toEqual([]);
});

it("commands work on a checkout that nobody has attacked", async () => {
  const codes = await playHarmless();
  // A new workspace has no fleet file and no stack before `up`.
  expect(Object.keys(codes)).toEqual(Object.keys(commands));
  expect(Object.entries(codes).filter(([, code]) => code !== 0)).toEqual([]);
});
