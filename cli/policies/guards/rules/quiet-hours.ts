/** Guard: a plan is applied in quiet hours. */
import type { QuietTime } from "../../../../workspace-file/index.js";
import type { Guard } from "../types.js";
import { Cron } from "croner";

export const quietHours: Guard = {
  code: "quiet-hours",
  refuses:
    "Any change at certain times: by days and times of day, or by a CRON expression with a duration, in a time zone.",
  settings: "`quietHours`",
  setting: "quietHours",
  judge({ objects, settings, now }) {
    const changed = objects.filter(({ operation }) => operation !== "same");
    if (changed.length === 0) return undefined;
    const quiet = (settings.quietHours ?? [])
      .map((time) => ({ time, until: findQuietUntil(time, now) }))
      .filter((found): found is { time: QuietTime; until: Date } => found.until !== undefined);
    const last = quiet.toSorted((a, b) => b.until.getTime() - a.until.getTime())[0];
    if (last === undefined) return undefined;
    const reason = last.time.reason === undefined ? "" : ` (${last.time.reason})`;
    return {
      message: `nothing may be changed until ${last.until.toISOString().replace(/:00\.000Z$/, "Z")}${reason}`,
      objects: changed.map(({ name }) => name),
      remedy: "wait until then, or --ignore-guard quiet-hours",
      remedyInPolicy: "wait until then",
    };
  },
};

const HOUR_MS = 3_600_000;
const DAYS = ["SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT"] as const;

/** Returns the end of the quiet period that contains a time, if there is one. */
export function findQuietUntil(quiet: QuietTime, now: Date): Date | undefined {
  const timezone = quiet.timeZone ?? "UTC";
  return listBeginnings(quiet, timezone, now)
    .map((begin) => ({ begin, end: computeEnd(quiet, timezone, begin) }))
    .filter(({ begin, end }) => begin <= now && now < end)
    .map(({ end }) => end)
    .at(0);
}

/** Returns the latest beginnings. The CRON library computes times of day too, because it handles daylight saving time. */
function listBeginnings(quiet: QuietTime, timezone: string, now: Date): Date[] {
  const expression = quiet.cron ?? `${formatMinuteAndHour(quiet.from ?? "00:00")} * * ${formatDays(quiet)}`;
  const cron = new Cron(expression, { timezone });
  // Includes a beginning at this very second.
  return cron.previousRuns(3, new Date(now.getTime() + 1000));
}

function computeEnd(quiet: QuietTime, timezone: string, begin: Date): Date {
  if (quiet.cron !== undefined) return new Date(begin.getTime() + (quiet.hours ?? 0) * HOUR_MS);
  const cron = new Cron(`${formatMinuteAndHour(quiet.to ?? "00:00")} * * *`, { timezone });
  return cron.nextRun(begin) ?? begin;
}

function formatMinuteAndHour(time: string): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  return `${minute} ${hour}`;
}

function formatDays({ days }: QuietTime): string {
  return days === undefined ? "*" : days.map((day) => DAYS.indexOf(day)).join(",");
}
