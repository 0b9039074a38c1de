/** Tests workspaces with arbitrary texts: two that were created alike are equal, and each equals its export. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { CompareReport } from "../../../../automation/compare/compare-report.js";
import type { Emulator } from "../../../../emulator/index.js";
import { Person } from "../../service-support.js";
import { fileIn, temporaryFolder } from "../../support.js";
import { make } from "../export/generated/make.js";
import { generated, withEmulator } from "../export/generated/run.js";
import { words } from "./support.js";

const folder = temporaryFolder();
const first = Number(process.env["COMPARE_SEED"] ?? 300);
const seeds = Array.from({ length: Number(process.env["COMPARE_RUNS"] ?? 6) }, (_, index) => first + index);

const variables = (name: string, { baseUrl, token, workspace }: Emulator) => ({
  [`WORKSPACE_AUTOMATION_${name}_BASE_URL`]: baseUrl,
  [`WORKSPACE_AUTOMATION_${name}_TOKEN`]: token,
  [`WORKSPACE_AUTOMATION_${name}_DOMAIN`]: workspace,
});

async function found(person: Person, left: string, right: string): Promise<string[]> {
  const { stdout, stderr } = await person.types(["compare", left, right, "--json"]);
  expect(stdout, stderr).not.toBe("");
  const { findings } = JSON.parse(stdout) as CompareReport;
  return findings.filter((one) => one.class !== "unverifiable").map(words);
}

describe("any workspace of the service", () => {
  it.each(seeds)("equals a second one that was created alike, and its export: seed %i", async (seed) => {
    const [one] = fc.sample(generated(), { numRuns: 1, seed });
    const { raw, settings } = one!;
    await withEmulator(settings, (us) =>
      withEmulator(settings, async (eu) => {
        await shiftNumbers(eu);
        const made = await make(us, raw);
        expect((await make(eu, raw)).count).toBe(made.count);
        for (const { journal } of [us, eu]) journal.clear();
        const person = new Person({ ...variables("US", us), ...variables("EU", eu) });
        expect(await found(person, "us", "eu")).toEqual([]);

        const { code, stdout } = await person.types(["export", "-c", "us"]);
        const file = fileIn(folder, "exported.yaml", stdout);
        // An export omits what a file cannot represent, and reports it. The file has nothing there.
        const said = (line: string) => code === 0 || !/^added |: - /.test(line);
        expect((await found(person, file, "us")).filter(said)).toEqual([]);
        for (const { journal } of [us, eu]) expect(journal.writes()).toEqual([]);
      }),
    );
  });
});

/** Gives every object a different number than in the other workspace. */
async function shiftNumbers(emulator: Emulator): Promise<void> {
  const path = `/workspaces/${emulator.workspace}/groups`;
  for (let times = 0; times < 7; times += 1) {
    const { body } = await emulator.edit({ method: "POST", path, body: { name: "gone" } });
    await emulator.edit({ method: "DELETE", path: `${path}/${(body as { id: number }).id}` });
  }
}
