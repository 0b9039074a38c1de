/** Limits a replication to some kinds (`--kinds`): the overlay removes all others, or declares them as external. */
import { type Definition, getSpelling, isSameSpelling, mapReferences } from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import { groupBy } from "../../text/lists.js";
import { getShapeUnder } from "../../workspace-file/compose/shape.js";
import { locateSteps, type LocationStep } from "../../workspace-file/edit/edit.js";
import { findPartAt, getPositionAt, type MapTree } from "../../workspace-file/index.js";
import { type Entry, listEntries } from "../../workspace-file/load/entries.js";
import { DeclaredNames, mapRefs, Ref } from "../../workspace-file/load/resolve-names.js";
import { toDeclarations } from "../../workspace-file/load/to-declarations.js";
import { AutomationError } from "../errors.js";
import type { ReplicationTarget } from "./target-document.js";

/** How the overlay limits a section of another kind. */
interface Limit {
  /** Logical name, such as `projects/web/pipelines`. */
  readonly section: string;
  readonly definition: Definition;
  /** Keys of entries that replicated objects need: their parents, and what they refer to. */
  readonly external: readonly string[];
  /** Nothing that is replicated is in these entries. */
  readonly whole: boolean;
}

/** Writes into the target's overlay what excludes all other kinds. */
export function applyWatchList(target: ReplicationTarget, wanted: ReadonlySet<string>): void {
  const limits = listLimits(target.base().tree, wanted);
  for (const step of ["write", "clear"] as const) {
    const { tree } = target.now();
    const sections = groupBy(listEntries(tree), ({ name }) => getSection(name));
    for (const limit of limits) new Writing(target, limit)[step](tree, sections.get(limit.section) ?? []);
  }
}

/** Lists wanted objects that the overlay excludes: its author, or an earlier list of kinds, wrote so. */
export function listExcludedKinds(target: ReplicationTarget, wanted: ReadonlySet<string>): string[] {
  const declared = new Set(target.now().declared.declarations.map(({ name }) => name));
  return target
    .base()
    .declared.declarations.filter(
      ({ definition, name }) => wanted.has(definition.type) && !declared.has(name),
    )
    .map(({ name }) => name);
}

const getSection = (name: string) => new LogicalName(name).section;

function listLimits(tree: MapTree, wanted: ReadonlySet<string>): Limit[] {
  const entries = listEntries(tree);
  const referred = listReferredTo(tree, wanted);
  const isWanted = ({ definition }: Entry) => wanted.has(definition.type);
  const needed = entries.filter(
    (entry) => isReplicated(entry, wanted) || (referred.has(entry.name) && isReachable(entry)),
  );
  const parents = new Set(needed.flatMap(({ parent }) => listAncestors(parent)));
  function isReachable({ definition, parent }: Entry): boolean {
    return (
      definition.document?.form === "map" && (parent === undefined || isWanted(parent) || isReachable(parent))
    );
  }
  const isExternal = (entry: Entry) => isReachable(entry) && (referred.has(entry.name) || parents.has(entry));
  const isVisited = (parent: Entry | undefined): boolean =>
    parent === undefined || ((isWanted(parent) || isExternal(parent)) && isVisited(parent.parent));
  return [...groupBy(entries, ({ name }) => getSection(name))].flatMap(([section, of]) => {
    const [first] = of;
    if (first === undefined || isWanted(first) || !isVisited(first.parent)) return [];
    const external = of.filter(isExternal);
    const whole = !external.some((entry) => parents.has(entry));
    return [{ section, definition: first.definition, external: external.map(({ key }) => key), whole }];
  });
}

function listAncestors(entry: Entry | undefined): Entry[] {
  return entry === undefined ? [] : [entry, ...listAncestors(entry.parent)];
}

const REMOVED = { $remove: true };
const EXTERNAL = { external: true };

class Writing {
  private readonly steps: readonly LocationStep[];

  constructor(
    private readonly target: ReplicationTarget,
    private readonly limit: Limit,
  ) {
    const parts = limit.section.split("/");
    this.steps = [...locateSteps(parts.slice(0, -1).join("/")), { key: parts.at(-1) ?? "" }];
  }

  /** Removes the entries, or makes them external. */
  write(tree: MapTree, entries: readonly Entry[]): void {
    const { external, whole } = this.limit;
    const isOwn = ({ path }: Entry) => this.target.isOwn(getPositionAt(tree, path, true));
    const others = entries.filter((entry) => !this.isExternal(entry.key) && !isOwn(entry));
    const missing = external.filter(
      (key) => !entries.some((entry) => entry.external && this.isSame(entry.key, key)),
    );
    if (whole) return this.replace(others.length > 0 || missing.length > 0, missing);
    for (const { key } of others) this.say([{ key }], REMOVED);
    for (const key of missing) this.makeExternal(key);
  }

  /** Removes the arguments of entries that are external now. */
  clear(tree: MapTree, entries: readonly Entry[]): void {
    for (const { definition, key, path, external } of entries) {
      const part = findPartAt(tree, path);
      if (!external || !this.isExternal(key) || part?.kind !== "map") continue;
      for (const [arg, member] of part.entries) {
        const shape = getShapeUnder({ is: "entry", kind: definition }, arg, member.value.kind === "list");
        // The overlay's own arguments are its author's responsibility: when they are invalid, validation reports them.
        if (arg === "external" || shape.is === "section" || this.target.isOwn(member.key)) continue;
        this.say([{ key }, { key: arg }], REMOVED);
      }
    }
  }

  private isExternal(key: string): boolean {
    return this.limit.external.some((one) => this.isSame(one, key));
  }

  /** Whether two keys name one object. The overlay may spell it in another way. */
  private isSame(one: string, other: string): boolean {
    const { definition } = this.limit;
    return isSameSpelling(getSpelling(definition, definition.document?.keyedBy ?? ""), one, other);
  }

  /** Replaces the whole section, which excludes later additions to it too. */
  private replace(isNeeded: boolean, missing: readonly string[]): void {
    if (!isNeeded) return;
    const { external } = this.limit;
    const own = this.said([]);
    if (Array.isArray(own)) throw this.noRoom();
    if (own === undefined) {
      const entries = Object.fromEntries(external.map((key) => [key, EXTERNAL]));
      return this.say([], external.length === 0 ? REMOVED : { $replace: true, ...entries });
    }
    if (!Object.hasOwn(own, "$replace")) this.say([{ key: "$replace" }], true);
    for (const key of missing) this.makeExternal(key);
  }

  private makeExternal(key: string): void {
    if (this.said([{ key }]) === undefined) this.say([{ key }], EXTERNAL);
    else this.say([{ key }, { key: "external" }], true);
  }

  /** The map or list that the overlay has there, unless it removes it. */
  private said(below: readonly LocationStep[]): object | undefined {
    const value = this.target.overlay.said([...this.steps, ...below]);
    return typeof value === "object" && value !== null && !("$remove" in value && value.$remove === true)
      ? value
      : undefined;
  }

  private say(below: readonly LocationStep[], value: unknown): void {
    if (!this.target.overlay.say([...this.steps, ...below], value)) throw this.noRoom();
  }

  private noRoom(): AutomationError {
    return new AutomationError(
      `${this.target.overlayFile} has ${this.limit.section}, which --kinds excludes, in a way that this command cannot rewrite (a placeholder, an alias or a template)`,
      "remove that from the overlay, or add the kind to --kinds",
    );
  }
}

/** Returns the logical names of all objects that the wanted kinds refer to, and of their ancestors. */
function listReferredTo(document: MapTree, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const entries = listEntries(document);
  const kept = new Set(entries.filter((entry) => isReplicated(entry, wanted)).map(({ name }) => name));
  const names = new DeclaredNames(entries);
  const found = new Set<string>();
  const add = (name: string | undefined) => {
    if (name !== undefined) for (const one of [...new LogicalName(name).ancestors, name]) found.add(one);
  };
  for (const { definition, name, args } of toDeclarations(document).declarations) {
    if (!kept.has(name)) continue;
    mapRefs(args, (ref) => {
      if (ref instanceof Ref) add(ref.name);
      return ref;
    });
    // External objects are referred to by name.
    for (const [arg, reference] of Object.entries(definition.references))
      mapReferences(reference, args[arg], (inner, value) => {
        if (typeof value === "string") add(names.find(inner.to, value)?.name);
        return value;
      });
  }
  return found;
}

/** Whether an object is replicated: an item of a list cannot be external, so excluding it excludes all that is in it. */
function isReplicated({ definition, parent }: Entry, wanted: ReadonlySet<string>): boolean {
  if (!wanted.has(definition.type)) return false;
  for (let at = parent; at !== undefined; at = at.parent)
    if (!wanted.has(at.definition.type) && at.definition.document?.form !== "map") return false;
  return true;
}
