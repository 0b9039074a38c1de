/** Lists the differences between two plans, object by object, as an approver reads them. */
import { stripControls } from "../../../client/printable.js";
import { isSameJson } from "../../../diff/values.js";
import { fromJson } from "../../json-value.js";
import { blockLines, shownChange, valueText } from "../../terminal/change.js";
import type { SavedPlan } from "./schema.js";

type Step = SavedPlan["steps"][number];
type Change = Step["changes"][number];

/** Maximum number of objects. Further ones are counted. */
const NAMED = 30;
/** Maximum length of a change in the line of its property. */
const LONGEST = 100;

/** Returns a heading and a line for each object; none when both plans have the same steps. */
export function stepDifferences(approved: readonly Step[], present: readonly Step[]): string[] {
  const [before, after] = [byObject(approved), byObject(present)];
  const names = [...new Set([...before.keys(), ...after.keys()])].toSorted();
  const found = names.flatMap((name) => ofObject(before.get(name), after.get(name)));
  if (found.length === 0) return [];
  const shown = found.slice(0, NAMED).flat();
  const more = found.length - NAMED;
  return [
    "Differences from the approved plan:",
    ...shown.map((line) => stripControls(line)),
    ...(more > 0 ? [`  and ${more} more objects`] : []),
  ];
}

/** Returns the lines of one object, or nothing. */
function ofObject(approved: Step | undefined, present: Step | undefined): string[][] {
  if (approved === undefined) return present === undefined ? [] : [[`  + not approved: ${words(present)}`]];
  if (present === undefined) return [[`  - approved, and not in this plan: ${words(approved)}`]];
  if (isSameJson(comparable(approved), comparable(present))) return [];
  const operation = approved.operation === present.operation ? [] : [`      approved: ${words(approved)}`];
  return [[`  ~ ${words(present)}`, ...operation, ...changeLines(approved.changes, present.changes)]];
}

function changeLines(approved: readonly Change[], present: readonly Change[]): string[] {
  const paths = [...new Set([...approved, ...present].map(({ path }) => path))];
  return paths.flatMap((path) => {
    const [was, is] = [approved, present].map((all) => all.find((change) => change.path === path));
    if (arrow(was) === arrow(is)) return [];
    const texts = [arrow(was), arrow(is)];
    if (was === undefined || is === undefined || texts.every((text = "") => text.length <= LONGEST))
      return [`      ${path}: approved ${texts[0] ?? "nothing"}, now ${texts[1] ?? "nothing"}`];
    return [...sideLines(path, "before", was, is), ...sideLines(path, "after", was, is)];
  });
}

/** Compares one side of a change that both plans have. */
function sideLines(path: string, side: "before" | "after", was: Change, is: Change): string[] {
  const values = [fromJson(was[side]), fromJson(is[side])] as const;
  if (isSameJson(...values)) return [];
  const change = shownChange(...values);
  const lines = blockLines(change).map((line) => `        ${line}`);
  return [`      ${path}, ${side} (- approved, + now):`, ...lines];
}

function arrow(change: Change | undefined): string | undefined {
  return change && `${valueText(fromJson(change.before))} → ${valueText(fromJson(change.after))}`;
}

function words({ operation, type, name, formerName, within }: Step): string {
  const former = formerName === undefined ? "" : ` (was ${formerName})`;
  const list = within === undefined ? "" : ` (in the list of ${within})`;
  return `${operation} ${type} ${name}${former}${list}`;
}

/** Omits the fingerprints of secrets, which differ without the same key. */
function comparable({ before, after, changes, ...step }: Step): unknown {
  return {
    ...step,
    ...{ before: before && fromJson(before), after: after && fromJson(after) },
    changes: changes.map((change) => ({
      ...change,
      ...{ before: fromJson(change.before), after: fromJson(change.after) },
    })),
  };
}

function byObject(steps: readonly Step[]): ReadonlyMap<string, Step> {
  return new Map(steps.map((step) => [`${step.name} ${step.type}`, step]));
}
