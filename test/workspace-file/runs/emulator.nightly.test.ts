/** Compares what files are said to run with what the emulator runs, for random files. */
import { it } from "vitest";
import { countCases } from "../../stories.js";
import { checkAgainstEmulator } from "./against-emulator.js";

it("runs in the emulator what any file is said to run", { timeout: 600_000 }, async () => {
  await checkAgainstEmulator({ numRuns: Number(process.env["RUNS"] ?? countCases(200, 50)) });
});
