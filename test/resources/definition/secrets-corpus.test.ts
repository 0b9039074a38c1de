/** Tests with lines of a grammar that commands without a secret are not taken for one, and that planted ones are found. */
import { expect, it } from "vitest";
import { findSecrets } from "../../../provider/index.js";
import { buildPlainLine, buildPlantedLine, createRandom } from "./secrets-corpus.js";

/** All lines take some seconds. The slice is the same in each run. */
const all = process.env["STORIES"] === "all";
const seed = Number(process.env["SEED"] ?? 20261128);
const [plainLines, plantedLines] = all ? [20_000, 5_000] : [2_000, 1_000];

it(`takes at most one of 1,000 lines without a secret for one (seed ${seed})`, () => {
  const random = createRandom(seed);
  const lines = Array.from({ length: plainLines }, () => buildPlainLine(random));
  const taken = lines.filter((line) => findSecrets(line).length > 0);
  process.stdout.write(`taken for a secret: ${taken.length} of ${lines.length}, seed ${seed}\n`);
  expect(taken.slice(0, 20), `seed ${seed}`).toHaveLength(
    Math.min(taken.length, Math.floor(plainLines / 1_000)),
  );
});

it(`finds each planted secret, and hides it only (seed ${seed})`, () => {
  const random = createRandom(seed + 1);
  const lines = Array.from({ length: plantedLines }, () => buildPlantedLine(random));
  const missed = lines.filter(({ line, secret }) => {
    const at = line.indexOf(secret);
    return !findSecrets(line).some(
      ({ start, length }) =>
        start <= at && start + length >= at + secret.length && length <= secret.length + 4,
    );
  });
  process.stdout.write(`found: ${lines.length - missed.length} of ${lines.length}, seed ${seed + 1}\n`);
  expect(missed.slice(0, 20), `seed ${seed + 1}`).toEqual([]);
});
