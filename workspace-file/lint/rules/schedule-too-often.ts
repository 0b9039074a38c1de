/** Lint rule: a pipeline is scheduled too often. */
import { type CronTimes, listNextRuns } from "../../../resources/index.js";
import type { Rule } from "../rule.js";
import { listSchedules } from "../schedules.js";

/** Minimum minutes between two runs. Closer runs queue up, since a run takes minutes. */
const MINUTES = 5;
/** Number of runs that are compared: every minute of two hours. */
const COMPARED = 120;

export const scheduleTooOften: Rule = {
  code: "schedule-too-often",
  severity: "warning",
  description: `A pipeline is scheduled more often than every ${MINUTES} minutes.`,
  remedy:
    "Run it less often, or on pushes. A `*` in the first field means every minute; `0 * * * *` is every hour.",
  // A `delay` is not checked, because the service documents no unit for it.
  *check(linted) {
    for (const { pipeline, times } of listSchedules(linted)) {
      const minutes = times === undefined ? Infinity : findShortestGap(times, linted.now);
      if (minutes < MINUTES) yield linted.atArg(pipeline, "cron", formatMessageFor(minutes));
    }
  },
};

function formatMessageFor(minutes: number): string {
  return `a run starts every ${minutes === 1 ? "minute" : `${minutes} minutes`}, before the last one is done`;
}

/** Returns the shortest time between two runs in minutes. */
function findShortestGap(times: CronTimes, now: Date): number {
  const runs = listNextRuns(times, now, COMPARED);
  const gaps = runs.slice(1).map((run, index) => run.getTime() - (runs[index] as Date).getTime());
  return Math.min(Infinity, ...gaps) / 60_000;
}
