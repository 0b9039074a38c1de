/** Tests that local times mean one moment, also when clocks change. */
import { afterEach, expect, it } from "vitest";
import { formatLocalTime } from "../../text/clock.js";
import { TIME_ZONES } from "../time-zones.js";

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
});

it("is the time with its offset", () => {
  process.env["TZ"] = "Europe/Berlin";
  expect(formatLocalTime(new Date("2026-10-25T00:15:00Z"))).toBe("2026-10-25 02:15:00 +02:00");
  expect(formatLocalTime(new Date("2026-10-25T01:15:00Z"))).toBe("2026-10-25 02:15:00 +01:00");
  process.env["TZ"] = "America/St_Johns";
  expect(formatLocalTime(new Date("2026-01-31T03:29:59Z"))).toBe("2026-01-30 23:59:59 -03:30");
});

it.each(TIME_ZONES)("means one moment in each minute around the changes in %s", (zone) => {
  process.env["TZ"] = zone;
  const wall = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  const day = 86_400_000;
  const start = Date.parse("2026-01-01T00:00:00Z");
  const offsetAt = (at: number) => new Date(at).getTimezoneOffset();
  let changes = 0;
  for (let at = start; at < start + 365 * day; at += day) {
    if (offsetAt(at) === offsetAt(at + day)) continue;
    changes += 1;
    for (let minute = at; minute < at + day; minute += 60_000) {
      const text = formatLocalTime(new Date(minute));
      expect(Date.parse(text.replace(" ", "T").replace(" ", "")), text).toBe(minute);
      // As the machine's own clock shows it.
      expect(text.slice(0, 19)).toBe(wall.format(minute));
    }
  }
  expect(changes).toBeGreaterThan(1);
});
