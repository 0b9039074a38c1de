/** Applies random workspaces to random services that the specification allows. `npm run stress -- services` runs more of them. */
import { expect, it } from "vitest";
import { tellsAllStories } from "../stories.js";
import { runServiceStory } from "./story.js";

const first = Number(process.env["SERVICE_SEED"] ?? 1);
const seeds = Array.from({ length: tellsAllStories ? 500 : 20 }, (_, index) => first + index);

const endings: string[] = [];

it.each(seeds)("what succeeds is true at the random service of seed %i", async (seed) => {
  const { story, problems } = await runServiceStory(seed);
  expect(problems, story).toEqual([]);
  endings.push(story);
});

it("most services allow most of a story", () => {
  const complete = endings.filter((story) => story.endsWith("applied, read, changed and deleted"));
  expect(complete.length).toBeGreaterThan(seeds.length / 4);
});
