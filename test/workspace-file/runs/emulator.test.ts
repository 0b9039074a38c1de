/** Compares what a file is said to run with what the emulator runs. */
import { it } from "vitest";
import { checkAgainstEmulator } from "./against-emulator.js";

it("runs in the emulator what the file is said to run", async () => {
  await checkAgainstEmulator({ numRuns: 12, seed: 1, endOnFailure: true });
});
