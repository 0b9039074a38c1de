/**
 * Tests signals and concurrent runs: the state remains valid, and the next run continues where the last one stopped.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { setUp, start } from "./support.js";

const { folder, file, emulator, env, run } = await setUp();

/** Starts `up` and waits until the service has created something. */
async function upUntilSomethingIsMade() {
  const before = emulator.journal.writes().length;
  const running = start(["up", "--create-stack", "--yes", "--no-refresh", "-f", file], folder, env);
  while (emulator.journal.writes().length === before) await setTimeout(20);
  return { running };
}

/** Waits for a line, among others such as those of progress. */
async function untilPrinted(running: ReturnType<typeof start>, text: string): Promise<void> {
  const lines: string[] = [];
  for await (const line of createInterface(running.stderr)) {
    if (line.includes(text)) return;
    lines.push(line);
    expect(lines.length, lines.join("\n")).toBeLessThan(30);
  }
  expect.fail(`ended without "${text}": ${lines.join("\n")}`);
}

/** Continues an interrupted run, and checks that everything exists exactly once. */
async function goOn(): Promise<void> {
  emulator.settings.latencyMs = 0;
  const { code, stdout, stderr } = await run("up", "--create-stack", "--yes");
  expect(code, stderr).toBe(0);
  // What was created before the state was written first is adopted.
  expect(stdout).toMatch(/Done: \d+ created, \d+ updated, 0 deleted, (\d+ adopted, )?\d+ unchanged/);
  const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
  expect((body as { groups: unknown[] }).groups).toHaveLength(3);
}

describe.sequential("an interrupted or concurrent up", () => {
  it("finishes running operations, and creates nothing twice in the next run", async () => {
    emulator.settings.latencyMs = 150;
    const { running } = await upUntilSomethingIsMade();
    running.kill("SIGTERM");
    const { exitCode, stderr } = await running;
    expect(exitCode).toBe(130);
    expect(stderr).toContain("Stopping: running operations finish and are saved. Press Ctrl-C again to stop");
    expect(stderr).toContain("interrupted; what was done is in the state. Run the command again to continue");
    const made = emulator.journal.writes().length;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(41);
    await goOn();
  });

  it("stops at once on a second signal, and the next run recovers the unfinished operations", async () => {
    expect(await run("destroy", "--yes", "--include-protected", "--allow-delete", "**")).toMatchObject({
      code: 0,
    });
    emulator.settings.latencyMs = 150;
    const { running } = await upUntilSomethingIsMade();
    // Stops responding from now on, so that waiting for running operations would never end.
    emulator.settings.latencyMs = 60_000;
    running.kill("SIGINT");
    await untilPrinted(running, "Press Ctrl-C again to stop at once");
    running.kill("SIGINT");
    const { exitCode, stderr } = await running;
    expect(exitCode).toBe(130);
    expect(stderr).toContain("Stopping at once: the next run looks for what was being created");
    expect(stderr).toContain("stopped at once; what was being created may not be in the state yet");
    await goOn();
  });

  it("waits with --wait for the next hour, says so, and ends at once on a signal", async () => {
    writeFileSync(file, readFileSync(file, "utf8").replace("Who tests it", "Who tests it all"));
    emulator.setRemaining(0);
    emulator.journal.clear();
    const running = start(["up", "--yes", "--wait", "-f", file], folder, env);
    await untilPrinted(running, "hourly rate limit is reached");
    running.kill("SIGTERM");
    const { exitCode } = await running;
    expect(exitCode).toBe(130);
    expect(emulator.journal.writes()).toEqual([]);
    emulator.setRemaining(5000);
    await goOn();
  });

  it("is rejected while another update runs", async () => {
    // Creates the lock of another update as Pulumi's file backend does.
    const lock = join(folder, ".pulumi-state/.pulumi/locks/organization/workspace-automation/dev/other.json");
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '{"pid":1,"username":"ann","hostname":"ci","timestamp":"2026-01-01T00:00:00Z"}');
    writeFileSync(file, readFileSync(file, "utf8").replace("Who tests it all", "Who tests all of it"));
    emulator.journal.clear();
    const { code, stderr } = await run("up", "--create-stack", "--yes", "--no-refresh");
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error: another update of this stack is in progress \(created by ann@ci .*\); nothing was changed: wait until it ends.*"workspacectl stack unlock"/,
    );
    expect(emulator.journal.writes()).toEqual([]);
  });
});
