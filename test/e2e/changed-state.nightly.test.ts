/** Tests that two runs on one stack, interleaved at random moments, write what their plans contain, and nothing else. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import { setUp, workspacectl, type Ended } from "./support.js";

const SEED = Number(process.env["SEED"] ?? 2026);
const MOMENTS = Number(process.env["MOMENTS"] ?? 200);
/** The longest time by which the second run begins later, which is about as long as a run takes. */
const LONGEST_MS = 4000;

const withGroups = (names: readonly string[]) =>
  `version: 1\nworkspace: acme\ngroups:\n${names.map((name) => `  ${name}: { description: x }\n`).join("")}`;

const groups = fc.uniqueArray(fc.constantFrom("A", "B", "C", "D"), { minLength: 1 });
const command = fc.oneof(
  groups.map((names) => ({ names, argv: ["up", "--yes", "--json", "--allow-delete", "**"] })),
  groups.map((names) => ({ names, argv: ["destroy", "--yes", "--json", "--allow-delete", "**"] })),
  groups.map((names) => ({ names, argv: ["refresh", "--json"] })),
);

interface Report {
  readonly plan?: { readonly steps: readonly object[] };
  readonly done?: { readonly steps: readonly object[] };
}

/** How many objects a run has changed, which is one request for each group; as many as its plan says. */
function countDone({ code, stdout, stderr }: Ended): number {
  if (code !== 0) {
    expect(stderr + stdout).toMatch(/has changed since the plan|another update of this stack|another run/i);
    return 0;
  }
  const { plan, done } = JSON.parse(stdout) as Report;
  if (done === undefined) return 0;
  const list = (steps: readonly object[]) =>
    steps.map((one) => JSON.stringify(one, ["operation", "name"])).toSorted();
  expect(list(done.steps)).toEqual(list(plan?.steps ?? []));
  return done.steps.length;
}

it(
  `writes nothing outside of the plans of two runs, at ${MOMENTS} moments (SEED=${SEED})`,
  async () => {
    const { folder, file, env, emulator, run } = await setUp(withGroups(["A", "B"]));
    const other = join(folder, "other.yaml");
    await fc.assert(
      fc.asyncProperty(command, command, fc.nat(LONGEST_MS), async (first, second, delay) => {
        writeFileSync(file, withGroups(["A", "B"]));
        expect((await run("up", "--yes", "--create-stack", "--allow-delete", "**")).code).toBe(0);
        writeFileSync(file, withGroups(first.names));
        writeFileSync(other, withGroups(second.names));
        emulator.journal.clear();
        const ended = await Promise.all([
          run(...first.argv),
          sleep(delay).then(() => workspacectl([...second.argv, "-f", other], folder, env)),
        ]);
        const done = ended.map(countDone);
        expect(emulator.journal.writes()).toHaveLength((done[0] ?? 0) + (done[1] ?? 0));
      }),
      { seed: SEED, numRuns: MOMENTS, endOnFailure: true },
    );
  },
  MOMENTS * 120_000,
);
