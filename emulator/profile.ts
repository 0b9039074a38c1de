/** Reads the settings of an emulator from its options and from a profile, or chooses those of a random service. */
import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { z } from "zod";
import type { EmulatorOptions } from "./options.js";
import { createSchema, defaultSettings, serviceSettings, type Settings } from "./settings.js";

/** Settings that describe a service. The others are about the emulator itself. */
export const behaviorSchema = createSchema(serviceSettings);

export type ServiceBehavior = z.output<typeof behaviorSchema>;

const profileSchema = z.looseObject({ version: z.literal(1), behavior: behaviorSchema });

/** Returns the settings in a profile. @throws Error that names the file when it is no profile */
function readBehavior(file: string): ServiceBehavior {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    const isParsing = error instanceof SyntaxError;
    throw new Error(`${file} cannot be read: ${isParsing ? "it is not JSON" : (error as Error).message}`, {
      cause: error,
    });
  }
  const parsed = profileSchema.safeParse(content);
  if (!parsed.success)
    throw new Error(`${file} is no profile of a service: ${z.prettifyError(parsed.error)}`);
  return parsed.data.behavior;
}

/** Returns the settings among the options and of the profile, with defaults. @throws Error when the profile cannot be read */
export function readSettings(options: EmulatorOptions): Settings {
  const own = Object.fromEntries(
    Object.keys(defaultSettings).map((name) => [name, options[name as keyof Settings]] as const),
  );
  const random = options.profileSeed === undefined ? {} : chooseBehavior(options.profileSeed);
  const measured = options.profile === undefined ? {} : readBehavior(options.profile);
  return completeSettings({ ...random, ...measured, ...omitUndefined(own) });
}

type ChosenSettings = { readonly [K in keyof Settings]?: Settings[K] | undefined };

/** Adds the defaults to the settings that were chosen. */
export function completeSettings(chosen: ChosenSettings): Settings {
  const settings = { ...defaultSettings, ...(omitUndefined(chosen) as Partial<Settings>) };
  if (chosen.listedActions === undefined) settings.listedActions = settings.embeddedActions;
  return settings;
}

/** Probability that a setting of a random service has another value than the default. */
const DIFFERENCE = 0.25;

/** Chooses a random service: returns the settings that differ from the defaults. The same seed returns the same ones. */
export function chooseBehavior(seed: number): ServiceBehavior {
  const next = createRandom(seed);
  const chosen = Object.entries(serviceSettings).flatMap(([name, { others }]) => {
    // Draws for each setting, so that a new setting leaves the draws of those before it.
    const [differs, which] = [next() < DIFFERENCE, next()];
    return differs && others.length > 0 ? [[name, others[Math.floor(which * others.length)]] as const] : [];
  });
  return behaviorSchema.parse(Object.fromEntries(chosen));
}

/** Lists the settings of a service that differ from the defaults. */
export function listDifferences(settings: Settings): ServiceBehavior {
  const differing = Object.entries(serviceSettings).flatMap(([name, { standard }]) => {
    const value = settings[name as keyof typeof serviceSettings];
    return isDeepStrictEqual(value, standard) ? [] : [[name, value] as const];
  });
  return Object.fromEntries(differing);
}

/** Returns a generator of numbers from 0 to 1 (mulberry32). */
function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function omitUndefined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
