/** Objects whose key the service hides (people without their e-mail addresses), and which of them are the same on both sides. */
import { mapNames } from "./names.js";
import type { Side, SideObject, Step } from "./object.js";
import { areOne } from "./workspaces.js";

export interface Aligned {
  readonly left: Side;
  readonly right: Side;
  /** Whether what the step names cannot be found on the other side, since nobody knows what it is called. */
  readonly strange: (step: Step) => boolean;
}

/** By type and name on this side: the name in the comparison, and whether it is known who that is. */
type Renames = ReadonlyMap<string, { readonly key: string; readonly known: boolean }>;

/** Matches them by the name that both sides show, where it is one person's only; within one workspace by their numbers. */
export function aligned(left: Side, right: Side): Aligned {
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

function renamesOf(side: Side, other: Side, on: "left" | "right"): Renames {
  const renames = new Map<string, { key: string; known: boolean }>();
  for (const object of allOf(side).filter(({ hiddenKey }) => hiddenKey === true)) {
    const { type, to, key } = lastOf(object);
    const id = idOf(to ?? type, key);
    // A membership is hidden with its person, whose own entry says who that is.
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

/** What the same person is called on the other side; or by both, where it is hidden there, too. */
function match({ type, number, title }: Hidden, side: Side, other: Side): string | undefined {
  const alike = (of: Side, is: (one: SideObject) => boolean) =>
    allOf(of).filter((one) => one.definition.type === type && is(one));
  const isIt = (one: SideObject) => one.number !== undefined && one.number === number;
  const known = (one: SideObject) => one.hiddenKey !== true;
  // A membership by number may be that of somebody whom the side itself knows.
  const own = alike(side, isIt).find(known);
  if (own !== undefined) return lastOf(own).key;
  if (areOne(side.facts, other.facts) === true) {
    // There, a number is somebody.
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

const allOf = ({ objects, omitted }: Side) => [...objects, ...omitted];
const idOf = (type: string, key: string) => `${type} ${key}`;

function lastOf({ steps }: SideObject): Step {
  return steps.at(-1) as Step;
}
