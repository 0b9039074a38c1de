/** Reads the settings of an emulator from its options and from a profile. */
import { readFileSync } from "node:fs";
import { z } from "zod";
import { defaultSettings, settingsSchema, type EmulatorOptions, type Settings } from "./options.js";

/** Settings that describe a service. The others are about the emulator itself. */
export const behaviorSchema = settingsSchema.omit({ latencyMs: true, actionSeconds: true }).partial();

const profileSchema = z.looseObject({ version: z.literal(1), behavior: behaviorSchema });

/** Returns the settings in a profile. @throws Error that names the file when it is no profile */
function readBehavior(file: string): z.output<typeof behaviorSchema> {
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
  const measured = options.profile === undefined ? {} : readBehavior(options.profile);
  const chosen = Object.entries({ ...measured, ...omitUndefined(own) });
  const settings = { ...defaultSettings, ...(Object.fromEntries(chosen) as Partial<Settings>) };
  if (!chosen.some(([name]) => name === "listedActions")) settings.listedActions = settings.embeddedActions;
  return settings;
}

function omitUndefined(values: object): object {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
