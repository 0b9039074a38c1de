/** Compares the answers about one workspace without Pulumi's engine with its own. The nightly test takes many workspaces. */
import { expect, it } from "vitest";
import { compareAnswers } from "./unchanged.js";

const SEED = 12;
const LOOKS = 3;

it(`says of an unchanged workspace what the engine says (seed ${SEED})`, { timeout: 600_000 }, async () => {
  const looked = await compareAnswers(SEED, LOOKS);
  expect(looked.map(({ isShort }) => isShort)).toContain(true);
});
