/** Compares many answers without Pulumi's engine with its own. SEEDS is the number of workspaces (default 8), SEED repeats them. */
import { expect, it } from "vitest";
import { compareAnswers } from "./unchanged.js";

const LOOKS = 10;
const seed = Number(process.env["SEED"] ?? Math.floor(Math.random() * 1_000_000));
const seeds = Array.from({ length: Number(process.env["SEEDS"] ?? 8) }, (_, index) => seed + index);

it(
  `says of an unchanged workspace what the engine says (seed ${seed})`,
  { timeout: 36_000_000 },
  async () => {
    const looked = [];
    for (const one of seeds) looked.push(...(await compareAnswers(one, LOOKS)));
    const unchanged = looked.filter(({ events }) => events.length === 0);
    const short = unchanged.filter(({ isShort }) => isShort);
    const counts = [
      `${looked.length} looked at`,
      `${unchanged.length} unchanged`,
      `${short.length} of them without the engine`,
    ];
    process.stdout.write(`${counts.join(", ")}\n`);
    expect(short.length, "unchanged workspaces need no engine").toBeGreaterThan(0);
  },
);
