/**
 * Kills processes and injects faults while random workspaces are created: `npm run stress -- chaos --seed 7 --runs 30`. With `--kills`, only
 * runs with the journal next to the state are killed.
 */
import { chaosRun } from "../test/chaos/run.js";
import { runSeeds } from "./seeds.js";

await runSeeds("npm run stress -- chaos", "10", (seed, kills) => chaosRun(seed, seed, kills));
