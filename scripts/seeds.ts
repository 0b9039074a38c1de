/** Runs stories from random numbers, each with a seed that repeats it: `--seed 7 --runs 30`, or `--seconds 600`. */
import { parseArgs } from "node:util";

export interface SeededRun {
  readonly story: string;
  readonly problems: readonly string[];
}

/**
 * Runs one seed after the other, until a number of them has failed. Without `--runs` and `--seconds`, it runs `runs` of them.
 * @param again the command that repeats a run
 */
export async function runSeeds(
  again: string,
  runs: string,
  run: (seed: number, kills: boolean) => Promise<SeededRun>,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      seed: { type: "string" },
      runs: { type: "string" },
      seconds: { type: "string" },
      failures: { type: "string", default: "5" },
      kills: { type: "boolean", default: false },
    },
  });
  const print = (line: string) => process.stdout.write(`${line}\n`);
  const first = values.seed === undefined ? Math.floor(Math.random() * 1_000_000) : Number(values.seed);
  const until = values.seconds === undefined ? Infinity : Date.now() + Number(values.seconds) * 1000;
  const last = values.runs || values.seconds === undefined ? first + Number(values.runs ?? runs) : Infinity;
  print(`from seed ${first}`);
  let [done, failed] = [0, 0];
  for (let seed = first; seed < last && Date.now() < until && failed < Number(values.failures); seed += 1) {
    const began = Date.now();
    const { story, problems } = await run(seed, values.kills).catch((error: unknown) => {
      const thrown = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return { story: "", problems: [`thrown: ${thrown}`] };
    });
    done += 1;
    const seconds = ((Date.now() - began) / 1000).toFixed(0);
    print(`${problems.length === 0 ? "fine  " : "FAILED"} seed ${seed}: ${story} (${seconds} s)`);
    for (const problem of problems.slice(0, 12)) print(`         ${problem.replaceAll("\n", "\n         ")}`);
    if (problems.length > 0) failed += 1;
  }
  print(`${done - failed} of ${done} fine. Repeat one with: ${again} --seed <seed> --runs 1`);
  process.exitCode = failed === 0 ? 0 : 1;
}
