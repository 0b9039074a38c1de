/** Plans the edits that make a workspace file match the workspace. */
import type { NotWatched } from "../../../diff/ignored-changes.js";
import {
  type DiscoveredObject,
  type Discovery,
  type Fields,
  findDefinition,
  type Gap,
  type KnownNames,
} from "../../../provider/index.js";
import { buildNameIn } from "../../../resources/definition/logical-name.js";
import { groupBy } from "../../../text/lists.js";
import { describeEdit, type Edit, type NewFile } from "../../../workspace-file/edit/edit.js";
import { isOwned, mapToNameInFile } from "../../../workspace-file/load/owns.js";
import { listNotWatchedIn } from "../../stack/state.js";
import type { Declarable } from "../declare.js";
import type { ExportScope } from "../scope.js";
import { chooseFileOfEntry, formatTextOfEntry } from "../writers/yaml.js";
import { collectVariables, type Needed } from "../written-values.js";
import {
  listAdditions,
  listDeletionsFrom,
  listOrders,
  placeAddition,
  toWrittenEntry,
  withFreeVariables,
} from "./additions-and-deletions.js";
import {
  collectExclusiveSections,
  Differ,
  type EntryChange,
  findExclusiveChange,
  type Pair,
  type RemoteWorkspace,
} from "./differ.js";
import {
  collectDefaults,
  type Existing,
  formatLineOf,
  getLastKey,
  getParentOf,
  getSectionOf,
  groupBySection,
  listOwnFiles,
} from "./existing-file.js";
import { type Matched, matchObjects } from "./match-entries.js";

/** An edit, with what a report says about it. */
export interface PatchSubject {
  readonly edit: Edit;
  readonly name: string;
  readonly change?: EntryChange;
  readonly secret?: boolean;
  /** The objects of a new entry, by name at the service. */
  readonly objects?: readonly string[];
}

export interface UncomparedValue {
  readonly name: string;
  /** Absent for a whole object. */
  readonly arg?: string;
  readonly why: string;
}

export interface PatchPlan {
  readonly subjects: readonly PatchSubject[];
  /** New values that must be set before the file is used. */
  readonly needed: readonly Needed[];
  /** Values that could not be compared. */
  readonly open: readonly UncomparedValue[];
  /** Differences that are not written to the file, with the reason. */
  readonly skipped: readonly string[];
  /** Properties that were not compared, since `ignoreChanges` names them. */
  readonly notWatched: readonly NotWatched[];
  /** Entries in scope, each with the object that has its name. */
  readonly pairs: readonly Pair[];
}

export interface LiveWorkspace {
  readonly discovery: Discovery;
  readonly declared: Declarable;
  readonly scope: ExportScope;
  /** The export is limited to kinds, projects or names. */
  readonly scoped: boolean;
  /** New entries adopt their objects, because the next command is `up` and not `import`. */
  readonly adopts?: boolean;
  /** Names from the people file, which replace ids in the workspace file. */
  readonly knownNames: KnownNames;
  /** Objects that are no entry's, although they have the name of one. */
  readonly unmanaged?: ReadonlySet<DiscoveredObject>;
}

export function patchPlan(existing: Existing, found: LiveWorkspace): PatchPlan {
  return new Planner(existing, found).plan();
}

class Planner {
  private readonly newArgs: ReadonlyMap<string, Fields>;
  private readonly match: Matched;
  private readonly differ: Differ;
  private readonly externals = new Set<string>();
  private readonly needed: Needed[] = [];
  private readonly open: UncomparedValue[] = [];
  private readonly skipped: string[] = [];
  private readonly variables: Set<string>;
  private readonly newFiles: string[] = [];
  private exclusive: ReadonlyMap<Pair, readonly { readonly arg: string }[]> = new Map();
  private readonly workspace: RemoteWorkspace;

  constructor(
    private readonly existing: Existing,
    private readonly found: LiveWorkspace,
  ) {
    const { discovery, declared, knownNames, unmanaged } = found;
    this.newArgs = new Map(declared.declarations.map(({ name, args }) => [name, args]));
    this.match = matchObjects(existing, discovery, this.newArgs, knownNames, unmanaged);
    this.differ = new Differ(existing, this.match.names);
    this.variables = collectVariables(existing.declared.sources);
    const { objects, omitted, sections } = discovery;
    this.workspace = { objects: groupBySection(objects), omitted: groupBySection(omitted), sections };
  }

  plan(): PatchPlan {
    const { discovery, declared, scope } = this.found;
    const gaps: readonly Gap[] = [...discovery.gaps, ...declared.gaps];
    const pairs = this.match.pairs.filter(({ live }) => scope.includes(live));
    const exclusive = collectExclusiveSections(this.match.pairs);
    this.exclusive = groupBy(exclusive.values(), ({ pair }) => pair);
    const changes = pairs.flatMap((pair) => this.changes(pair));
    const added = this.additions(exclusive);
    const gone = listDeletionsFrom(this.match.missing, discovery, gaps, scope);
    const ordered = this.orders(pairs, gone);
    this.reportUnclear();
    // An object with a new entry needs no external entry.
    const own = new Set(added.map(({ name }) => name));
    const externals = [...this.externals]
      .filter((name) => !own.has(name))
      .map((name) => describeSubject({ add: { name, entry: { external: true } } }));
    const removals = gone.map(({ name }) => describeSubject({ remove: { name } }));
    const subjects = [
      ...externals,
      ...changes,
      ...added,
      ...removals,
      ...ordered.map((edit) => describeSubject(edit)),
    ];
    const { needed, open, skipped } = this;
    const declarations = pairs.map((pair) => pair.declared);
    return { subjects, needed, open, skipped, notWatched: listNotWatchedIn({ declarations }), pairs };
  }

  private changes(pair: Pair): PatchSubject[] {
    const { declared, live } = pair;
    const { definition, name } = declared;
    const { keyedBy = "" } = definition.document ?? {};
    if (pair.newArgs === undefined && definition.document?.form !== "keys") return [];
    const { changes, open } = this.differ.compare(pair);
    for (const { arg, why } of open) this.open.push({ name, arg, why });
    const lists = (this.exclusive.get(pair) ?? []).flatMap(
      ({ arg }) =>
        findExclusiveChange(
          pair,
          arg,
          this.workspace,
          this.newArgs,
          this.match.names,
          this.found.knownNames,
        ) ?? [],
    );
    const named: EntryChange[] = this.match.renamed.has(pair)
      ? [{ arg: keyedBy, value: live.args[keyedBy] ?? live.key, before: declared.args[keyedBy] }]
      : [];
    return [...named, ...changes, ...lists].map((change) => this.subjectOf(pair, change));
  }

  private subjectOf({ declared, live }: Pair, change: EntryChange): PatchSubject {
    const { definition, name } = declared;
    const { arg } = change;
    const secret =
      declared.secrets.includes(arg) ||
      [declared.args, live.args].some((args) => definition.secret(args).includes(arg));
    const value = this.withFreeVariables(this.inFile(live, arg, change.value), name, arg);
    const path = [arg];
    const edit: Edit =
      value === undefined
        ? { unset: { name, path, evenPlaceholders: change.forbidden ?? false } }
        : { set: { name, path, value } };
    return { edit, name, change, secret };
  }

  private inFile(live: DiscoveredObject, arg: string, value: unknown): unknown {
    return this.match.names.asFile(live.definition, arg, value, live.name, this.refer);
  }

  /** Adds an external entry for a referenced object without an entry. */
  private readonly refer = (type: string, key: string): void => {
    const section = findDefinition(type)?.document?.section;
    if (section !== undefined) this.externals.add(buildNameIn(undefined, section, key));
  };

  private withFreeVariables(value: unknown, name: string, arg: string): unknown {
    return withFreeVariables(value, this.variables, (from, to) => {
      const known = this.found.declared.needed.find(({ variable }) => variable === from);
      // In an existing file, each use has a variable of its own.
      const use = known === undefined || known.also.length > 0 ? { name, arg } : known;
      this.needed.push({ ...use, variable: to, also: [] });
    });
  }

  /** Adds entries for objects that are not in the file. */
  private additions(exclusive: ReturnType<typeof collectExclusiveSections>): PatchSubject[] {
    const { scope, scoped } = this.found;
    const { names, unclear } = this.match;
    const { owns } = this.existing.declared;
    const external = new Set(this.existing.externals.map(({ name }) => name));
    const closed = new Set([...exclusive.keys(), ...unclear.map(({ name }) => this.liveSection(name))]);
    const fresh = new Set<string>();
    const objects = this.match.added.filter((one) => {
      const parent = getParentOf(one.name);
      const file = names.file(parent);
      // What is in an external object is added only on request: by the options, or by `owns`.
      const known =
        file !== undefined ? scoped || owns !== undefined || !external.has(file) : fresh.has(parent);
      const wanted =
        known &&
        isOwned(
          owns,
          mapToNameInFile(one.name, (live) => names.file(live)),
        ) &&
        this.newArgs.has(one.name) &&
        scope.includes(one) &&
        !closed.has(getSectionOf(one.name));
      if (wanted) fresh.add(one.name);
      return wanted;
    });
    // Parents precede their children, so the parent of an object is in `fresh` before the object is checked.
    const used = new Set([
      ...this.existing.declared.declarations.map(({ name }) => name),
      ...this.existing.externals.map(({ name }) => name),
    ]);
    const defaults = collectDefaults(this.existing);
    const { adopts = false } = this.found;
    const around = { newArgs: this.newArgs, names, used, defaults, adopts, missing: this.refer };
    return listAdditions(objects, around).map(({ edit: { add: added }, objects: of }) => {
      const [first] = of;
      const add = first === undefined ? added : placeAddition(added, first, this.siblings(first), names);
      const entry = this.withFreeVariables(add.entry, add.name, "value");
      const edit: Edit = { add: { ...add, entry, file: this.ownFile(add.name, entry) } };
      return { ...describeSubject(edit), objects: of.map((one) => one.name) };
    });
  }

  /** Creates a file for a new entry when each entry has its own file. */
  private ownFile(name: string, entry: unknown): NewFile | undefined {
    const [section = "", key = "", ...inner] = name.split("/");
    const own = inner.length > 0 ? undefined : listOwnFiles(this.existing, section);
    if (own === undefined) return undefined;
    const path = chooseFileOfEntry(key, own.folder, [...own.taken, ...this.newFiles]);
    this.newFiles.push(path);
    return { path, text: formatTextOfEntry(section, getLastKey(name), toWrittenEntry(entry)) };
  }

  private liveSection(file: string): string {
    return `${this.match.names.live(getParentOf(file)) ?? ""}/${getSectionOf(file).split("/").at(-1)}`.replace(
      /^\//,
      "",
    );
  }

  private siblings({ name }: DiscoveredObject): readonly DiscoveredObject[] {
    return this.workspace.objects.get(getSectionOf(name)) ?? [];
  }

  /** Updates the order of lists that are completely in scope. */
  private orders(pairs: readonly Pair[], gone: readonly { readonly name: string }[]): Edit[] {
    const { scope } = this.found;
    const removed = new Set(gone.map(({ name }) => name));
    const staying = groupBySection(
      this.existing.declared.declarations.filter(({ name }) => !removed.has(name)),
    );
    const inScope = new Map(
      [...this.workspace.objects].filter(([, of]) => of.every((one) => scope.includes(one))),
    );
    return pairs.flatMap((pair) => listOrders(pair, inScope, staying, this.match.names));
  }

  private reportUnclear(): void {
    for (const { name, path } of this.match.unclear)
      this.open.push({
        name,
        why: `its name comes from a placeholder that has no value here (${formatLineOf(this.existing, path)})`,
      });
    for (const { declared, live } of this.match.pending)
      this.skipped.push(
        `${declared.name}: the file renames it, but in the workspace it is still "${live.key}" (${formatLineOf(this.existing, declared.path)})`,
      );
  }
}

const describeSubject = (edit: Edit): PatchSubject => ({ edit, name: describeEdit(edit) });
