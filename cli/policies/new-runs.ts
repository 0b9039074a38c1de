/** Finds what will run after a plan that did not run before: objects that start by themselves, such as pipelines. */
import { definitionOf } from "../../provider/index.js";
import type { PlannedObject } from "../engine/plan/objects.js";

export interface NewRun {
  /** Resource type, such as Pipeline. */
  readonly type: string;
  /** Logical name. */
  readonly name: string;
  /** When it runs. */
  readonly runs: string;
  /** When it ran before; absent for a new object. */
  readonly before?: string;
}

export function newRuns(objects: readonly PlannedObject[]): NewRun[] {
  const runTimesOf = (type: string) => definitionOf(type).runTimes;
  const created = objects.filter(({ type, before }) => runTimesOf(type) && before === undefined);
  // What a new object contains runs with it.
  const isCovered = (name: string) => created.some((one) => name.startsWith(`${one.name}/`));
  return objects.flatMap(({ type, name, before, after, within }): NewRun[] => {
    const times = runTimesOf(type);
    if (times === undefined || after === undefined || within !== undefined || isCovered(name)) return [];
    const runs = times.of(after);
    const ran = before === undefined ? undefined : times.of(before);
    if (runs === undefined || runs === ran) return [];
    return [{ type, name, runs, ...(before === undefined ? {} : { before: ran ?? times.otherwise }) }];
  });
}
