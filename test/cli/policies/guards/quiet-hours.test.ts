/** Tests quiet hours. */
import { describe, expect, it } from "vitest";
import { findQuietUntil } from "../../../../cli/policies/guards/rules/quiet-hours.js";
import { guardSettings } from "../../../../workspace-file/index.js";
import { judge, many, refusing } from "./plan.js";

const until = (quiet: Parameters<typeof findQuietUntil>[0], now: string) =>
  findQuietUntil(quiet, new Date(now))?.toISOString();

describe("quiet hours", () => {
  it("apply by time of day in their time zone, across midnight", () => {
    const night = { from: "18:00", to: "08:00", timeZone: "Europe/Berlin" };
    // Berlin is an hour ahead in winter, two in summer.
    expect(until(night, "2026-01-14T17:30:00Z")).toBe("2026-01-15T07:00:00.000Z");
    expect(until(night, "2026-01-14T16:30:00Z")).toBeUndefined();
    expect(until(night, "2026-07-14T16:30:00Z")).toBe("2026-07-15T06:00:00.000Z");
    expect(until(night, "2026-07-15T05:59:59Z")).toBe("2026-07-15T06:00:00.000Z");
    expect(until(night, "2026-07-15T06:00:00Z")).toBeUndefined();
  });

  it("apply by day, and to the whole day without times", () => {
    const weekend = { days: ["SAT" as const, "SUN" as const] };
    expect(until(weekend, "2026-03-07T00:00:00Z")).toBe("2026-03-08T00:00:00.000Z");
    expect(until(weekend, "2026-03-08T23:59:00Z")).toBe("2026-03-09T00:00:00.000Z");
    expect(until(weekend, "2026-03-06T23:59:59.500Z")).toBeUndefined();
    expect(until(weekend, "2026-03-09T00:00:00Z")).toBeUndefined();
    expect(until({ days: ["FRI"], from: "16:00", to: "08:00" }, "2026-03-07T07:00:00Z")).toBe(
      "2026-03-07T08:00:00.000Z",
    );
  });

  it("apply by CRON expression and duration", () => {
    const freeze = { cron: "0 16 * * FRI", hours: 64 };
    expect(until(freeze, "2026-03-08T12:00:00Z")).toBe("2026-03-09T08:00:00.000Z");
    expect(until(freeze, "2026-03-09T08:00:00Z")).toBeUndefined();
  });

  it("refuse any change with the end and the reason, and allow a plan without changes", () => {
    const quietHours = [{ days: ["WED" as const], reason: "release day" }];
    expect(judge(many("create", 1), { settings: { quietHours } })).toMatchObject([
      { guard: "quiet-hours", message: "nothing may be changed until 2026-03-05T00:00Z (release day)" },
    ]);
    expect(refusing(many("same", 1), { settings: { quietHours } })).toEqual([]);
  });

  it("refuse until the last of them ends, whatever has ended before", () => {
    // It is noon of a Wednesday.
    const quietHours = [
      { days: ["WED" as const], to: "13:00" },
      { days: ["SAT" as const] },
      { cron: "0 11 * * *", hours: 2.01 },
      { cron: "0 10 * * *", hours: 1 },
    ];
    const [verdict] = judge([...many("create", 2), ...many("same", 1)], { settings: { quietHours } });
    expect(verdict).toMatchObject({
      message: "nothing may be changed until 2026-03-04T13:00:36.000Z",
      objects: ["groups/groups-0", "groups/groups-1"],
    });
    const [, ...others] = quietHours.toReversed();
    expect(judge(many("create", 1), { settings: { quietHours: others } })).toEqual(
      judge(many("create", 1), { settings: { quietHours } }),
    );
    expect(refusing(many("create", 1), { settings: { quietHours: [{ days: ["SAT"] }] } })).toEqual([]);
  });

  it.each([
    [{ cron: "0 16 * * FRI" }, "is required with cron"],
    [{ cron: "every friday", hours: 1 }, "must be a CRON expression"],
    [{ from: "25:00" }, "must be a time of day"],
    [{ from: "18:00", timeZone: "Mars" }, "must be the name of a time zone"],
    [{ cron: "0 1 * * *", hours: 1, from: "18:00" }, "cannot be combined with cron"],
    [{ reason: "why" }, "is required, or days, or cron with hours"],
  ])("are reported if they are invalid: %j", (quiet, message) => {
    const problems = guardSettings.safeParse({ quietHours: [quiet] }).error?.issues ?? [];
    expect(problems.map((problem) => problem.message).join()).toContain(message);
  });
});
