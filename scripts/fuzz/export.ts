/**
 * Exports, imports and copies generated workspaces of every kind and size, with unusual content:
 * `npm run fuzz -- export --seed 7 --seconds 600`.
 */
import { runOnce } from "../../test/cli/commands/export/generated/run.js";
import { runSeeds } from "../seeds.js";

await runSeeds("npm run fuzz -- export", "20", async (seed) => {
  const { made, refused, copied, problems } = await runOnce(seed);
  const story = `${made} objects, ${refused} more were refused by the service${copied ? ", copied" : ""}`;
  return { story, problems };
});
