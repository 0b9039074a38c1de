/** Finds what a plan makes run that did not run before, and what it stops: objects that start by themselves, such as pipelines. */
import { findDefinition } from "../../provider/index.js";
import type { PlannedObject } from "../plan/planned-objects.js";
import { compareByName } from "../urn.js";

interface NewRun {
  /** Resource type, such as Pipeline. */
  readonly type: string;
  /** Logical name. */
  readonly name: string;
  /** When it runs. */
  readonly runs: string;
  /** When it ran before; absent for a new object. */
  readonly before?: string;
}

export function listNewRuns(objects: readonly PlannedObject[]): NewRun[] {
  const created = objects.filter(({ type, before }) => runTimesOf(type) && before === undefined);
  // What a new object contains runs with it.
  const isCovered = (name: string) => created.some((one) => name.startsWith(`${one.name}/`));
  // The engine's order differs from run to run.
  return objects.toSorted(compareByName).flatMap(({ type, name, before, after }): NewRun[] => {
    const times = runTimesOf(type);
    if (times === undefined || after === undefined || isCovered(name)) return [];
    const runs = times.of(after);
    const ran = before === undefined ? undefined : times.of(before);
    if (runs === undefined || runs === ran) return [];
    return [{ type, name, runs, ...(before === undefined ? {} : { before: ran ?? times.otherwise }) }];
  });
}

/** What no longer runs by itself, with the time at which it ran. */
interface StoppedRun {
  readonly type: string;
  readonly name: string;
  readonly before: string;
}

export function listStoppedRuns(objects: readonly PlannedObject[]): StoppedRun[] {
  const stopped = objects
    .toSorted(compareByName)
    .flatMap(({ type, name, operation, before, after }): StoppedRun[] => {
      const times = runTimesOf(type);
      const ran = before && times?.of(before);
      if (times === undefined || ran === undefined) return [];
      // A released object has no arguments in the plan, and runs as before.
      const isGone = operation === "delete" || (after !== undefined && times.of(after) === undefined);
      return isGone ? [{ type, name, before: ran }] : [];
    });
  // What a stopped object contains stops with it.
  return stopped.filter(({ name }) => !stopped.some((other) => name.startsWith(`${other.name}/`)));
}

const runTimesOf = (type: string) => findDefinition(type)?.runTimes;
