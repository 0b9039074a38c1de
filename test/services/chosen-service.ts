/** A random service to which the provider can adapt once it knows its profile, for stories in which nothing may be refused. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { behaviorSchema, type MeasuredBehavior } from "../../assumptions/behavior.js";
import type { Profile } from "../../assumptions/profile.js";
import { chooseBehavior, type Emulator, type ServiceBehavior, type Settings } from "../../emulator/index.js";

/** What leaves something open or undone even with a profile: the provider refuses it, or says that it cannot know. */
const REFUSED = ["movableActions", "cronUpdates", "singleActionPaths"] as const;

/**
 * Returns the settings that differ from the defaults. Every third seed chooses the strict service.
 * @param except settings of which the story needs the default
 */
export function chooseService(
  seed: number,
  except: readonly (keyof ServiceBehavior)[] = [],
): Partial<Settings> {
  if (seed % 3 === 0) return {};
  const chosen = chooseBehavior(seed);
  const isKept = ([name, value]: [string, unknown]) => {
    if ([...REFUSED, ...except].some((one) => one === name)) return false;
    // Access is denied to what was deleted: nobody can tell this from an object that is hidden.
    if (name === "missingStatus") return value !== 403;
    // A list of several pages that has another order each time has no provable end.
    if (name === "listOrder") return value !== "changing" || chosen.maxPerPage === undefined;
    return true;
  };
  return Object.fromEntries(Object.entries(chosen).filter(isKept));
}

/** Returns what a probe would measure. */
export function pickMeasured({ settings }: Emulator): MeasuredBehavior {
  const names = Object.keys(behaviorSchema.shape) as (keyof typeof settings)[];
  return Object.fromEntries(names.map((name) => [name, settings[name]]));
}

/** Writes the profile of an emulator, and returns the variable that names it. */
export function useProfile(emulator: Emulator, folder: string): NodeJS.ProcessEnv {
  const profile = {
    ...{ version: 1, service: emulator.baseUrl, measuredAt: "2026-01-01T00:00:00Z", wrote: true },
    ...{ behavior: pickMeasured(emulator), assumptions: {} },
  } satisfies Profile;
  const file = join(folder, "service.profile.json");
  writeFileSync(file, JSON.stringify(profile));
  return { WORKSPACE_AUTOMATION_PROFILE: file };
}

/** A service that shows everything, in one order, and at once. */
const PLAIN: ServiceBehavior = {
  ...{ echoMemberEmail: true, embeddedActions: "full", listedActions: "full", singleActionPaths: true },
  ...{ maxPerPage: 100, largePages: "reduced", undocumentedPages: "requested", pageShift: "none" },
  ...{ listOrder: "oldest", lagRequests: 0, lagMs: 0, missingStatus: 404 },
};

/** Reads an emulator as if it showed everything, in one order, and at once. */
export async function readPlainly<T>(emulator: Emulator, read: () => Promise<T>): Promise<T> {
  const { settings } = emulator;
  const usual = { ...settings };
  Object.assign(settings, PLAIN);
  try {
    return await read();
  } finally {
    Object.assign(settings, usual);
  }
}

/** Lets reads catch up with writes, as they have when somebody starts another command. */
export async function catchUp(emulator: Emulator): Promise<void> {
  if (emulator.settings.lagRequests === 0) return;
  await readPlainly(emulator, () => emulator.edit({ method: "GET", path: "/user" }));
}
