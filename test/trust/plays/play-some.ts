/** Plays what chance picks, or everything in `npm run stress -- attack`. */
import { randomOf } from "../../chaos/random.js";
import { judge, type Play } from "./judge.js";

/** In the titles of tests, so that a failure can be repeated. */
export const seed = Number(process.env["ATTACK_SEED"] ?? Math.floor(Date.now() / 1000));

/** @param count how many, unless all are played */
export function choosePlays(plays: readonly Play[], count: number): readonly Play[] {
  return process.env["ATTACK"] === "all" ? plays : randomOf(seed).shuffled(plays).slice(0, count);
}

/** @returns what each play has done that it must not, by its title */
export async function listWrongs(plays: Iterable<Play>): Promise<Record<string, readonly string[]>> {
  const wrong: Record<string, readonly string[]> = {};
  for (const play of plays) {
    const wrongs = await judge(play);
    if (wrongs.length > 0) wrong[play.title] = wrongs;
  }
  return wrong;
}
