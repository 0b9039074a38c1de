/** Tests what is read as a CRON expression, why other texts are refused, and when expressions run. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findCronProblem } from "../../../resources/cron/expression.js";
import { type CronForm, cronForms, formatReadings, getReadings } from "../../../resources/cron/schedulers.js";
import { listNextRuns, readCron } from "../../../resources/index.js";
import { arbitraryCommonCron } from "./arbitrary-cron.js";

const examples = (Object.keys(cronForms) as CronForm[]).flatMap((form) =>
  cronForms[form].examples.map((example) => [example, form] as const),
);
const after = new Date("2026-12-01T12:00:00Z");

function nextRuns(text: string, count: number, rule?: "either" | "both"): string[] {
  const times = readCron(text)?.times;
  return times ? listNextRuns(times, after, count, rule).map((time) => time.toISOString().slice(5, 16)) : [];
}

describe("a CRON expression", () => {
  it.each(examples)("%s has the form %s", (example, form) => {
    const others = [...(readCron(example)?.forms ?? [])].filter((other) => other !== form);
    // A star in a list says twice what the list says.
    expect(others).toEqual(form.startsWith("star-in-") ? ["repeated-value"] : []);
    expect(readCron(example)?.forms).toContain(form);
  });

  it.each([
    ["", "it has 0 fields instead of five (minute, hour, day, month, weekday)"],
    ["0 2 * *", "it has 4 fields instead of five (minute, hour, day, month, weekday)"],
    ["61 2 * * *", 'the minute "61" is not within 0 to 59'],
    ["0 0 0 * *", 'the day "0" is not within 1 to 31'],
    ["0 0 * * 8", 'the weekday "8" is not within 0 to 7'],
    ["1,,2 * * * *", "the minute is empty"],
    ["*/0 * * * *", "a step of 0 in the minute never ends"],
    ["0 0 L * L", '"L" is no weekday: the names are SUN, MON, TUE, WED, THU, FRI, SAT'],
    ["~ 2 * * *", '"~" is no minute, and no range'],
    ["0 MON * * *", '"MON" is no hour'],
    ["@reboot", '"@reboot" is none of @yearly, @annually, @monthly, @weekly, @daily, @midnight, @hourly'],
  ])("%j is refused: %s", (text, reason) => {
    expect(findCronProblem(text)).toBe(reason);
    expect(readCron(text)).toBeUndefined();
  });

  it("is read in every form without an exception, whatever the text", () => {
    const part = fc.constantFrom(
      "*",
      "?",
      "/",
      "-",
      ",",
      " ",
      "L",
      "W",
      "#",
      "H",
      "@",
      "MON",
      "jan",
      "0",
      "7",
      "31",
      "90",
    );
    fc.assert(
      fc.property(fc.array(part, { maxLength: 24 }), (parts) => {
        const text = parts.join("");
        expect(readCron(text) === undefined).toBe(findCronProblem(text) !== undefined);
      }),
      { numRuns: 2000 },
    );
  });

  it("has no doubtful form if all schedulers agree on it", () => {
    fc.assert(
      fc.property(arbitraryCommonCron, (text) => {
        expect([...(readCron(text)?.forms ?? ["none"])]).toEqual([]);
      }),
    );
  });
});

it.each(["0 0 * * 0,7", "0 0 * * 5-7,0", "0 7,0-8 * * *"])("%s has a value twice", (text) => {
  expect(readCron(text)?.forms).toContain("repeated-value");
});

describe("the next runs", () => {
  it.each([
    ["5/15 * * * *", ["12-01T12:05", "12-01T12:20", "12-01T12:35", "12-01T12:50"]],
    ["0 22-2 * * *", ["12-01T22:00", "12-01T23:00", "12-02T00:00", "12-02T01:00"]],
    ["0 0 * * FRI-MON", ["12-04T00:00", "12-05T00:00", "12-06T00:00", "12-07T00:00"]],
    ["0 0 * * 7", ["12-06T00:00", "12-13T00:00"]],
    ["0 0 * NOV-FEB/2 *", ["01-01T00:00", "01-02T00:00"]],
    ["0 0 29 2 *", ["02-29T00:00", "02-29T00:00"]],
    ["@weekly", ["12-06T00:00", "12-13T00:00"]],
    ["0 0 31 2 *", []],
  ])("of %s", (text, runs) => {
    expect(nextRuns(text, runs.length || 1)).toEqual(runs);
  });

  it("depend on how days of the month and weekdays go together", () => {
    expect(nextRuns("0 0 */2 * 1", 3)).toEqual(["12-03T00:00", "12-05T00:00", "12-07T00:00"]);
    expect(nextRuns("0 0 */2 * 1", 3, "both")).toEqual(["12-07T00:00", "12-21T00:00", "01-11T00:00"]);
  });

  it.each(["0 0 L * *", "30 0 2 * * *", "@every 5m", "H 2 * * *"])("of %s are not known", (text) => {
    expect(readCron(text)).not.toHaveProperty("times");
  });
});

it("a difference names the schedulers with the rarer meanings", () => {
  expect(formatReadings(getReadings("days-and-weekdays"))).toBe(
    "days that match both (node-cron, APScheduler, Spring); days that match either (the others)",
  );
  expect(formatReadings(getReadings("wrapping-range"))).toBe(
    "over the end (node-cron, croniter); refused by the others",
  );
});
