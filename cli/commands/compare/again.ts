/** What one side has and the other does not show may only be hidden from the caller there. */
import type { Includes } from "./coverage.js";
import { nameOf, type Side } from "./object.js";

/** Asks a live side for the objects of the workspace itself that only the other side has. */
export async function lookedAgain(side: Side, other: Side, includes: Includes): Promise<Side> {
  if (side.hiddenOf === undefined) return side;
  const there = new Set([...side.objects, ...side.omitted].map(({ steps }) => nameOf(steps)));
  const expected = other.objects.flatMap(({ definition, steps, hiddenKey }) => {
    const [step, ...below] = steps;
    const name = nameOf(steps);
    const asked = step !== undefined && below.length === 0 && !hiddenKey && includes({ definition, name });
    return asked && !there.has(name) ? [{ type: definition.type, key: step.key }] : [];
  });
  const gaps = await side.hiddenOf(expected);
  return gaps.length === 0 ? side : { ...side, gaps: [...side.gaps, ...gaps] };
}
