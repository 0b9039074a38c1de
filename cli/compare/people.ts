/** Objects whose key the service hides (people without their e-mail addresses), and which of them are the same on both sides. */
import { mapNames } from "./names.js";
import type { Side, SideObject, Step } from "./object.js";

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
  const [ofLeft, ofRight] = [renamesOf(left, right), renamesOf(right, left)];
  const strangers = new Set<string>();
  for (const renames of [ofLeft, ofRight])
    for (const [id, { key, known }] of renames) if (!known) strangers.add(idOf(id.split(" ")[0] ?? "", key));
  return {
    left: mapNames(left, (to, key) => ofLeft.get(idOf(to, key))),
    right: mapNames(right, (to, key) => ofRight.get(idOf(to, key))),
    strange: ({ type, to, key }) => strangers.has(idOf(to ?? type, key)),
  };
}

function renamesOf(side: Side, other: Side): Renames {
  const renames = new Map<string, { key: string; known: boolean }>();
  for (const object of [...side.objects, ...side.omitted].filter(({ hiddenKey }) => hiddenKey === true)) {
    const { type, to, key } = lastOf(object);
    const id = idOf(to ?? type, key);
    // A membership is hidden with its person, whose own entry says who that is.
    if (to !== undefined && renames.has(id)) continue;
    const found = to === undefined ? match(object, side, other) : undefined;
    renames.set(
      id,
      found === undefined
        ? { key: `${key} in ${side.facts.name}`, known: false }
        : { key: found, known: true },
    );
  }
  return renames;
}

/** What the same person is called on the other side; or by both, where it is hidden there, too. */
function match({ title, number, definition }: SideObject, side: Side, other: Side): string | undefined {
  const alike = (of: Side, is: (one: SideObject) => boolean) =>
    [...of.objects, ...of.omitted].filter((one) => one.definition === definition && is(one));
  const called = (one: SideObject) => (one.hiddenKey === true ? title : lastOf(one).key);
  if (sameWorkspace(side, other)) {
    const [same] = alike(other, (one) => one.number !== undefined && one.number === number);
    if (same !== undefined) return called(same);
  }
  if (title === undefined) return undefined;
  const [only, second] = alike(other, (one) => one.title === title);
  if (only === undefined || second !== undefined) return undefined;
  return alike(side, (one) => one.title === title).length === 1 ? called(only) : undefined;
}

function sameWorkspace({ facts: one }: Side, { facts: other }: Side): boolean {
  return one.baseUrl !== undefined && one.baseUrl === other.baseUrl && one.workspace === other.workspace;
}

const idOf = (type: string, key: string) => `${type} ${key}`;

function lastOf({ steps }: SideObject): Step {
  return steps.at(-1) as Step;
}
