/** Finds the minutes that a CRON expression matches, on a clock that is never changed. */
import type { CronTimes } from "./expression.js";

/** Days in which an expression that matches any time at all does so: 29 February comes after eight years at the latest. */
const DAYS = 366 * 8 + 1;
const DAY = 86_400_000;

/**
 * Returns the next times after a time, as if the clock of the scheduler were UTC.
 * @param rule whether a day has to match the days of the month and the weekdays, when an expression limits both
 */
export function listNextRuns(
  times: CronTimes,
  after: Date,
  count: number,
  rule: "either" | "both" = "either",
): Date[] {
  const found: Date[] = [];
  const start = Math.floor(after.getTime() / DAY) * DAY;
  for (let day = 0; day < DAYS && found.length < count; day++) {
    const date = new Date(start + day * DAY);
    if (!matchesDay(times, date, rule)) continue;
    for (const hour of sortNumbers(times.hour))
      for (const minute of sortNumbers(times.minute)) {
        const at = date.getTime() + (hour * 60 + minute) * 60_000;
        if (at > after.getTime() && found.length < count) found.push(new Date(at));
      }
  }
  return found;
}

const sortNumbers = (values: ReadonlySet<number>) => [...values].toSorted((one, other) => one - other);

function matchesDay(
  { day, month, weekday, limitsBoth }: CronTimes,
  date: Date,
  rule: "either" | "both",
): boolean {
  if (!month.has(date.getUTCMonth() + 1)) return false;
  const matches = [day.has(date.getUTCDate()), weekday.has(date.getUTCDay())];
  return limitsBoth && rule === "either" ? matches.includes(true) : !matches.includes(false);
}
