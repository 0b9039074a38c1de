/** Tests reports/progress/view.ts. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { note } from "../../../automation/port.js";
import { startProgress } from "../../../automation/progress/frames.js";
import { noteStart, print } from "../../../reports/io.js";
import { began, ended, failed, ioOf, isSlow, Terminal, waits } from "./terminal.js";

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const seconds = (count: number) => vi.advanceTimersByTime(count * 1000);
const name = (n: number) => `projects/web/pipelines/deploy/actions/Step ${n}`;

describe("progress on a terminal", () => {
  it("shows a count, long-running operations and the remaining time", async () => {
    const terminal = new Terminal(80);
    const progress = await startProgress(ioOf(terminal), { expected: { changing: 100 } });
    expect(terminal.screen).toBe("Starting ...");
    for (let n = 1; n <= 20; n++) {
      progress.onEvent(began("create", "Action", name(n)));
      seconds(0.5);
      progress.onEvent(ended("create", "Action", name(n)));
    }
    progress.onEvent(began("create", "Project", "projects/web"));
    progress.onEvent(began("update", "Pipeline", "projects/web/pipelines/deploy"));
    seconds(3);
    expect(terminal.screen).toMatchInlineSnapshot(`
      "━━━━━─────────────────── Applying: 20 of 100, about 35 s left
        + Project  projects/web  2 s
        ~ Pipeline  projects/web/pipelines/deploy  2 s"
    `);
    progress.onEvent(failed("create", "Project", "projects/web"));
    seconds(1);
    expect(terminal.screen).toContain("21 of 100, 1 failed, about");
    progress.end();
    expect(terminal.screen).toBe("");
  });

  it("fits a narrow terminal", async () => {
    const terminal = new Terminal(34);
    const progress = await startProgress(ioOf(terminal), { expected: { changing: 3 } });
    progress.onEvent(ended("create", "Action", name(1)));
    for (const n of [2, 3]) progress.onEvent(began("create", "Action", name(n)));
    seconds(3);
    expect(terminal.screen).toMatchInlineSnapshot(`
      "Applying: 1 of 3
        + Action  …/actions/Step 2  2 s
        + Action  …/actions/Step 3  2 s"
    `);
    progress.end();
  });

  it("is drawn at most about eight times a second, and not at all if nothing changes", async () => {
    const terminal = new Terminal(80);
    const progress = await startProgress(ioOf(terminal));
    const before = terminal.writes;
    for (let n = 0; n < 1000; n++) {
      progress.onEvent(ended("create", "Action", name(n)));
      vi.advanceTimersByTime(1);
    }
    expect(terminal.writes - before).toBeLessThanOrEqual(9);
    seconds(1);
    const still = terminal.writes;
    seconds(60);
    expect(terminal.writes).toBe(still);
    progress.end();
  });

  it("preserves text that is printed meanwhile above it", async () => {
    const terminal = new Terminal(60);
    const io = ioOf(terminal);
    const progress = await startProgress(io);
    progress.onEvent(ended("create", "Group", "groups/QA"));
    print(io, "  + Group  groups/QA");
    io.stderr.write("Stopping ...\n");
    seconds(1);
    expect(terminal.screen).toBe("  + Group  groups/QA\nStopping ...\nApplying: 1 object");
    print(io, "  + Group  groups/Ops");
    progress.end();
    expect(terminal.screen).toBe("  + Group  groups/QA\nStopping ...\n  + Group  groups/Ops");
    print(io, "Done");
    expect(terminal.screen).toMatch(/groups\/Ops\nDone$/);
  });

  it("counts down while the rate limit of the service delays requests", async () => {
    const terminal = new Terminal(80);
    const progress = await startProgress(ioOf(terminal), { expected: { changing: 9 } });
    progress.onEvent(ended("create", "Group", "groups/QA"));
    progress.onEvent(waits(125_000));
    seconds(1.5);
    expect(terminal.screen).toContain("the hourly rate limit is reached: 3 requests wait, resuming in 2:04");
    seconds(60);
    expect(terminal.screen).toContain("resuming in 1:04");
    seconds(70);
    expect(terminal.screen).not.toContain("rate limit is reached");
    progress.end();
  });
});

it("says in place of the remaining time what the service does not respond to", async () => {
  const terminal = new Terminal(80);
  const progress = await startProgress(ioOf(terminal), { expected: { changing: 41 } });
  for (let n = 1; n <= 39; n++) {
    progress.onEvent(ended("update", "Group", name(n)));
    seconds(0.2);
  }
  expect(terminal.screen).toMatch(/Applying: 39 of 41, about \d+ s left/);
  progress.onEvent(began("update", "Group", "groups/QA"));
  const what =
    "no response for 10 s to PATCH /workspaces/acme/groups/3 (attempt 1 of 5, which ends within 60 s)";
  progress.onEvent(isSlow(what));
  seconds(3);
  expect(terminal.screen).toMatch(/Applying: 39 of 41\nno response for 10 s to PATCH .*\n.*QA +\d s/);
  seconds(10);
  expect(terminal.screen).not.toContain("no response");
  progress.end();
});

it("progress gives back a stream that serves as standard output and standard error", async () => {
  const terminal = new Terminal(80);
  const io = ioOf(terminal);
  const both = { ...io, stderr: io.stdout };
  const progress = await startProgress(both);
  print(both, "during");
  progress.end();
  print(both, "after");
  expect(terminal.screen).toBe("during\nafter");
});

describe("progress without a terminal", () => {
  it("is an occasional plain line, and nothing for a quick operation", async () => {
    const terminal = new Terminal(500);
    const progress = await startProgress(ioOf(terminal, { isTTY: false }), { expected: { changing: 60 } });
    for (let n = 1; n <= 30; n++) {
      progress.onEvent(ended("create", "Action", name(n)));
      seconds(1);
      if (n === 9) expect(terminal.screen).toBe("");
    }
    progress.end();
    expect(terminal.screen).toMatchInlineSnapshot(`
      "Applying: 10 of 60, about 40 s left
      Applying: 20 of 60, about 40 s left
      Applying: 30 of 60, about 30 s left"
    `);
  });

  it("is never silent for more than ten seconds, not even at the beginning", async () => {
    const terminal = new Terminal(500);
    const progress = await startProgress(ioOf(terminal, { isTTY: false }));
    seconds(11);
    expect(terminal.screen).toBe("Starting ...");
    progress.onEvent(isSlow("no response for 15 s to GET /user (attempt 1 of 5, which ends within 55 s)"));
    expect(terminal.screen).toMatch(/\nStarting \.\.\.; no response for 15 s to GET \/user \(attempt 1 of 5/);
    progress.end();
  });

  it("counts the silence before an operation", async () => {
    const terminal = new Terminal(500);
    const io = ioOf(terminal, { isTTY: false });
    note(io, "The first operation has ended.");
    seconds(8);
    const progress = await startProgress(io);
    seconds(3);
    progress.end();
    expect(terminal.screen).toBe("The first operation has ended.\nStarting ...");
  });

  it("counts the silence since the start of the command", async () => {
    const terminal = new Terminal(500);
    const io = ioOf(terminal, { isTTY: false });
    noteStart(io);
    seconds(8);
    const progress = await startProgress(io);
    seconds(3);
    progress.end();
    expect(terminal.screen).toBe("Starting ...");
  });

  it("names the object that takes long", async () => {
    const terminal = new Terminal(500);
    const progress = await startProgress(ioOf(terminal, { isTTY: false }), { expected: { changing: 3 } });
    progress.onEvent(ended("update", "Group", "groups/Ops"));
    for (const group of ["QA", "Dev"]) progress.onEvent(began("update", "Group", `groups/${group}`));
    seconds(11);
    expect(terminal.screen).toMatch(/^Applying: 1 of 3; Group groups\/QA takes 1\d s \(and 1 more\)$/);
    progress.end();
  });

  it("reports a delay by the rate limit at once", async () => {
    const terminal = new Terminal(500);
    const progress = await startProgress(ioOf(terminal, { isTTY: false }));
    progress.onEvent(waits(3_600_000, 1));
    expect(terminal.screen).toBe(
      "Starting ...; the hourly rate limit is reached: 1 request waits, resuming in 1:00:00",
    );
    progress.end();
  });

  it("also applies to a CI job whose output claims to be a terminal", async () => {
    const terminal = new Terminal(500);
    const progress = await startProgress(ioOf(terminal, { env: { CI: "true" } }));
    progress.onEvent(ended("create", "Group", "groups/QA"));
    expect(terminal.screen).toBe("");
    progress.end();
  });

  it("is silent with --quiet", async () => {
    const terminal = new Terminal(80);
    const progress = await startProgress(ioOf(terminal, { quiet: true }));
    progress.onEvent(waits(3_600_000));
    seconds(100);
    progress.end();
    expect(terminal.writes).toBe(0);
  });
});
