/** Services with random behavior: a probe recovers it, and the provider passes all lifecycle tests with this profile, but not without. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assumedBehavior } from "../../assumptions/behavior.js";
import type { Profile } from "../../assumptions/profile.js";
import { isSameJson } from "../../diff/values.js";
import { type EmulatorOptions, startEmulator } from "../../emulator/index.js";
import { probeSeed } from "../cli/commands/probe-seed.js";
import { Person } from "../cli/service-support.js";
import { temporaryFolder } from "../cli/support.js";
import { Engine } from "./engine.js";
import { describeLifecycle } from "./lifecycle.js";
import { exampleSeed } from "./prerequisites.js";

const SEED = Number(process.env["PROFILE_SEED"] ?? 33);
const RUNS = Number(process.env["PROFILE_RUNS"] ?? 4);

/** Behaviors to which the provider can adapt. Where it cannot, it refuses (test/provider/crud). */
const adaptable = fc
  .record({
    maxPerPage: fc.integer({ min: 3, max: 60 }),
    largePages: fc.constantFrom("reduced" as const, "refused" as const),
    missingStatus: fc.constantFrom(404 as const, 400 as const),
    embeddedActions: fc.constantFrom("full" as const, "summary" as const),
    listedActions: fc.constantFrom("full" as const, "summary" as const),
    embeddedActionStatusField: fc.constantFrom("status" as const, "last_execution_status" as const),
    echoMemberEmail: fc.boolean(),
    encryptedValues: fc.constantFrom("stable" as const, "changing" as const),
    clearedBy: fc.constantFrom("null" as const, "empty" as const),
    showSchedule: fc.boolean(),
  })
  .filter(
    ({ largePages, missingStatus, encryptedValues, clearedBy }) =>
      largePages === "refused" ||
      missingStatus === 400 ||
      encryptedValues === "changing" ||
      clearedBy === "empty",
  );

async function probe(actual: EmulatorOptions): Promise<Profile["behavior"]> {
  const emulator = await startEmulator({ seed: probeSeed, ...actual });
  const { baseUrl, token, workspace } = emulator;
  const folder = temporaryFolder();
  const file = join(folder, "profile.json");
  const person = new Person({
    WORKSPACE_AUTOMATION_BASE_URL: baseUrl,
    WORKSPACE_AUTOMATION_TOKEN: token,
    WORKSPACE_AUTOMATION_DOMAIN: workspace,
    WORKSPACE_AUTOMATION_JOURNAL: folder,
  });
  await person.types(["probe", "--write", "--project", "scratch", "--save-profile", file]);
  await emulator.close();
  return (JSON.parse(readFileSync(file, "utf8")) as Profile).behavior;
}

/** What every provider has to be able to do: recognize a deletion, clear a text, read a secret back. */
async function works(engine: Engine): Promise<boolean> {
  try {
    const secret = await engine.create("Variable", { key: "SECRET", value: "v", encrypted: true });
    const refreshed = await engine.refresh(secret);
    const isStable = isSameJson(refreshed?.outs, secret.outs);
    const group = await engine.create("Group", { name: "QA", description: "text" });
    const cleared = await engine.up(group, { name: "QA", description: "" });
    const isCleared = ((await engine.refresh(cleared))?.outs["description"] ?? "") === "";
    await engine.delete(cleared);
    return isStable && isCleared && (await engine.refresh(cleared)) === undefined;
  } catch {
    return false;
  }
}

const samples = fc.sample(adaptable, { numRuns: RUNS, seed: SEED });
const profiles = await Promise.all(samples.map(probe));

describe.each(samples.map((actual, index) => ({ actual, measured: profiles[index] })))(
  `a random service (PROFILE_SEED=${SEED}) %#`,
  ({ actual, measured = {} }) => {
    it("is recovered, as far as it can be seen", () => {
      expect({ ...assumedBehavior, ...actual }).toMatchObject(measured);
    });

    it("takes the profile", async () => {
      for (const [behavior, expected] of [[undefined, false] as const, [measured, true] as const]) {
        const emulator = await startEmulator({ seed: exampleSeed, ...actual });
        const { baseUrl, token, workspace } = emulator;
        expect(await works(new Engine(baseUrl, token, workspace, "dynamic", behavior))).toBe(expected);
        await emulator.close();
      }
    });
  },
);

describeLifecycle(
  samples.map((options, index) => ({
    adapter: "dynamic",
    name: `random service ${index} of PROFILE_SEED=${SEED}, ${JSON.stringify(options)}`,
    options,
    behavior: profiles[index],
  })),
);
