/** Chooses which of many similar stories a run tells: a few, which are the same in each run, or all of them in a nightly run. */

/** With `STORIES=all`, which `npm test -- --nightly` sets, all stories are told. Another number chooses others. */
const { STORIES = "0" } = process.env;

/** Whether this is a nightly run, which may take longer. */
export const tellsAllStories = STORIES === "all";

/** How many random cases a test tries: all in a nightly run, and fewer in CI. */
export function countCases(all: number, inCi: number): number {
  return tellsAllStories ? all : inCi;
}

/** @param count how many stories are enough in CI. The title of each says which were chosen. */
export function chooseStories<T>(stories: readonly T[], count: number): T[] {
  if (tellsAllStories || count >= stories.length) return [...stories];
  const begin = Number(STORIES) % stories.length;
  return [...stories, ...stories].slice(begin, begin + count);
}
