/**
 * Tests that two runs on one stack write what their plans contain, and nothing else, whatever the commands are and whenever they meet:
 * `SEED=7 MOMENTS=200 npm run stress -- interleave`. PLACES names the stores of the state: folder, S3, and those of other-stores.ts. WITHOUT omits
 * commands, such as "up --program", which takes as long as all others.
 */
import { stripVTControlCharacters as stripAnsi } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { isSameJson } from "../../diff/values.js";
import { engines } from "../../provider/index.js";
import { type Act, commands, type Outcome, World } from "./interleaved-world.js";
import { otherStores } from "./other-stores.js";
import { hasPseudoTerminal } from "./terminal.js";

const SEED = Number(process.env["SEED"] ?? 2026);
const MOMENTS = Number(process.env["MOMENTS"] ?? 30);
const PLACES = process.env["PLACES"]?.split(",") ?? ["folder", "S3", ...Object.keys(otherStores())];

const LEFT_OUT = process.env["WITHOUT"]?.split(",") ?? [];

const possible = commands.filter(
  (name) => !LEFT_OUT.includes(name) && (name !== "up with a prompt" || hasPseudoTerminal),
);

/** Groups without which a command would do nothing. */
const NEEDED: Partial<Record<Act["command"], readonly string[]>> = {
  // The loss of a group has another question.
  "up with a prompt": ["A", "B"],
  "drift revert": ["A"],
  import: ["A", "B", "E"],
  adopt: ["A", "B", "E"],
};

const act: fc.Arbitrary<Act> = fc
  .record({
    command: fc.constantFrom(...possible),
    engine: fc.constantFrom(...engines),
    groups: fc.subarray(["A", "B", "C", "D"], { minLength: 1 }),
  })
  .map((one) => ({ ...one, groups: [...new Set([...(NEEDED[one.command] ?? []), ...one.groups])] }));

/** The two runs have the same engine, since it is part of the names in the state. */
const pair = fc
  .tuple(act, act)
  .map(([first, second]): [Act, Act] => [first, { ...second, engine: first.engine }]);

/** The operations of a plan by the method of their requests, as a run shows it: `Plan: 1 to create, 0 to update, 2 to delete`. */
function countPlanned({ stdout, stderr }: Outcome): Record<string, number> {
  const text = stripAnsi(stdout + stderr);
  const line = /Plan: [^\n]*/.exec(text)?.[0] ?? "";
  const count = (word: string) => Number(new RegExp(`(\\d+) to ${word}`).exec(line)?.[1] ?? 0);
  return { POST: count("create"), PATCH: count("update"), DELETE: count("delete") };
}

function countWritten({ writes }: Outcome): Record<string, number> {
  const count = (wanted: string) => writes.filter(({ method }) => method === wanted).length;
  return { POST: count("POST"), PATCH: count("PATCH"), DELETE: count("DELETE") };
}

const READING = ["refresh", "import", "adopt"];

/** What a run did, and what is wrong about it. */
function judge({ command }: Act, outcome: Outcome): readonly [word: string, problem?: string] {
  const { code, stdout, stderr, writes } = outcome;
  const said = `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
  const problem = (what: string) =>
    [what, `${command}: ${what}\n${said}\n${JSON.stringify(writes)}`] as const;
  if (writes.length === 0) {
    if (/has changed since the plan/.test(said)) return ["changed"];
    if (code !== 0)
      return [/another update|is locked|in progress/i.test(said) ? "locked" : `refused (${code})`];
    return ["wrote nothing"];
  }
  if (READING.includes(command)) return problem("has written");
  if (code !== 0) return problem(`has written, and ended with ${code}`);
  const [planned, written] = [countPlanned(outcome), countWritten(outcome)];
  return isSameJson(planned, written)
    ? ["applied"]
    : problem(`has planned ${JSON.stringify(planned)}, and written ${JSON.stringify(written)}`);
}

it(
  `two runs write what their plans contain, at ${MOMENTS} moments (SEED=${SEED})`,
  async () => {
    const worlds = new Map<string, Promise<World>>();
    const open = (place: string, engine: Act["engine"]) => {
      const key = `${place} ${engine}`;
      if (!worlds.has(key)) worlds.set(key, World.open(place, engine));
      return worlds.get(key)!;
    };
    const tally = new Map<string, number>();
    const place = fc.constantFrom(...PLACES);
    const delay = fc.noBias(fc.nat(120)).map((percent) => percent / 100);
    let moment = 0;
    await fc.assert(
      fc.asyncProperty(pair, place, delay, async (acts, where, share) => {
        const world = await open(where, acts[0].engine);
        const outcomes = await world.perform(acts, share);
        const judged = outcomes.map((one, index) => judge(acts[index]!, one));
        const words = judged.map(([word]) => word);
        const line = `${(moment += 1)}. ${where}, ${acts[0].engine}, ${share.toFixed(2)}: ${acts
          .map(({ command, groups }, index) => `${command} (${groups.join("")}): ${words[index]}`)
          .join(" | ")}\n`;
        process.stdout.write(line);
        for (const word of words) tally.set(word, (tally.get(word) ?? 0) + 1);
        const problems = judged.flatMap(([, problem]) => problem ?? []);
        expect(problems.join("\n"), line).toBe("");
        const names = await world.names();
        expect(names, "no twins").toEqual([...new Set(names)]);
      }),
      { seed: SEED, numRuns: MOMENTS, endOnFailure: true },
    );
    process.stdout.write(`${JSON.stringify(Object.fromEntries(tally))}\n`);
    // Otherwise the moments would prove nothing.
    if (MOMENTS >= 30) expect(tally.get("changed") ?? 0).toBeGreaterThan(0);
  },
  MOMENTS * 120_000 + 600_000,
);
