/** Lists that an entry holds itself (`exclusive: true`): one argument in the file, objects of their own at the service. */
import { stableJson } from "../../../../diff/values.js";
import {
  definitions,
  mapReferences,
  type Fields,
  type KnownNames,
  type DiscoveredObject,
} from "../../../../provider/index.js";
import { kindsUnder } from "../../../../provider/definition/placement.js";
import type { EntryChange, Pair } from "./differ.js";
import { isShown } from "./match.js";
import type { RemoteNames } from "./names.js";

export interface RemoteWorkspace {
  /** What there is, by section. */
  readonly objects: ReadonlyMap<string, readonly DiscoveredObject[]>;
  readonly omitted: ReadonlyMap<string, readonly DiscoveredObject[]>;
  /** Sections that were read to their end. */
  readonly sections: ReadonlySet<string>;
}

/** Sections, by their names at the service, that entries of the file hold as arguments. */
export function exclusiveSections(pairs: readonly Pair[]): Map<string, { pair: Pair; arg: string }> {
  const held = new Map<string, { pair: Pair; arg: string }>();
  for (const pair of pairs)
    for (const { document } of kindsUnder(definitions, pair.declared.definition.type))
      if (document.heldWhen !== undefined && pair.declared.args[document.heldWhen] === true)
        held.set(`${pair.live.name}/${document.section}`, { pair, arg: document.section });
  return held;
}

/** The list as it is now, when the file has another one. */
export function exclusiveChange(
  { declared, live }: Pair,
  arg: string,
  { objects, omitted, sections }: RemoteWorkspace,
  said: ReadonlyMap<string, Fields>,
  names: RemoteNames,
  told: KnownNames,
): EntryChange | undefined {
  const kind = kindsUnder(definitions, declared.definition.type).find(
    ({ document }) => document.section === arg,
  );
  const section = `${live.name}/${arg}`;
  if (kind === undefined || !sections.has(section)) return undefined;
  const { form, keyedBy } = kind.document;
  const item = ({ name, key, args }: DiscoveredObject): unknown => {
    const number = args[keyedBy];
    const own = typeof number === "number" ? number : key;
    return form === "keys" ? own : { [keyedBy]: own, ...(said.get(name) ?? args) };
  };
  const there = (objects.get(section) ?? []).map(item);
  const listed = names.asLive(declared.definition, arg, declared.args[arg] ?? []);
  if (!Array.isArray(listed)) return undefined;
  const before = listed as readonly unknown[];
  const keyOf = (one: unknown) => stableJson(typeof one === "object" ? (one as Fields)[keyedBy] : one);
  const own = new Set((omitted.get(section) ?? []).map((one) => keyOf(item(one))));
  // The caller and the owner stay where the file names them: the service would not let them go anyway.
  const kept = before.flatMap((one) => {
    const now = there.find((other) => keyOf(other) === keyOf(one));
    return now === undefined ? (own.has(keyOf(one)) ? [one] : []) : [now];
  });
  const known = new Set(before.map(keyOf));
  const value = [...kept, ...there.filter((one) => !known.has(keyOf(one)))];
  let hasNumbers = false;
  const reference = declared.definition.references[arg];
  if (reference)
    mapReferences(reference, declared.args[arg], ({ to }, one) => {
      hasNumbers ||= isShown(told, to, one);
      return one;
    });
  if (!hasNumbers && stableJson(value) === stableJson(before)) return undefined;
  return { arg, value, before, filled: false };
}
