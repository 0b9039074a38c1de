/** Limits runs to random objects of random files with new names, while one request fails: `npm run stress -- partial --seed 7 --runs 30`. */
import { partialRun } from "../test/chaos/partial-run.js";
import { runSeeds } from "./seeds.js";

await runSeeds("npm run stress -- partial", "10", partialRun);
