/** Exclusively owned lists (`exclusive: true`): an argument in the file, but separate objects at the service. */
import { stringifyStably } from "../../../../diff/values.js";
import {
  definitions,
  mapReferences,
  type Fields,
  type KnownNames,
  type DiscoveredObject,
} from "../../../../provider/index.js";
import { isExclusive, listKindsUnder } from "../../../../provider/definition/placement.js";
import type { EntryChange, Pair } from "./differ.js";
import { isShown } from "./match-entries.js";
import type { RemoteNames } from "./names-in-file.js";

export interface RemoteWorkspace {
  /** Objects by section. */
  readonly objects: ReadonlyMap<string, readonly DiscoveredObject[]>;
  readonly omitted: ReadonlyMap<string, readonly DiscoveredObject[]>;
  /** Sections that were read completely. */
  readonly sections: ReadonlySet<string>;
}

/** Finds exclusively owned sections, by their names at the service. */
export function collectExclusiveSections(pairs: readonly Pair[]): Map<string, { pair: Pair; arg: string }> {
  const exclusive = new Map<string, { pair: Pair; arg: string }>();
  for (const pair of pairs)
    for (const kind of listKindsUnder(definitions, pair.declared.definition.type)) {
      const { section } = kind.document;
      if (isExclusive(kind, pair.declared.args))
        exclusive.set(`${pair.live.name}/${section}`, { pair, arg: section });
    }
  return exclusive;
}

/** Returns the current list when that of the file differs. */
export function findExclusiveChange(
  { declared, live }: Pair,
  arg: string,
  { objects, omitted, sections }: RemoteWorkspace,
  newArgs: ReadonlyMap<string, Fields>,
  names: RemoteNames,
  knownNames: KnownNames,
): EntryChange | undefined {
  const kind = listKindsUnder(definitions, declared.definition.type).find(
    ({ document }) => document.section === arg,
  );
  const section = `${live.name}/${arg}`;
  if (kind === undefined || !sections.has(section)) return undefined;
  const { form, keyedBy } = kind.document;
  const item = ({ name, key, args }: DiscoveredObject): unknown => {
    const number = args[keyedBy];
    const own = typeof number === "number" ? number : key;
    return form === "keys" ? own : { [keyedBy]: own, ...(newArgs.get(name) ?? args) };
  };
  const there = (objects.get(section) ?? []).map(item);
  const listed = names.asLive(declared.definition, arg, declared.args[arg] ?? []);
  if (!Array.isArray(listed)) return undefined;
  const before = listed as readonly unknown[];
  const keyOf = (one: unknown) => stringifyStably(typeof one === "object" ? (one as Fields)[keyedBy] : one);
  const own = new Set((omitted.get(section) ?? []).map((one) => keyOf(item(one))));
  // The caller and the owner cannot be removed from the service, so they are not removed from the file.
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
      hasNumbers ||= isShown(knownNames, to, one);
      return one;
    });
  if (!hasNumbers && stringifyStably(value) === stringifyStably(before)) return undefined;
  return { arg, value, before };
}
