/** Compares two sources: objects that only one has, and differences between the others and their order. */
import { withIgnored, type NotWatched } from "../../../diff/ignored-changes.js";
import type { PropertyPath } from "../../../provider/definition/problems.js";
import type { Location } from "../../../workspace-file/index.js";
import { argsSchema, variantOf, type Fields } from "../../../provider/index.js";
import { isOwned, nameInFile } from "../../../workspace-file/load/owns.js";
import { sourceDifferences, type SourceDifference } from "./differences.js";
import { Coverage, type Includes } from "./coverage.js";
import { UnknownValue, type Kind, type ComparedSource, type SourceObject, nameOfSteps } from "./object.js";
import { aligned, type Aligned } from "./names.js";
import type { ComparedClass } from "./classes.js";
import { isDeepStrictEqual } from "node:util";

/** The result for an object, or for one of its properties. */
export interface ComparedObject {
  readonly class: ComparedClass;
  readonly type: string;
  readonly name: string;
  readonly path: PropertyPath;
  readonly left?: unknown;
  readonly right?: unknown;
  readonly note?: string;
  readonly links: { readonly left?: string; readonly right?: string };
  readonly places: { readonly left?: Location; readonly right?: Location };
}

export interface HiddenArgs {
  readonly type: string;
  readonly noun: string;
  readonly args: Set<string>;
}

export interface ComparisonResult {
  readonly found: readonly ComparedObject[];
  /** Logical names of objects that both sources have. */
  readonly both: readonly string[];
  /** Arguments that neither source contains, by resource type. */
  readonly hidden: ReadonlyMap<string, HiddenArgs>;
  /** Objects of which a source ignores changes. */
  readonly notWatched: readonly NotWatched[];
}

/** @param includes whether an object is compared */
export function compareSources(
  left: ComparedSource,
  right: ComparedSource,
  includes: Includes = () => true,
): ComparisonResult {
  return new WorkspaceComparison(aligned(left, right), includes).run();
}

class WorkspaceComparison {
  private readonly found: ComparedObject[] = [];
  private readonly both: string[] = [];
  private readonly hidden = new Map<string, HiddenArgs>();
  private readonly notWatched: NotWatched[] = [];
  private readonly left: Coverage;
  private readonly right: Coverage;

  constructor({ left, right, strange }: Aligned, includes: Includes) {
    const [ofLeft, ofRight] = [ownedBy(left), ownedBy(right)];
    const compared: Includes = (one) => includes(one) && ofLeft(one.name) && ofRight(one.name);
    this.left = new Coverage(left, strange, compared);
    this.right = new Coverage(right, strange, compared);
  }

  run(): ComparisonResult {
    const { left, right } = this;
    for (const [name, object] of left.objects) {
      const other = right.objects.get(name);
      if (other !== undefined) this.pair(name, object, other);
    }
    this.oneSided("missing", left, right);
    this.oneSided("added", right, left);
    for (const { holder, type, section, ...order } of orderDifferences(left, right)) {
      const sides = [left.objects.get(holder), right.objects.get(holder)];
      this.report(type, holder, sides, { ...order, path: [section] });
    }
    return { found: this.found, both: this.both, hidden: this.hidden, notWatched: this.notWatched };
  }

  private pair(name: string, one: SourceObject, other: SourceObject): void {
    this.both.push(name);
    const { definition } = one;
    const ignored = [...new Set([...(one.ignoreChanges ?? []), ...(other.ignoreChanges ?? [])])];
    if (ignored.length > 0) this.notWatched.push({ type: definition.type, name, paths: ignored });
    const args = withIgnored(one.args, other.args, ignored);
    const common = commonArgs(definition, one.args, other.args);
    const names = [...new Set([...Object.keys(args), ...Object.keys(other.args)])].filter(
      (arg) => !ignored.includes(arg),
    );
    for (const arg of names.filter((each) => common === undefined || common.has(each))) {
      const [left, right] = [args[arg], other.args[arg]];
      const differences = sourceDifferences([arg], left, right, definition.sets.includes(arg));
      if (differences.length === 0 && (isHidden(left) || isHidden(right))) this.hide(definition, arg);
      for (const difference of differences) this.report(definition.type, name, [one, other], difference);
    }
  }

  private hide({ type, noun }: Kind, arg: string): void {
    const known = this.hidden.get(type) ?? { type, noun, args: new Set<string>() };
    this.hidden.set(type, known);
    known.args.add(arg);
  }

  private report(
    type: string,
    name: string,
    [one, other]: readonly (SourceObject | undefined)[],
    { path, left, right, unverifiable: note }: SourceDifference,
  ): void {
    this.found.push({
      ...{ class: note === undefined ? "changed" : "unverifiable", type, name, path },
      ...defined({ left, right, note }),
      links: defined({ left: one?.link, right: other?.link }),
      places: defined({ left: one?.placeOf?.(path), right: other?.placeOf?.(path) }),
    });
  }

  /** Reports objects that only one source has; children of a missing object are only counted. */
  private oneSided(as: "missing" | "added", here: Coverage, there: Coverage): void {
    const only = [...here.objects]
      .filter(([name]) => !there.has(name))
      .toSorted(([, a], [, b]) => a.steps.length - b.steps.length);
    const names = new Set(only.map(([name]) => name));
    for (const [name, object] of only) {
      if (above(name).some((each) => names.has(each))) continue;
      const doubt = here.doubtOf(object) ?? there.doubtOfAbsence(name, object);
      if (doubt === "reported") continue;
      const children = only.filter(([each]) => each.startsWith(`${name}/`)).length;
      const counted = `with ${children} ${children === 1 ? "object" : "objects"} in it`;
      const note = [doubt, children === 0 ? undefined : counted].filter((each) => each !== undefined);
      const [own, others] = as === "missing" ? (["left", "right"] as const) : (["right", "left"] as const);
      this.found.push({
        ...{ class: doubt === undefined ? as : "unverifiable", type: object.definition.type, name, path: [] },
        [own]: object.args,
        ...(note.length === 0 ? {} : { note: note.join("; ") }),
        links: defined({ [own]: object.link }),
        places: defined({ [own]: object.placeOf?.([]), [others]: there.side.placeFor?.(object.steps) }),
      });
    }
  }
}

/** Returns what a source owns: everything, unless it is a file that says otherwise. */
function ownedBy(source: ComparedSource): (name: string) => boolean {
  const { owns } = source.facts;
  if (owns === undefined) return () => true;
  const inFile = namesInFile(source);
  return (name) => isOwned(owns, inFile(name));
}

/** Returns the name in the file for an object of the service, which may have another one there. */
export function namesInFile({ objects, omitted }: ComparedSource): (name: string) => string {
  const names = new Map([...objects, ...omitted].map((one) => [nameOfSteps(one.steps), one.nameInFile]));
  return (name) => nameInFile(name, (live) => names.get(live));
}

function isHidden(value: unknown): boolean {
  return value instanceof UnknownValue && value.presence !== "unsaid";
}

/** The arguments that both kinds have, where the objects are of different kinds (an action of another type). */
function commonArgs(definition: Kind, one: Fields, other: Fields): ReadonlySet<string> | undefined {
  if (variantOf(definition, one) === variantOf(definition, other)) return undefined;
  const [a, b] = [one, other].map((args) => Object.keys(argsSchema(definition, args).shape));
  return new Set(a?.filter((name) => b?.includes(name)));
}

/** Logical names of an object's ancestors, the outermost first. */
function above(name: string): string[] {
  const parts = name.split("/");
  const names = [];
  for (let end = 2; end < parts.length; end += 2) names.push(parts.slice(0, end).join("/"));
  return names;
}

function defined<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

interface OrderDifference {
  /** Logical name and type of the object that contains the list. */
  readonly holder: string;
  readonly type: string;
  readonly section: string;
  /** Names in the order of the list. */
  readonly left: readonly string[];
  readonly right: readonly string[];
  readonly unverifiable?: string;
}

function orderDifferences(left: Coverage, right: Coverage): OrderDifference[] {
  const [ofLeft, ofRight] = [listsOf(left), listsOf(right)];
  return [...ofLeft].flatMap(([id, list]) => {
    const other = ofRight.get(id);
    if (other === undefined) return [];
    const [ours, theirs] = [new Set(list.keys), new Set(other.keys)];
    const one = list.keys.filter((key) => theirs.has(key));
    const two = other.keys.filter((key) => ours.has(key));
    if (one.length < 2) return [];
    const { holder, type, section } = list;
    const unordered = [left, right].find(({ side }) => side.unordered.has(holder));
    if (unordered !== undefined) {
      const unverifiable = `${unordered.side.facts.name} does not show their order`;
      return [{ holder, type, section, left: one, right: two, unverifiable }];
    }
    return isDeepStrictEqual(one, two) ? [] : [{ holder, type, section, left: one, right: two }];
  });
}

interface List {
  readonly holder: string;
  readonly type: string;
  readonly section: string;
  readonly keys: string[];
}

function listsOf({ objects }: Coverage): Map<string, List> {
  const lists = new Map<string, List>();
  for (const { definition, steps } of objects.values()) {
    if (definition.document.form !== "list") continue;
    const holder = nameOfSteps(steps.slice(0, -1));
    const type = steps.at(-2)?.type ?? "";
    const { section, key } = steps.at(-1) as (typeof steps)[number];
    const id = `${holder}/${section}`;
    const list = lists.get(id) ?? { holder, type, section, keys: [] };
    list.keys.push(key);
    lists.set(id, list);
  }
  return lists;
}
