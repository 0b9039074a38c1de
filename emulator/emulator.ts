import type { Emulator } from "./handle.js";
import type { EmulatorOptions } from "./options.js";
import { RunningEmulator } from "./running.js";
import { defaultSeed } from "./default-seed.js";
import type { FullSeed } from "./seed-schema.js";

/**
 * Start the service on this machine.
 * @throws SeedError when the seed is not one; Error when the port or the data directory is in use.
 */
export async function startEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const seed = await seedOf(options.seed);
  const running = await RunningEmulator.open(options, seed);
  try {
    await running.listen();
  } catch (error) {
    await running.close();
    throw error;
  }
  return running;
}

async function seedOf(seed: EmulatorOptions["seed"]): Promise<FullSeed> {
  if (seed === undefined) return defaultSeed();
  // Loaded when needed: starting must be quick.
  const { checkSeed, readSeed } = await import("./seed-schema.js");
  return typeof seed === "string" ? readSeed(seed) : checkSeed(seed);
}
