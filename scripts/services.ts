/** Applies random workspaces to random services: `npm run stress -- services --seed 7 --runs 500`. */
import { runServiceStory } from "../test/services/story.js";
import { runSeeds } from "./seeds.js";

await runSeeds("npm run stress -- services", "500", runServiceStory);
