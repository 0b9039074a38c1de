/** Compares two sources: objects that only one has, and differences between the others and their order. */
import { isDeepStrictEqual } from "node:util";
import { sortFindings } from "../../diff/finding.js";
import { formatCount } from "../../diff/format-count.js";
import { type NotWatched, withIgnored } from "../../diff/ignored-changes.js";
import { getValueAt } from "../../diff/structural-diff.js";
import { pickDefined } from "../../diff/values.js";
import { type Fields, getArgsSchema, getVariant } from "../../provider/index.js";
import { LogicalName } from "../../resources/definition/logical-name.js";
import type { DocumentKind } from "../../resources/definition/placement.js";
import { isOwned, mapToNameInFile } from "../../workspace-file/load/owns.js";
import { comparedClasses } from "../report/finding-classes.js";
import {
  compareFinding,
  type Found,
  listSourceDifferences,
  maskArgument,
  showArgs,
  type SourceDifference,
} from "./compare-findings.js";
import type { CompareFinding, CompareReport } from "./compare-report.js";
import {
  type ComparedSource,
  Coverage,
  type Includes,
  joinSteps,
  type SourceObject,
  UnknownValue,
} from "./compared-source.js";
import { type Aligned, alignSources } from "./match-names.js";

export interface ComparisonResult extends Pick<CompareReport, "findings" | "hidden"> {
  /** Objects of which a source ignores changes. */
  readonly notWatched: readonly NotWatched[];
  /** Logical names of objects that both sources have. */
  readonly both: readonly string[];
}

/**
 * @param key key of the fingerprints, in hexadecimal
 * @param includes whether an object is compared
 */
export function compareSources(
  left: ComparedSource,
  right: ComparedSource,
  key: string,
  includes: Includes = () => true,
): ComparisonResult {
  return new WorkspaceComparison(alignSources(left, right), key, includes).run();
}

class WorkspaceComparison {
  private readonly found: CompareFinding[] = [];
  private readonly both: string[] = [];
  private readonly hidden = new Map<DocumentKind, Set<string>>();
  private readonly notWatched: NotWatched[] = [];
  private readonly left: Coverage;
  private readonly right: Coverage;

  constructor(
    { left, right, strange }: Aligned,
    private readonly key: string,
    includes: Includes,
  ) {
    const [ofLeft, ofRight] = [matchOwned(left), matchOwned(right)];
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
    for (const { parent, type, ...order } of listOrderDifferences(left, right))
      this.report(type, parent, [left.objects.get(parent), right.objects.get(parent)], order);
    const hidden = [...this.hidden].map(([{ type, noun }, args]) => ({
      type,
      noun,
      arguments: [...args].sort(),
    }));
    return {
      findings: sortFindings(this.found, comparedClasses),
      both: this.both,
      hidden: hidden.toSorted((a, b) => (a.type < b.type ? -1 : 1)),
      notWatched: this.notWatched,
    };
  }

  private pair(name: string, one: SourceObject, other: SourceObject): void {
    this.both.push(name);
    const { definition } = one;
    const ignored = [...new Set([...(one.ignoreChanges ?? []), ...(other.ignoreChanges ?? [])])];
    if (ignored.length > 0) this.notWatched.push({ type: definition.type, name, paths: ignored });
    const args = withIgnored(one.args, other.args, ignored);
    const common = listCommonArgs(definition, one.args, other.args);
    const names = [...new Set([...Object.keys(args), ...Object.keys(other.args)])].filter(
      (arg) => !ignored.includes(arg),
    );
    for (const arg of names.filter((each) => common === undefined || common.has(each))) {
      const [left, right] = [args[arg], other.args[arg]];
      const differences = listSourceDifferences([arg], left, right, definition.sets.includes(arg));
      if (differences.length === 0 && (isHidden(left) || isHidden(right)))
        this.hidden.set(definition, (this.hidden.get(definition) ?? new Set()).add(arg));
      for (const difference of differences) this.report(definition.type, name, [one, other], difference);
    }
  }

  private report(
    type: string,
    name: string,
    [one, other]: readonly (SourceObject | undefined)[],
    { path, left, right, unverifiable: note }: SourceDifference,
  ): void {
    const arg = String(path[0]);
    const shown = maskArgument(arg, one, other);
    this.add({
      class: note === undefined ? "changed" : "unverifiable",
      type,
      name,
      path,
      left: shown === undefined ? left : getValueAt(shown[0], path.slice(1)),
      right: shown === undefined ? right : getValueAt(shown[1], path.slice(1)),
      note,
      secret: shown === undefined && [one, other].some((object) => object?.secrets?.has(arg)),
      links: pickDefined({ left: one?.link, right: other?.link }),
      places: pickDefined({ left: one?.locate?.(path), right: other?.locate?.(path) }),
    });
  }

  private add(found: Found): void {
    this.found.push(compareFinding(found, this.key));
  }

  /** Reports objects that only one source has; children of a missing object are only counted. */
  private oneSided(as: "missing" | "added", here: Coverage, there: Coverage): void {
    const only = [...here.objects]
      .filter(([name]) => !there.has(name))
      .toSorted(([, a], [, b]) => a.steps.length - b.steps.length);
    const names = new Set(only.map(([name]) => name));
    for (const [name, object] of only) {
      if (new LogicalName(name).ancestors.some((each) => names.has(each))) continue;
      const doubt = here.doubtOf(object) ?? there.doubtOfAbsence(name, object);
      if (doubt === "reported") continue;
      const children = only.filter(([each]) => each.startsWith(`${name}/`)).length;
      const counted = `with ${formatCount(children, "object")} in it`;
      const note = [doubt, children === 0 ? undefined : counted].filter((each) => each !== undefined);
      const [own, others] = as === "missing" ? (["left", "right"] as const) : (["right", "left"] as const);
      this.add({
        class: doubt === undefined ? as : "unverifiable",
        type: object.definition.type,
        name,
        path: [],
        [own]: showArgs(object, this.key),
        note: note.length === 0 ? undefined : note.join("; "),
        links: pickDefined({ [own]: object.link }),
        places: pickDefined({ [own]: object.locate?.([]), [others]: there.side.placeFor?.(object.steps) }),
      });
    }
  }
}

/** Returns what a source owns: everything, unless it is a file that says otherwise. */
function matchOwned(source: ComparedSource): (name: string) => boolean {
  const { owns } = source.facts;
  if (owns === undefined) return () => true;
  const inFile = mapToNamesInFile(source);
  return (name) => isOwned(owns, inFile(name));
}

/** Returns the name in the file for an object of the service, which may have another one there. */
export function mapToNamesInFile({ objects, omitted }: ComparedSource): (name: string) => string {
  const names = new Map([...objects, ...omitted].map((one) => [joinSteps(one.steps), one.nameInFile]));
  return (name) => mapToNameInFile(name, (live) => names.get(live));
}

function isHidden(value: unknown): boolean {
  return value instanceof UnknownValue && value.presence !== "unsaid";
}

/** The arguments that both kinds have, where the objects are of different kinds (an action of another type). */
function listCommonArgs(
  definition: DocumentKind,
  one: Fields,
  other: Fields,
): ReadonlySet<string> | undefined {
  if (getVariant(definition, one) === getVariant(definition, other)) return undefined;
  const [a, b] = [one, other].map((args) => Object.keys(getArgsSchema(definition, args).shape));
  return new Set(a?.filter((name) => b?.includes(name)));
}

/** Difference of the keys in a list. */
interface OrderDifference extends SourceDifference {
  /** Logical name and type of the object that contains the list. */
  readonly parent: string;
  readonly type: string;
}

function listOrderDifferences(left: Coverage, right: Coverage): OrderDifference[] {
  const [ofLeft, ofRight] = [collectLists(left), collectLists(right)];
  return [...ofLeft].flatMap(([id, list]) => {
    const other = ofRight.get(id);
    if (other === undefined) return [];
    const [ours, theirs] = [new Set(list.keys), new Set(other.keys)];
    const one = list.keys.filter((key) => theirs.has(key));
    const two = other.keys.filter((key) => ours.has(key));
    if (one.length < 2) return [];
    const { parent, type, section } = list;
    const difference = { parent, type, path: [section], left: one, right: two };
    const unordered = [left, right].find(({ side }) => side.unordered.has(parent));
    if (unordered !== undefined)
      return [{ ...difference, unverifiable: `${unordered.side.facts.name} does not show their order` }];
    return isDeepStrictEqual(one, two) ? [] : [difference];
  });
}

interface List {
  readonly parent: string;
  readonly type: string;
  readonly section: string;
  readonly keys: string[];
}

function collectLists({ objects }: Coverage): Map<string, List> {
  const lists = new Map<string, List>();
  for (const { definition, steps } of objects.values()) {
    if (definition.document.form !== "list") continue;
    const parent = joinSteps(steps.slice(0, -1));
    const type = steps.at(-2)?.type ?? "";
    const { section, key } = steps.at(-1) as (typeof steps)[number];
    const id = `${parent}/${section}`;
    const list = lists.get(id) ?? { parent, type, section, keys: [] };
    list.keys.push(key);
    lists.set(id, list);
  }
  return lists;
}
