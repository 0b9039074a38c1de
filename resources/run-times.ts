/** Describes when pipelines and actions run by themselves. */
import { KNOWN_LATER, UNKNOWN } from "../diff/values.js";
import { readCron } from "./cron/expression.js";
import { getReadings, isAmbiguous } from "./cron/schedulers.js";
import type { Fields, RunTimes } from "./definition/definition.js";

export const pipelineRunTimes: RunTimes = { of: describeStart, otherwise: "only when it is started" };
export const actionRunTimes: RunTimes = { of: findMoment, otherwise: "never", usual: "in every run" };

function describeStart(args: Fields): string | undefined {
  const { triggerMode, refType, refName, cron, startDate, delay, paused, runAlways } = args;
  const word = (value: unknown) => (value === UNKNOWN ? KNOWN_LATER : String(value));
  if (triggerMode === UNKNOWN) return `when its trigger mode says so ${KNOWN_LATER}`;
  if (triggerMode === "ON_EVERY_PUSH")
    return `on every push to ${word(refType ?? "ref").toLowerCase()} ${word(refName)}`;
  if (triggerMode !== "SCHEDULED" || paused === true) return undefined;
  // Nobody declared the schedule of a pipeline that was set to SCHEDULED outside.
  const interval =
    startDate == null
      ? "on a schedule that the service does not return"
      : `on the schedule from ${word(startDate)} with delay ${word(delay)}`;
  const times = cron == null ? interval : describeCron(word(cron));
  return `${times}${refName == null ? "" : ` with ${word(refName)}`}${runAlways === true ? ", if the branch has changed" : ""}`;
}

/** Describes a cron expression in words, if these are short. */
function describeCron(cron: string): string {
  const [, minute = "", hour = ""] = /^(\d+) (\d+) \* \* \*$/.exec(cron) ?? [];
  if (hour === "") return `on the schedule ${cron}${describeDoubt(cron)}`;
  return `daily at ${hour.padStart(2, "0")}:${minute.padStart(2, "0")} (${cron})`;
}

function describeDoubt(cron: string): string {
  if (cron === KNOWN_LATER) return "";
  const expression = readCron(cron);
  if (expression === undefined) return " (times not known: no scheduler is known to accept it)";
  const isDoubtful = [...expression.forms].some((form) => isAmbiguous(getReadings(form)));
  return isDoubtful ? " (times not known: schedulers differ)" : "";
}

const MOMENTS: Readonly<Record<string, string>> = {
  ON_EVERY_EXECUTION: "in every run",
  ON_FAILURE: "when a run fails",
  ON_BACK_TO_SUCCESS: "when a run succeeds after one that failed",
};

function findMoment({ triggerTime, disabled }: Fields): string | undefined {
  if (disabled === true) return undefined;
  const moment = triggerTime === UNKNOWN ? "a time known later" : String(triggerTime);
  return MOMENTS[moment] ?? `at ${moment}`;
}
