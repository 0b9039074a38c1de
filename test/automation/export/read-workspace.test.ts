/** Tests the progress bar of automation/export/read-workspace.ts. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openReadingProgress } from "../../../automation/export/read-workspace.js";
import { ioOf, Terminal } from "../../reports/progress/terminal.js";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTime(count * 1000);
const waits = (untilMs: number, waiting = 12) => ({
  type: "rate-limit-wait" as const,
  resetAt: new Date(untilMs),
  remainingMs: untilMs - Date.now(),
  waiting,
});

describe("the progress of an export", () => {
  it("fills the bar by the number of objects in the lists so far", async () => {
    const terminal = new Terminal(80);
    const progress = await openReadingProgress(ioOf(terminal));
    expect(terminal.screen).toBe("Reading: 0 objects");
    progress.onList("Project", 20);
    for (let n = 0; n < 5; n += 1) progress.onObject("Project");
    seconds(1);
    expect(terminal.screen).toBe("━━━━━━────────────────── Reading: 5 of 20");
    progress.onList("Pipeline", 80);
    for (let n = 0; n < 45; n += 1) progress.onObject("Pipeline");
    seconds(1);
    expect(terminal.screen).toBe("━━━━━━━━━━━━──────────── Reading: 50 of 100");
    progress.end();
    expect(terminal.screen).toBe("");
  });

  it("counts down while the rate limit is exhausted, and then continues", async () => {
    const terminal = new Terminal(80);
    const progress = await openReadingProgress(ioOf(terminal));
    progress.onList("Pipeline", 100);
    progress.onObject("Pipeline");
    progress.onClient(waits(605_000));
    seconds(5);
    expect(terminal.screen).toMatchInlineSnapshot(`
      "──────────────────────── Reading: 1 of 100
      the hourly rate limit is reached: 12 requests wait, resuming in 10:01"
    `);
    seconds(600);
    progress.onObject("Pipeline");
    seconds(1);
    expect(terminal.screen).toBe("──────────────────────── Reading: 2 of 100");
    progress.end();
  });

  it("prints occasional lines without a terminal, and nothing with --quiet", async () => {
    const log = new Terminal(120);
    const progress = await openReadingProgress(ioOf(log, { isTTY: false }));
    progress.onList("Pipeline", 100);
    for (let n = 0; n < 30; n += 1) {
      progress.onObject("Pipeline");
      seconds(1);
    }
    progress.onClient(waits(Date.now() + 60_000, 1));
    seconds(1);
    progress.end();
    expect(log.screen).toMatchInlineSnapshot(`
      "Reading: 10 of 100
      Reading: 20 of 100
      Reading: 30 of 100
      Reading: 30 of 100; the hourly rate limit is reached: 1 request waits, resuming in 1:00"
    `);
    const silent = new Terminal(80);
    const quiet = await openReadingProgress(ioOf(silent, { quiet: true }));
    quiet.onObject("Pipeline");
    seconds(60);
    quiet.end();
    expect(silent.screen).toBe("");
  });
});
