/** Checks random programs with the kinds that no file can declare. SEEDS is their number (default 3), SEED repeats them. Needs a build. */
import { it } from "vitest";
import { checkProgram } from "./programs.js";

const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const seeds = Array.from({ length: Number(process.env["SEEDS"] ?? 3) }, (_, index) => seed + index);

it.each(seeds)("a preview of a program announces what up does: seed %i", { timeout: 600_000 }, checkProgram);
