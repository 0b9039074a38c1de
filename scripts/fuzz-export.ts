/**
 * Exports, imports and copies generated workspaces of every kind and size, with unusual content:
 * `npm run fuzz -- export --seed 7 --seconds 600`. Every run has its own seed. `--seed N --runs 1` repeats a run.
 */
import { parseArgs } from "node:util";
import { runOnce } from "../test/cli/commands/export/generated/run.js";

const { values } = parseArgs({
  options: {
    seed: { type: "string" },
    runs: { type: "string" },
    seconds: { type: "string", default: "60" },
    failures: { type: "string", default: "5" },
  },
});
const print = (line: string) => process.stdout.write(`${line}\n`);
const first = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
const until = values.runs === undefined ? Date.now() + Number(values.seconds) * 1000 : Infinity;
const last = values.runs === undefined ? Infinity : first + Number(values.runs);
print(`from seed ${first}`);

let [failed, done, objects, copies, refusals] = [0, 0, 0, 0, 0];
for (let seed = first; seed < last && Date.now() < until && failed < Number(values.failures); seed += 1) {
  const { made, refused, copied, problems } = await runOnce(seed).catch((error: unknown) => {
    const thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { made: 0, refused: 0, copied: false, problems: [`thrown: ${thrown}`] };
  });
  done += 1;
  objects += made;
  refusals += refused;
  if (copied) copies += 1;
  if (problems.length === 0) continue;
  failed += 1;
  print(`FAILED seed ${seed} (${made} objects)`);
  for (const problem of problems.slice(0, 12)) print(`  ${problem.slice(0, 1500)}`);
}
print(
  `${done - failed} of ${done} workspaces fine: ${objects} objects (${refusals} more were refused by the service), ${copies} copies`,
);
print("Repeat one with: npm run fuzz -- export --seed <seed> --runs 1");
process.exitCode = failed === 0 ? 0 : 1;
