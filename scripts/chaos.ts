/**
 * Kills processes and injects faults while random workspaces are created: `npm run stress -- chaos --seed 7 --runs 30`. Every run has its own
 * seed. `--seed N --runs 1` repeats a run. With `--kills`, only runs with the journal next to the state are killed.
 */
import { parseArgs } from "node:util";
import { chaosRun } from "../test/chaos/run.js";

const { values } = parseArgs({
  options: { seed: { type: "string" }, runs: { type: "string", default: "10" }, kills: { type: "boolean" } },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const first = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const runs = Number(values.runs);
print(`${runs} runs from seed ${first}`);

let failed = 0;
for (let seed = first; seed < first + runs; seed++) {
  const began = Date.now();
  const { story, problems } = await chaosRun(seed, seed, values.kills);
  const seconds = ((Date.now() - began) / 1000).toFixed(0);
  print(`${problems.length === 0 ? "fine  " : "FAILED"} seed ${seed}: ${story} (${seconds} s)`);
  for (const problem of problems) print(`         ${problem.replaceAll("\n", "\n         ")}`);
  if (problems.length > 0) failed += 1;
}
print(`${runs - failed} of ${runs} fine. Repeat one with: npm run stress -- chaos --seed <seed> --runs 1`);
process.exitCode = failed === 0 ? 0 : 1;
