/** Tests what is not known about schedules: how their scheduler reads them, and what it does when clocks change. */
import { expect, it } from "vitest";
import { listScheduleDoubts } from "../../../workspace-file/runs/schedule-doubts.js";
import { TIME_ZONES } from "../../time-zones.js";

const ZONE = "in which time zone it starts";
const CHANGES = "whether runs between 22:00 and 04:00 start once, twice or not at all when clocks change";

it.each([
  ["0 12 * * *", [ZONE]],
  ["0 2 * * *", [ZONE, CHANGES]],
  ["*/15 * * * *", [ZONE, CHANGES]],
  ["0 0 L * *", ["when it starts: schedulers differ in `L` for the last day", ZONE, CHANGES]],
  [
    "0 12 */2 * 1",
    [
      "when it starts: schedulers differ in weekdays as numbers",
      "when it starts: schedulers differ in a field that begins",
      ZONE,
    ],
  ],
  ["@reboot", ["when it starts: no scheduler is known to accept its cron"]],
])("of %s is doubted: %j", (cron, doubts) => {
  const found = listScheduleDoubts({ triggerMode: "SCHEDULED", cron });
  expect(found).toEqual(doubts.map((doubt) => expect.stringContaining(doubt) as string));
});

it("nothing is doubted without a cron", () => {
  expect(
    listScheduleDoubts({ triggerMode: "SCHEDULED", startDate: "2026-01-31T08:00:00Z", delay: 60 }),
  ).toEqual([]);
  expect(listScheduleDoubts({ triggerMode: "ON_EVERY_PUSH" })).toEqual([]);
});

it.each(TIME_ZONES)("every minute that clocks skip or repeat in %s is doubted", (zone) => {
  const minutes = listChangedMinutes(zone);
  expect(minutes.size).toBeGreaterThan(0);
  for (const minute of minutes) {
    const cron = `${minute % 60} ${Math.floor(minute / 60)} * * *`;
    expect(listScheduleDoubts({ triggerMode: "SCHEDULED", cron }), cron).toContain(CHANGES);
  }
});

/** Goes through two years by half a day, and minute by minute around each change. @returns minutes of the day */
function listChangedMinutes(zone: string): Set<number> {
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hour: "2-digit",
    minute: "2-digit",
    hourCycle: "h23",
  });
  const readMinute = (at: number) => {
    const [hour = "", minute = ""] = format.format(at).split(":");
    return Number(hour) * 60 + Number(minute);
  };
  const HALF = 12 * 60;
  const start = Date.parse("2025-01-01T00:00:00Z") / 60_000;
  const changed = new Set<number>();
  const day = 2 * HALF;
  for (let at = start; at < start + 2 * 365 * day; at += HALF) {
    const moved = (((readMinute((at + HALF) * 60_000) - readMinute(at * 60_000) - HALF) % day) + day) % day;
    if (moved === 0) continue;
    for (let minute = at; minute < at + HALF; minute++) {
      const [before, after] = [readMinute(minute * 60_000), readMinute((minute + 1) * 60_000)];
      const step = (((after - before) % day) + day) % day;
      // A jump ahead skips minutes; a jump back repeats them.
      if (step > 1 && step < day / 2)
        for (let skipped = 1; skipped < step; skipped++) changed.add((before + skipped) % day);
      if (step > day / 2)
        for (let repeated = 0; repeated < day - step + 1; repeated++) changed.add((after + repeated) % day);
    }
  }
  return changed;
}
