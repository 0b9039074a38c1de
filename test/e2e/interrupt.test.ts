/** Signals and two runs at once: the state stays whole, and the next run goes on where the last one ended. */
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import {
  connected,
  emulatorForTests,
  isolated,
  quickstart,
  start,
  temporaryFolder,
  workspacectl,
} from "./support.js";

const folder = temporaryFolder();
let emulator: Emulator;
let file: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  emulator = await emulatorForTests();
  file = quickstart(folder);
  env = isolated(folder, connected(emulator));
});

/** Starts `up` and waits until the first object is made. */
async function upUntilSomethingIsMade() {
  const running = start(["up", "--yes", "--no-refresh", "-f", file], folder, env);
  const lines = createInterface(running.stdout);
  for (;;) {
    const [line] = (await once(lines, "line")) as [string];
    if (/ created in /.test(line)) return { running };
  }
}

describe.sequential("an interrupted up", () => {
  it("finishes what is under way, and makes nothing twice when it is run again", async () => {
    emulator.settings.latencyMs = 150;
    const { running } = await upUntilSomethingIsMade();
    running.kill("SIGTERM");
    const { exitCode, stderr } = await running;
    expect(exitCode).toBe(130);
    expect(stderr).toContain("Stopping: what is under way is finished and saved");
    expect(stderr).toContain("interrupted; what was done is in the state. Run the command again to go on");
    const made = emulator.journal.writes().length;
    expect(made).toBeGreaterThan(0);
    expect(made).toBeLessThan(41);

    emulator.settings.latencyMs = 0;
    const { code, stdout } = await workspacectl(["up", "--yes", "-f", file], folder, env);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Done: \d+ created, \d+ unchanged/);
    const { body } = await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" });
    expect((body as { groups: unknown[] }).groups).toHaveLength(3);
  });

  it("keeps a second one out", async () => {
    // What another update leaves while it runs, in the place and the form of Pulumi's backend for files.
    const lock = join(folder, ".pulumi-state/.pulumi/locks/organization/workspace-automation/dev/other.json");
    mkdirSync(dirname(lock), { recursive: true });
    writeFileSync(lock, '{"pid":1,"username":"ann","hostname":"ci","timestamp":"2026-01-01T00:00:00Z"}');
    writeFileSync(file, readFileSync(file, "utf8").replace("Who tests it", "Who tests all of it"));
    emulator.journal.clear();
    const { code, stderr } = await workspacectl(["up", "--yes", "--no-refresh", "-f", file], folder, env);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      /error: another update of this stack is under way \(created by ann@ci .*\): wait for its end.*"pulumi cancel"; nothing was changed/,
    );
    expect(emulator.journal.writes()).toEqual([]);
  });
});
