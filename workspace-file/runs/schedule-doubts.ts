/** What is not known about the times of a schedule, because the service documents neither its scheduler nor its time zone. */
import { type Fields, listDifferences, readCron } from "../../resources/index.js";

/** Hours in which clocks are put forward or back, somewhere in the world. */
const HOURS_OF_CHANGES: readonly number[] = [22, 23, 0, 1, 2, 3];

export function listScheduleDoubts({ triggerMode, cron }: Fields): string[] {
  if (triggerMode !== "SCHEDULED" || typeof cron !== "string") return [];
  const expression = readCron(cron);
  if (expression === undefined) return ["when it starts: no scheduler is known to accept its cron"];
  const { forms, times } = expression;
  const hours = times?.hour ?? new Set(HOURS_OF_CHANGES);
  return [
    ...listDifferences(forms, () => true).map(
      (difference) => `when it starts: schedulers differ in ${difference}`,
    ),
    "in which time zone it starts",
    ...(HOURS_OF_CHANGES.some((hour) => hours.has(hour))
      ? ["whether runs between 22:00 and 04:00 start once, twice or not at all when clocks change"]
      : []),
  ];
}
