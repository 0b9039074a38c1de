/** Tests automation/progress/tally.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TimeLeft } from "../../../automation/progress/frames.js";
import { Tally } from "../../../automation/progress/tally.js";
import { formatAboutTime, formatCountdown } from "../../../text/clock.js";
import { began, ended } from "../../reports/progress/terminal.js";

describe("the progress of an operation", () => {
  it("changes from reading to comparing in a preview, with a count for each phase", () => {
    const tally = new Tally({ dry: true, expected: { reading: 2, comparing: 3 } });
    const { onEvent } = tally;
    expect(tally.tallied.phase).toBe("starting");
    onEvent(ended("refresh", "Group", "a"));
    expect(tally.tallied).toMatchObject({ phase: "reading", done: 1, total: 2 });
    onEvent(ended("same", "Group", "a"));
    onEvent(ended("create", "Group", "b"));
    expect(tally.tallied).toMatchObject({ phase: "comparing", done: 2, total: 3 });
  });

  it("counts a replacement once, and does not count unchanged objects", () => {
    const tally = new Tally({ expected: { changing: 2 } });
    for (const op of ["same", "create-replacement", "replace", "delete-replaced", "same"] as const)
      tally.onEvent(ended(op, "Group", op === "same" ? "other" : "a"));
    expect(tally.tallied).toMatchObject({ phase: "changing", done: 1, total: 2 });
  });

  it("drops a total that turns out to be too small", () => {
    const tally = new Tally({ reads: true, expected: { reading: 1 } });
    for (const name of ["a", "b"]) tally.onEvent(ended("update", "Group", name));
    expect(tally.tallied).toMatchObject({ phase: "reading", done: 2, total: undefined });
  });

  it("lists running operations, longest first", () => {
    let now = 0;
    const tally = new Tally({ now: () => now++ });
    for (const name of ["a", "b", "c"]) tally.onEvent(began("create", "Group", name));
    tally.onEvent(ended("create", "Group", "b"));
    expect(tally.tallied.running.map(({ name }) => name)).toEqual(["a", "c"]);
  });
});

describe("the remaining time", () => {
  it("is undefined as long as there is too little data", () => {
    const time = new TimeLeft(0);
    expect(time.update(4, 100, 10_000)).toBeUndefined();
    expect(new TimeLeft(0).update(50, 100, 1000)).toBeUndefined();
    expect(time.update(10, undefined, 20_000)).toBeUndefined();
  });

  it("is accurate at an even pace, and never jumps up at an uneven pace", () => {
    const even = new TimeLeft(0);
    for (let done = 1; done <= 50; done++) even.update(done, 100, done * 1000);
    expect(even.update(50, 100, 50_000)).toBeCloseTo(50_000, -3);
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 20, max: 4000 }), { minLength: 20, maxLength: 60 }),
        (pauses) => {
          const time = new TimeLeft(0);
          let [now, told] = [0, undefined as number | undefined];
          pauses.forEach((pause, done) => {
            // The display asks once a second and at each object.
            for (let at = 1000; at < pause; at += 1000) time.update(done, 100, now + at);
            now += pause;
            const next = time.update(done + 1, 100, now);
            if (told !== undefined && next !== undefined) expect(next / told).toBeLessThan(2.5);
            told = next;
          });
        },
      ),
    );
  });

  it("is rounded to its precision", () => {
    expect([400, 12_300, 43_000, 89_000, 200_000, 7_200_000].map(formatAboutTime)).toEqual([
      "1 s",
      "12 s",
      "45 s",
      "90 s",
      "3 min",
      "2 h",
    ]);
    expect([0, 59_001, 3_725_000].map(formatCountdown)).toEqual(["0:00", "1:00", "1:02:05"]);
  });
});
