/** Matches objects whose key the service hides: people without their e-mail addresses. */
import { mapNames } from "./names.js";
import type { ComparedSource, SourceObject, PathStep } from "./object.js";
import { areOne } from "./workspaces.js";

export interface Aligned {
  readonly left: ComparedSource;
  readonly right: ComparedSource;
  /** Whether the step names somebody who cannot be matched in the other source. */
  readonly strange: (step: PathStep) => boolean;
}

/** By type and name in this source: the name in the comparison, and whether the person is identified. */
type Renames = ReadonlyMap<string, { readonly key: string; readonly known: boolean }>;

/** Matches people by a name that both sources show and only one person has; within one workspace by id. */
export function aligned(left: ComparedSource, right: ComparedSource): Aligned {
  const [ofLeft, ofRight] = [renamesOf(left, right, "left"), renamesOf(right, left, "right")];
  const strangers = new Set<string>();
  for (const renames of [ofLeft, ofRight])
    for (const [id, { key, known }] of renames) if (!known) strangers.add(idOf(id.split(" ")[0] ?? "", key));
  return {
    left: mapNames(left, (to, key) => ofLeft.get(idOf(to, key))),
    right: mapNames(right, (to, key) => ofRight.get(idOf(to, key))),
    strange: ({ type, to, key }) => strangers.has(idOf(to ?? type, key)),
  };
}

function renamesOf(side: ComparedSource, other: ComparedSource, on: "left" | "right"): Renames {
  const renames = new Map<string, { key: string; known: boolean }>();
  for (const object of allOf(side).filter(({ hiddenKey }) => hiddenKey === true)) {
    const { type, to, key } = lastOf(object);
    const id = idOf(to ?? type, key);
    // A membership is hidden together with its person, who has an entry of their own.
    if (to !== undefined && renames.has(id)) continue;
    const number = to === undefined ? object.number : key.replace(/^#/, "");
    const found = match({ type: to ?? type, number, title: object.title }, side, other);
    renames.set(
      id,
      found === undefined ? { key: `${key} on the ${on}`, known: false } : { key: found, known: true },
    );
  }
  return renames;
}

interface Hidden {
  readonly type: string;
  readonly number: string | undefined;
  readonly title: string | undefined;
}

/** Finds the key of the same person in the other source; or a common one where it is hidden there too. */
function match(
  { type, number, title }: Hidden,
  side: ComparedSource,
  other: ComparedSource,
): string | undefined {
  const alike = (of: ComparedSource, is: (one: SourceObject) => boolean) =>
    allOf(of).filter((one) => one.definition.type === type && is(one));
  const isIt = (one: SourceObject) => one.number !== undefined && one.number === number;
  const known = (one: SourceObject) => one.hiddenKey !== true;
  // A membership by id may belong to a person whom this source identifies.
  const own = alike(side, isIt).find(known);
  if (own !== undefined) return lastOf(own).key;
  if (areOne(side.facts, other.facts) === true) {
    // Within one workspace, an id identifies a person.
    const all = [...alike(side, isIt), ...alike(other, isIt)];
    const found = all.find(known) ?? all[0];
    if (found !== undefined) return lastOf(found).key;
  }
  if (title === undefined) return undefined;
  const [only, second] = alike(other, (one) => one.title === title);
  if (only === undefined || second !== undefined) return undefined;
  if (alike(side, (one) => one.title === title).length !== 1) return undefined;
  return known(only) ? lastOf(only).key : title;
}

const allOf = ({ objects, omitted }: ComparedSource) => [...objects, ...omitted];
const idOf = (type: string, key: string) => `${type} ${key}`;

function lastOf({ steps }: SourceObject): PathStep {
  return steps.at(-1) as PathStep;
}
