/** Matches entries of the file with objects of the workspace. */
import {
  type DiscoveredObject,
  type Discovery,
  type Fields,
  type KnownNames,
  SpelledNames,
} from "../../../provider/index.js";
import { escapeKey } from "../../../resources/definition/logical-name.js";
import { groupBy } from "../../../text/lists.js";
import { Ref, type ResourceDeclaration } from "../../../workspace-file/load/load.js";
import { Differ, isShown, type Pair } from "./differ.js";
import {
  type Existing,
  findPart,
  getLastKey,
  getParentOf,
  getSectionOf,
  groupBySection,
  openPlaceholders,
  RemoteNames,
} from "./existing-file.js";

export interface Matched {
  readonly names: RemoteNames;
  readonly pairs: readonly Pair[];
  /** Pairs whose object was renamed in the workspace. */
  readonly renamed: ReadonlySet<Pair>;
  /** Pairs that the file renames, which is not applied yet. */
  readonly pending: ReadonlySet<Pair>;
  /** Entries whose name comes from a placeholder without a value. */
  readonly unclear: readonly ResourceDeclaration[];
  /** Entries without an object, with the name that the object would have. */
  readonly missing: ReadonlyMap<ResourceDeclaration, string>;
  /** Objects without an entry. */
  readonly added: readonly DiscoveredObject[];
}

/**
 * @param newArgs the arguments that a new file would have, by name at the service
 * @param knownNames names from the people file: an entry with the id of a person is replaced by one with the name
 * @param unmanaged objects that are no entry's, although they have the name of one
 */
export function matchObjects(
  existing: Existing,
  discovery: Discovery,
  newArgs: ReadonlyMap<string, Fields>,
  knownNames: KnownNames,
  unmanaged: ReadonlySet<DiscoveredObject> = new Set(),
): Matched {
  return new Matcher(existing, discovery, newArgs, knownNames, unmanaged).match();
}

class Matcher {
  private readonly names: RemoteNames;
  private readonly differ: Differ;
  private readonly shown: ReadonlyMap<string, DiscoveredObject>;
  private readonly spellings: SpelledNames;
  /** Objects without an entry so far, by section. */
  private readonly free = new Map<string, Map<string, DiscoveredObject>>();
  /** Sections and keys of what each object contains, by name. */
  private readonly shownIn: ReadonlyMap<string, readonly string[]>;
  private readonly declaredIn: ReadonlyMap<string, readonly string[]>;
  private readonly numbered = new Map<string, DiscoveredObject>();
  private readonly pairs: Pair[] = [];
  private readonly renamed = new Set<Pair>();
  private readonly pending = new Set<Pair>();
  private readonly unclear: ResourceDeclaration[] = [];
  private readonly missing = new Map<ResourceDeclaration, string>();

  constructor(
    private readonly existing: Existing,
    private readonly discovery: Discovery,
    private readonly newArgs: ReadonlyMap<string, Fields>,
    private readonly knownNames: KnownNames,
    private readonly unmanaged: ReadonlySet<DiscoveredObject>,
  ) {
    this.names = new RemoteNames([...discovery.objects, ...discovery.omitted]);
    this.shownIn = groupNames(discovery.objects);
    this.declaredIn = groupNames(
      existing.declared.declarations.filter(({ definition }) => definition.document),
    );
    this.differ = new Differ(existing, this.names);
    this.shown = new Map([...discovery.objects, ...discovery.omitted].map((one) => [one.name, one]));
    this.spellings = new SpelledNames(this.shown.keys());
    for (const one of this.shown.values()) {
      const { definition, name, outputs } = one;
      const numbers = [outputs[definition.identity.state], outputs[definition.document?.keyedBy ?? ""]];
      for (const number of numbers.filter((each) => typeof each === "number"))
        this.numbered.set(`${getSectionOf(name)}#${number}`, one);
    }
    for (const [section, of] of groupBySection(discovery.objects))
      this.free.set(section, new Map(of.map((one) => [one.name, one])));
  }

  match(): Matched {
    const { names, pairs, renamed, pending, unclear, missing } = this;
    const declarations = this.existing.declared.declarations.filter(({ definition }) => definition.document);
    const depth = (name: string) => name.split("/").length;
    const sections = groupBySection(declarations);
    const externals = groupBySection(this.existing.externals);
    const all = new Set([...sections.keys(), ...externals.keys()]);
    for (const section of [...all].toSorted((a, b) => depth(a) - depth(b))) {
      const parent = names.live(getParentOf(`${section}/`));
      if (parent === undefined) continue;
      const live = `${parent === "" ? "" : `${parent}/`}${section.slice(section.lastIndexOf("/") + 1)}`;
      for (const { name, key } of externals.get(section) ?? [])
        this.tie(name, this.spelled(`${live}/${escapeKey(key)}`));
      this.section(live, sections.get(section) ?? []);
    }
    const added = [...this.free.values()].flatMap((section) => [...section.values()]);
    return { names, pairs, renamed, pending, unclear, missing, added };
  }

  private section(section: string, declared: readonly ResourceDeclaration[]): void {
    const unmatched: [ResourceDeclaration, string][] = [];
    for (const one of declared) {
      const name = this.nameOf(one, section);
      const live =
        name === undefined || this.isStale(one) ? undefined : this.find(one, section, name, declared);
      if (name === undefined) this.unclear.push(one);
      else if (live) this.pair(one, live);
      else unmatched.push([one, name]);
    }
    const remaining = unmatched.filter(([one]) => !this.isRenamedByFile(one, section));
    for (const [one, name] of remaining) {
      if (this.isRenamedOutside(one, section, remaining.length)) continue;
      this.missing.set(one, name);
    }
  }

  private find(
    one: ResourceDeclaration,
    section: string,
    name: string,
    declared: readonly ResourceDeclaration[],
  ): DiscoveredObject | undefined {
    if (one.definition.sharedKey !== undefined) return this.findOfName(one, section, name, declared);
    return this.shown.get(this.spelled(name)) ?? this.byNumber(one, section);
  }

  /** Of several objects of the name: the one with the declared number, or the first one that no entry declares by its number. */
  private findOfName(
    { args, definition }: ResourceDeclaration,
    section: string,
    name: string,
    declared: readonly ResourceDeclaration[],
  ): DiscoveredObject | undefined {
    const { sharedKey, identity, document } = definition;
    const numberOf = (fields: Fields) => fields[sharedKey?.number ?? ""];
    const spelled = getLastKey(this.spelled(name));
    const ofName = [...(this.free.get(section)?.values() ?? [])].filter(
      (live) =>
        live.definition === definition &&
        !this.unmanaged.has(live) &&
        live.args[document?.keyedBy ?? ""] === spelled,
    );
    const numbers = new Set(declared.map((other) => numberOf(other.args)));
    const idOf = ({ outputs }: DiscoveredObject) => outputs[identity.state];
    return (
      ofName.find((live) => idOf(live) === numberOf(args)) ?? ofName.find((live) => !numbers.has(idOf(live)))
    );
  }

  /** The name as the service spells it. */
  private spelled(name: string): string {
    return this.shown.has(name) ? name : (this.spellings.others(name)[0] ?? name);
  }

  /** Returns the name that the object would have at the service. */
  private nameOf(declared: ResourceDeclaration, section: string): string | undefined {
    const { definition, args } = declared;
    const { keyedBy = "" } = definition.document ?? {};
    if (openPlaceholders(findPart(this.existing, declared, keyedBy)).length > 0) return undefined;
    const key = this.names.asLive(definition, keyedBy, args[keyedBy]);
    return typeof key === "string" || typeof key === "number"
      ? `${section}/${escapeKey(String(key))}`
      : undefined;
  }

  /** Whether the entry has an id whose name is known now: an entry with the name replaces it. */
  private isStale({ definition, args }: ResourceDeclaration): boolean {
    const { keyedBy = "" } = definition.document ?? {};
    return isShown(this.knownNames, definition.references[keyedBy]?.to, args[keyedBy]);
  }

  /** Finds an object that is declared by its id, or that refers to such an object. */
  private byNumber({ definition, args }: ResourceDeclaration, section: string): DiscoveredObject | undefined {
    const { keyedBy = "", numberedBy = "" } = definition.document ?? {};
    const key = args[keyedBy];
    const number = args[numberedBy] ?? (key instanceof Ref ? this.names.number(key.name) : key);
    return this.numbered.get(`${section}#${String(number)}`);
  }

  /** Whether `previously` names an object that still has that name. */
  private isRenamedByFile(declared: ResourceDeclaration, section: string): boolean {
    const former = declared.formerNames.map((name) =>
      this.free.get(section)?.get(`${section}/${escapeKey(getLastKey(name))}`),
    );
    const live = former.find((one) => one !== undefined);
    if (live) this.pending.add(this.pair(declared, live));
    return live !== undefined;
  }

  /** Whether the only object without an entry equals the only entry without an object, except for the name. */
  private isRenamedOutside(declared: ResourceDeclaration, section: string, remaining: number): boolean {
    const { definition } = declared;
    const free = [...(this.free.get(section)?.values() ?? [])].filter((one) => one.definition === definition);
    const [live] = free;
    if (live === undefined || free.length > 1 || remaining > 1) return false;
    // The entry's object may be one that could not be read.
    if (this.discovery.gaps.some(({ type }) => type === definition.type)) return false;
    const { keyedBy = "" } = definition.document ?? {};
    if (definition.replaceOn.includes(keyedBy) || definition.references[keyedBy]) return false;
    const pair = { declared, live, newArgs: this.newArgs.get(live.name) };
    const { changes, open } = this.differ.compare(pair);
    if (changes.length > 0 || open.length > 0) return false;
    const within = this.declaredIn.get(declared.name) ?? [];
    if (String(within) !== String(this.shownIn.get(live.name) ?? [])) return false;
    // Two objects without any arguments look the same, but that does not make them one.
    if (within.length === 0 && Object.keys(pair.newArgs ?? {}).every((arg) => arg === keyedBy)) return false;
    this.renamed.add(this.pair(declared, live));
    return true;
  }

  private pair(declared: ResourceDeclaration, live: DiscoveredObject): Pair {
    const pair = { declared, live, newArgs: this.newArgs.get(live.name) };
    // Objects that the service created by itself are not changed.
    if (this.free.get(getSectionOf(live.name))?.has(live.name)) this.pairs.push(pair);
    this.tie(declared.name, live.name);
    return pair;
  }

  private tie(file: string, live: string): void {
    this.names.tie(file, live);
    this.free.get(getSectionOf(live))?.delete(live);
  }
}

/** Sections and keys of what an object contains, by the name of that object. */
function groupNames(all: readonly { readonly name: string }[]): Map<string, string[]> {
  const within = groupBy(all, ({ name }) => getParentOf(name));
  return new Map(
    [...within].map(([parent, of]) => [parent, of.map(({ name }) => name.slice(parent.length + 1)).sort()]),
  );
}
