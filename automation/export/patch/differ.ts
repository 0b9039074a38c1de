/** Finds the changes that make an entry equal to its object: its arguments, and the lists that it owns exclusively (`exclusive: true`). */
import { withIgnored } from "../../../diff/ignored-changes.js";
import { stringifyStably } from "../../../diff/values.js";
import {
  canonicalize,
  type Definition,
  definitions,
  type DiscoveredObject,
  type Fields,
  getArgsShape,
  getSpelling,
  type KnownNames,
  listComparableArgs,
  mapReferences,
  type ProblemCode,
  reduceRemote,
  validateArgs,
} from "../../../provider/index.js";
import { isExclusive, listKindsUnder } from "../../../resources/definition/placement.js";
import { AsWritten } from "../../../workspace-file/edit/edit.js";
import { getLocation, type Tree } from "../../../workspace-file/index.js";
import type { ResourceDeclaration } from "../../../workspace-file/load/load.js";
import { withUnknowns } from "../declare.js";
import { type Existing, findPart, openPlaceholders, type RemoteNames } from "./existing-file.js";
import { keepPlaceholders, represents } from "./keep-placeholders.js";

/** An entry and its object. */
export interface Pair {
  readonly declared: ResourceDeclaration;
  readonly live: DiscoveredObject;
  /** The arguments that a new file would have; absent when none could declare the object. */
  readonly newArgs: Fields | undefined;
}

/** A new value of an argument, with names of the service; `undefined` removes the argument. */
export interface EntryChange {
  readonly arg: string;
  readonly value: unknown;
  /** The current value; absent when there is none. */
  readonly before?: unknown;
  /** Other values forbid it, so it goes even if it comes from a placeholder. */
  readonly forbidden?: boolean;
}

interface ComparedEntry {
  readonly changes: readonly EntryChange[];
  /** Arguments that could not be compared, with the reason: `workspace.yaml:12 says ${env:D}, which has no value here`. */
  readonly open: readonly { readonly arg: string; readonly why: string }[];
}

export class Differ {
  constructor(
    private readonly existing: Existing,
    private readonly names: RemoteNames,
  ) {}

  compare(pair: Pair): ComparedEntry {
    const { definition } = pair.declared;
    const { args } = pair.declared;
    const compared: { changes: EntryChange[]; open: { arg: string; why: string }[] } = {
      changes: [],
      open: [],
    };
    const hidden = new Set([...definition.writeOnly(args), ...definition.writeOnly(pair.live.args)]);
    const shown = listComparableArgs(definition, { ...pair.live.args }).concat(
      listComparableArgs(definition, args),
    );
    const { keyedBy = "" } = definition.document ?? {};
    for (const arg of new Set(shown)) {
      if (arg === keyedBy || hidden.has(arg) || pair.declared.ignoreChanges.includes(arg)) continue;
      this.argument(pair, arg, compared);
    }
    return {
      ...compared,
      changes: [...compared.changes, ...this.listImplied(pair, compared.changes, hidden)],
    };
  }

  private argument(
    pair: Pair,
    arg: string,
    { changes, open }: { changes: EntryChange[]; open: { arg: string; why: string }[] },
  ): void {
    const { declared, live, newArgs } = pair;
    const { definition } = declared;
    // What the file does not watch stays as it is in the file.
    const watched = (value: unknown, from: unknown): unknown =>
      withIgnored({ [arg]: value }, { [arg]: from }, declared.ignoreChanges)[arg];
    const fresh = watched(newArgs?.[arg], declared.args[arg]);
    const value = declared.args[arg];
    if (value === undefined || value === null) {
      // The service repeats the name in another argument (a display name) when it was not set.
      if (fresh !== undefined && fresh !== live.key) changes.push({ arg, value: fresh });
      return;
    }
    const both = [declared.args, live.args].every((args) => definition.masked(args).includes(arg));
    if (both) return;
    const part = findPart(this.existing, declared, arg);
    const unseen = live.unseen.includes(arg);
    if (unseen) return void open.push({ arg, why: "the service does not return it" });
    const known = this.names.asLive(definition, arg, value);
    const [leaf] =
      known === undefined || openPlaceholders(part).some(({ mock }) => mock) ? openPlaceholders(part) : [];
    // A new file would have a placeholder too.
    if (leaf !== undefined && fresh instanceof AsWritten) return;
    // What the placeholders of a list or a map stand for is not known, unlike its other parts.
    if (leaf !== undefined && fresh !== undefined && isPartlyKnown(part, definition, arg)) {
      const now = live.args[arg];
      if (!represents(part, now))
        return void changes.push({ arg, value: keepPlaceholders(part, fresh, now), before: value });
    }
    if (leaf !== undefined) {
      const { file, line } = getLocation(leaf.at);
      open.push({
        arg,
        why: `${file}:${line} says ${leaf.written ?? "a placeholder"}, which has no value here`,
      });
      return;
    }
    const raw = watched(live.args[arg], known);
    if (isSame(definition, arg, known, this.names.asLive(definition, arg, raw))) return;
    if (isSame(definition, arg, value, live.outputs[arg])) return;
    const wanted = fresh ?? makeExplicit(definition, live.args, arg, raw);
    if (wanted === OUT_OF_WORDS) return;
    const reduced = wanted instanceof AsWritten ? wanted : reduceRemote(definition, arg, known, wanted).value;
    const kept = part?.kind === "leaf" ? reduced : keepPlaceholders(part, reduced, raw);
    changes.push({ arg, value: kept, before: known });
  }

  /** Finds arguments that the service never returns, and that the changes make required or invalid. */
  private listImplied(
    { declared, newArgs = {} }: Pair,
    changes: readonly EntryChange[],
    hidden: ReadonlySet<string>,
  ): EntryChange[] {
    if (changes.length === 0) return [];
    const { definition, args } = declared;
    const after = { ...args, ...Object.fromEntries(changes.map(({ arg, value }) => [arg, value])) };
    const problems = validateArgs(definition, withUnknowns(after));
    const has = (arg: string, ...codes: ProblemCode[]) =>
      problems.some(({ path, code }) => path[0] === arg && codes.includes(code));
    const required = [...hidden].filter((arg) => has(arg, "required"));
    const asked = new Set(required.map((arg) => definition.askInstead[arg] ?? arg));
    return [...hidden].flatMap((arg): EntryChange[] => {
      const before = args[arg];
      if (before !== undefined)
        return has(arg, "conflict", "unknown-property")
          ? [{ arg, value: undefined, before, forbidden: true }]
          : [];
      return asked.has(arg) && newArgs[arg] !== undefined ? [{ arg, value: newArgs[arg] }] : [];
    });
  }
}

function isPartlyKnown(part: Tree | undefined, { references }: Definition, arg: string): part is Tree {
  return part !== undefined && part.kind !== "leaf" && references[arg] === undefined;
}

function isSame(definition: Definition, arg: string, declared: unknown, live: unknown): boolean {
  return reduceRemote(definition, arg, declared, live).value === declared;
}

/** A value that a file cannot represent. */
const OUT_OF_WORDS = Symbol();

/** Returns a value that a new file would omit: an empty value removes the argument, a default is written. */
function makeExplicit(definition: Definition, args: Fields, arg: string, raw: unknown): unknown {
  if (raw === false) return false;
  if (raw === undefined || raw === null || raw === "") return undefined;
  if (typeof raw === "object") return Object.keys(raw).length === 0 ? undefined : OUT_OF_WORDS;
  const meta = getArgsShape(definition, args)[arg]?.meta() ?? {};
  return Object.hasOwn(meta, "default") && meta["default"] === raw ? raw : OUT_OF_WORDS;
}

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
  const spelling = getSpelling(kind, keyedBy);
  const nameOf = (one: unknown) => (typeof one === "object" ? (one as Fields)[keyedBy] : one);
  const keyOf = (one: unknown) => stringifyStably(canonicalize(spelling, nameOf(one)));
  const own = new Set((omitted.get(section) ?? []).map((one) => keyOf(item(one))));
  // The caller and the owner cannot be removed from the service, so they are not removed from the file.
  const kept = before.flatMap((one) => {
    const now = there.find((other) => keyOf(other) === keyOf(one));
    if (now === undefined) return own.has(keyOf(one)) ? [one] : [];
    // The file keeps its spelling.
    return [typeof now === "object" ? { ...now, [keyedBy]: nameOf(one) } : one];
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

/** Whether a value is an id whose name is known. */
export function isShown(knownNames: KnownNames, type: string | undefined, value: unknown): boolean {
  return type !== undefined && typeof value === "number" && knownNames.get(type)?.has(value) === true;
}
