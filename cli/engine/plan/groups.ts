/** Groups equal steps, so that a long plan takes few lines. */
import type { PlanStep } from "./steps.js";

/** Number of steps from which equal ones are grouped. */
export const MANY = 60;

/** Steps that share a line: the same operation and type, with the same changes or the same parent. */
export interface StepGroup {
  readonly steps: readonly PlanStep[];
  /** Common prefix of their names, up to the last /; empty without one. */
  readonly place: string;
}

/** Groups steps in the order of their first ones; with few steps, or with `whole`, each is a group of its own. */
export function groupSteps(steps: readonly PlanStep[], whole = false): StepGroup[] {
  if (whole || steps.length < MANY) return steps.map((step) => ({ steps: [step], place: "" }));
  const groups = new Map<string, PlanStep[]>();
  for (const step of steps) {
    const key = keyOf(step);
    const group = groups.get(key);
    if (group) group.push(step);
    else groups.set(key, [step]);
  }
  return [...groups.values()].map((group) => ({ steps: group, place: commonPlace(group) }));
}

/** Key that two steps have to share to be grouped. */
function keyOf({ operation, type, name, formerName, changes, reasons }: PlanStep): string {
  // A rename or a replacement is always shown by itself.
  if (formerName !== undefined || operation === "replace") return JSON.stringify([operation, name]);
  if (operation === "update" || operation === "adopt")
    return JSON.stringify([operation, type, changes, reasons]);
  // New objects are grouped by project, deleted ones by their exact parent.
  return JSON.stringify([operation, type, operation === "create" ? topOf(name) : placeOf(name)]);
}

function topOf(name: string): string {
  const parts = name.split("/");
  return parts.slice(0, Math.min(2, parts.length - 1)).join("/");
}

function placeOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function commonPlace(steps: readonly PlanStep[]): string {
  const parts = steps.map(({ name }) => placeOf(name).split("/"));
  const [first = []] = parts;
  const same = first.findIndex((part, index) => parts.some((other) => other[index] !== part));
  const common = first.slice(0, same < 0 ? first.length : same).join("/");
  return common === "" || common.endsWith("/") ? common : `${common}/`;
}
