/** The steps and drift of a plan as reports and saved plans contain them, with the arguments of each object, and how two plans differ for an approver. */
import { stripControls } from "../../client/printable.js";
import { getValueAt } from "../../diff/structural-diff.js";
import { hasSecret, isSameJson } from "../../diff/values.js";
import { convertArgumentsToJson, fromJson, toJson } from "../../text/json-value.js";
import { formatBlockLines, formatValue, showChange } from "../../text/shown-change.js";
import { pickDeclared, type PropertyChange } from "../plan/property-changes.js";
import type { RecordedPlan } from "../plan/record-plan.js";
import { buildShownKey, type ShownArgs } from "../plan/shown-arguments.js";
import { buildHashKey, type PlanHashes } from "../policy/plan-fingerprint.js";
import type { PublishedChange, PublishedDrift, PublishedStep, SavedPlan } from "./schema.js";

export function publishSteps({
  steps,
  shown,
  hashes,
}: Pick<RecordedPlan, "steps" | "shown"> & { readonly hashes?: PlanHashes }): PublishedStep[] {
  return steps.map(({ changes, replacedFor, reasons, ...step }) => {
    const args = shown.get(buildShownKey(step));
    const hash = hashes?.get(buildHashKey(step));
    return {
      ...step,
      before: publishArguments(args?.exact.before),
      after: publishArguments(args?.exact.after),
      changes: publishChanges(changes, step.operation === "adopt" ? undefined : args),
      replacedFor: [...replacedFor],
      reasons: [...reasons],
      ...(hash === undefined ? {} : { hash }),
    };
  });
}

export function publishDrift({ drift, shown }: Pick<RecordedPlan, "drift" | "shown">): PublishedDrift[] {
  return drift.map((one) => ({
    ...one,
    changes: publishChanges(one.changes, shown.get(buildShownKey(one, true))),
  }));
}

function publishArguments(args: ShownArgs["before"]): PublishedStep["before"] {
  return args === undefined ? null : convertArgumentsToJson(pickDeclared(args));
}

function publishChanges(changes: readonly PropertyChange[], args: ShownArgs | undefined): PublishedChange[] {
  return changes.map(({ parts, path, before, after }) => {
    // A change has names next to ids. What is secret is so in both values.
    const isSecret = hasSecret(before) || hasSecret(after);
    const exact = (side: "before" | "after", value: unknown) =>
      toJson(isSecret || args === undefined ? value : getValueAt(args.exact[side], parts));
    return { path, pathParts: [...parts], before: exact("before", before), after: exact("after", after) };
  });
}

type Step = SavedPlan["steps"][number];
type Change = Step["changes"][number];

/** Maximum number of objects. Further ones are counted. */
const NAMED = 30;
/** Maximum length of a change in the line of its property. */
const LONGEST = 100;

/** An object for which two plans do not do the same, and the lines that say so. */
interface DifferingObject {
  readonly name: string;
  readonly lines: readonly string[];
}

/** Compares two plans object by object. Fingerprints of secrets do not count. */
export function compareSteps(approved: readonly Step[], present: readonly Step[]): DifferingObject[] {
  const [before, after] = [groupByObject(approved), groupByObject(present)];
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  return keys.flatMap((key) => {
    const step = before.get(key) ?? after.get(key)!;
    const lines = compareObject(before.get(key), after.get(key));
    return lines.length === 0 ? [] : [{ name: step.name, lines }];
  });
}

/** Returns a heading and a line for each object; none when both plans have the same steps. */
export function listStepDifferences(approved: readonly Step[], present: readonly Step[]): string[] {
  const found = compareSteps(approved, present);
  if (found.length === 0) return [];
  const more = found.length - NAMED;
  return [
    "Differences from the approved plan:",
    ...found.slice(0, NAMED).flatMap(({ lines }) => lines.map((line) => stripControls(line))),
    ...(more > 0 ? [`  and ${more} more objects`] : []),
  ];
}

/** Returns the lines of one object, or nothing. */
function compareObject(approved: Step | undefined, present: Step | undefined): string[] {
  if (approved === undefined)
    return present === undefined ? [] : [`  + not approved: ${describeStep(present)}`];
  if (present === undefined) return [`  - approved, and not in this plan: ${describeStep(approved)}`];
  if (isSameJson(toComparable(approved), toComparable(present))) return [];
  const operation =
    approved.operation === present.operation ? [] : [`      approved: ${describeStep(approved)}`];
  return [
    `  ~ ${describeStep(present)}`,
    ...operation,
    ...formatChangeLines(approved.changes, present.changes),
  ];
}

function formatChangeLines(approved: readonly Change[], present: readonly Change[]): string[] {
  const paths = [...new Set([...approved, ...present].map(({ path }) => path))];
  return paths.flatMap((path) => {
    const [was, is] = [approved, present].map((all) => all.find((change) => change.path === path));
    if (formatArrow(was) === formatArrow(is)) return [];
    const texts = [formatArrow(was), formatArrow(is)];
    if (was === undefined || is === undefined || texts.every((text = "") => text.length <= LONGEST))
      return [`      ${path}: approved ${texts[0] ?? "nothing"}, now ${texts[1] ?? "nothing"}`];
    return [...formatSideLines(path, "before", was, is), ...formatSideLines(path, "after", was, is)];
  });
}

/** Compares one side of a change that both plans have. */
function formatSideLines(path: string, side: "before" | "after", was: Change, is: Change): string[] {
  const values = [fromJson(was[side]), fromJson(is[side])] as const;
  if (isSameJson(...values)) return [];
  const change = showChange(...values);
  const lines = formatBlockLines(change).map((line) => `        ${line}`);
  return [`      ${path}, ${side} (- approved, + now):`, ...lines];
}

function formatArrow(change: Change | undefined): string | undefined {
  return change && `${formatValue(fromJson(change.before))} → ${formatValue(fromJson(change.after))}`;
}

function describeStep({ operation, type, name, formerName, within }: Step): string {
  const former = formerName === undefined ? "" : ` (was ${formerName})`;
  const list = within === undefined ? "" : ` (in the list of ${within})`;
  return `${operation} ${type} ${name}${former}${list}`;
}

/** Omits the fingerprints of secrets, which differ without the same key, and so the hash. */
function toComparable({ before, after, changes, hash: _, ...step }: Step): unknown {
  return {
    ...step,
    before: before && fromJson(before),
    after: after && fromJson(after),
    changes: changes.map((change) => ({
      ...change,
      before: fromJson(change.before),
      after: fromJson(change.after),
    })),
  };
}

function groupByObject(steps: readonly Step[]): ReadonlyMap<string, Step> {
  return new Map(steps.map((step) => [`${step.name} ${step.type}`, step]));
}
