import type { QuietTime } from "../../../../workspace-file/index.js";
import { quietUntil } from "../quiet-hours.js";
import type { Guard } from "../types.js";

export const quietHours: Guard = {
  code: "quiet-hours",
  refuses:
    "Any change at certain times: by days and times of day, or by a CRON expression with a duration, in a time zone.",
  settings: "`quietHours`",
  judge({ objects, settings, now }) {
    const changed = objects.filter(({ operation }) => operation !== "same");
    if (changed.length === 0) return undefined;
    const quiet = (settings.quietHours ?? [])
      .map((time) => ({ time, until: quietUntil(time, now) }))
      .filter((found): found is { time: QuietTime; until: Date } => found.until !== undefined);
    const last = quiet.toSorted((a, b) => b.until.getTime() - a.until.getTime())[0];
    if (last === undefined) return undefined;
    const reason = last.time.reason === undefined ? "" : ` (${last.time.reason})`;
    return {
      message: `nothing is to be changed until ${last.until.toISOString().replace(/:00\.000Z$/, "Z")}${reason}`,
      objects: changed.map(({ name }) => name),
      remedy: "wait until then, or --ignore-guard quiet-hours",
    };
  },
};
