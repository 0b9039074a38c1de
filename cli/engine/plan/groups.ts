/** Many steps as few lines: what is the same is told once. */
import type { Step } from "./steps.js";

/** From so many steps on, equal ones are told together. */
export const MANY = 60;

/** Steps that are told in one line: of one operation and type, with the same changes or in the same place. */
export interface StepGroup {
  readonly steps: readonly Step[];
  /** What their names begin with, up to the last /; empty where they have nothing in common. */
  readonly place: string;
}

/** Groups in the order of their first steps; with few steps, or with `whole`, each is a group of its own. */
export function groupSteps(steps: readonly Step[], whole = false): StepGroup[] {
  if (whole || steps.length < MANY) return steps.map((step) => ({ steps: [step], place: "" }));
  const groups = new Map<string, Step[]>();
  for (const step of steps) {
    const key = keyOf(step);
    const group = groups.get(key);
    if (group) group.push(step);
    else groups.set(key, [step]);
  }
  return [...groups.values()].map((group) => ({ steps: group, place: commonPlace(group) }));
}

/** What two steps have to share to be told together. */
function keyOf({ operation, type, name, formerName, changes, reasons }: Step): string {
  // A rename, and an object that is made anew, are never one of many.
  if (formerName !== undefined || operation === "replace") return JSON.stringify([operation, name]);
  if (operation === "update" || operation === "adopt")
    return JSON.stringify([operation, type, changes, reasons]);
  // Of what is new it matters in which project it is; of what goes, exactly where it was.
  return JSON.stringify([operation, type, operation === "create" ? topOf(name) : placeOf(name)]);
}

function topOf(name: string): string {
  const parts = name.split("/");
  return parts.slice(0, Math.min(2, parts.length - 1)).join("/");
}

function placeOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function commonPlace(steps: readonly Step[]): string {
  const parts = steps.map(({ name }) => placeOf(name).split("/"));
  const [first = []] = parts;
  const same = first.findIndex((part, index) => parts.some((other) => other[index] !== part));
  const common = first.slice(0, same < 0 ? first.length : same).join("/");
  return common === "" || common.endsWith("/") ? common : `${common}/`;
}
