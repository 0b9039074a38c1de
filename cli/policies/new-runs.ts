/** Finds what will run after a plan that did not run before: pipelines that start by themselves, and their actions. */
import { UNKNOWN } from "../../diff/values.js";
import type { PlannedObject, Properties } from "../engine/plan/objects.js";

export interface NewRun {
  /** Resource type: Pipeline or Action. */
  readonly type: string;
  /** Logical name. */
  readonly name: string;
  /** When it runs. */
  readonly runs: string;
  /** When it ran before; absent for a new object. */
  readonly before?: string;
}

/** When an object runs by itself; undefined when it does not. */
type Moment = (args: Properties) => string | undefined;

const MOMENTS: Readonly<Record<string, Moment>> = { Pipeline: start, Action: inRun };
const NEVER: Readonly<Record<string, string>> = { Pipeline: "only when it is started", Action: "never" };

export function newRuns(objects: readonly PlannedObject[]): NewRun[] {
  const created = objects.filter(({ type, before }) => type === "Pipeline" && before === undefined);
  // The actions of a new pipeline run with it.
  const isCovered = (name: string) => created.some((pipeline) => name.startsWith(`${pipeline.name}/`));
  return objects.flatMap(({ type, name, before, after, within }): NewRun[] => {
    const moment = MOMENTS[type];
    if (moment === undefined || after === undefined || within !== undefined || isCovered(name)) return [];
    const runs = moment(after);
    const ran = before === undefined ? undefined : moment(before);
    if (runs === undefined || runs === ran) return [];
    return [{ type, name, runs, ...(before === undefined ? {} : { before: ran ?? NEVER[type] ?? "" }) }];
  });
}

function start({
  triggerMode,
  refType,
  refName,
  cron,
  startDate,
  delay,
  paused,
  runAlways,
}: Properties): string | undefined {
  const word = (value: unknown) => (value === UNKNOWN ? "(known later)" : String(value));
  if (triggerMode === UNKNOWN) return "when its trigger mode says so (known later)";
  if (triggerMode === "ON_EVERY_PUSH")
    return `on every push to ${word(refType ?? "ref").toLowerCase()} ${word(refName)}`;
  if (triggerMode !== "SCHEDULED" || paused === true) return undefined;
  const times = cron == null ? `from ${word(startDate)} with delay ${word(delay)}` : word(cron);
  return `on the schedule ${times}${runAlways === true ? ", if the branch has changed" : ""}`;
}

const TIMES: Readonly<Record<string, string>> = {
  ON_EVERY_EXECUTION: "in every run",
  ON_FAILURE: "when a run fails",
  ON_BACK_TO_SUCCESS: "when a run succeeds after one that failed",
};

function inRun({ triggerTime, disabled }: Properties): string | undefined {
  if (disabled === true) return undefined;
  return (
    TIMES[String(triggerTime)] ?? `at ${triggerTime === UNKNOWN ? "a time known later" : String(triggerTime)}`
  );
}
