/** Kills all processes in the middle of an `up`, and tests each way to continue. Needs a build. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JournalEntry } from "../../emulator/index.js";
import { differences } from "../chaos/compare.js";
import { type Plan, randomPlan } from "../chaos/plan.js";
import { alive, type Process, signal, tree } from "../chaos/processes.js";
import { randomOf } from "../chaos/random.js";
import { Stage } from "../chaos/stage.js";
import { tellsAllStories } from "../stories.js";

const plan: Plan = randomPlan(randomOf(5), "acme");
let stage: Stage;

beforeEach(async () => {
  // Members with hidden addresses and unknown numbers cannot be recognized without an `up`.
  stage = await Stage.open({ strictBodies: true, latencyMs: 10, echoMemberEmail: true });
  // Runs that write the state at the end are in journal.nightly.test.ts.
  stage.checkpoint = "every";
  stage.declare(plan);
});
afterEach(() => stage.close());

/**
 * Starts an `up` and waits until objects exist whose creation had no response yet. Returns the processes at the first
 * write, since listing them is slow on a busy machine.
 */
async function midway() {
  stage.emulator.faults.add({ kind: "delay-after", method: "POST", skip: 4, count: 100, delayMs: 5_000 });
  const running = stage.startUp("workspacectl");
  const until = async (count: number, requests: () => JournalEntry[]) => {
    while (requests().length < count) await sleep(1);
  };
  await until(1, () => stage.emulator.journal.writes());
  const processes = await tree(running.pid);
  await until(5, () => stage.emulator.journal.writes().filter(({ status }) => status === 201));
  return { running, processes };
}

/** Starts an `up` and kills all processes in the middle, while requests are running. */
async function crash(): Promise<void> {
  const { running, processes } = await midway();
  const isEngine = ({ role }: Process) => role === "engine";
  // Kills the engine first: if it noticed the end of its provider, it would record the running operations as not
  // performed.
  for (const some of [processes.filter(isEngine), processes]) signal(some, "SIGKILL");
  await running;
  stage.emulator.faults.clear();
  expect(stage.pending()).toBeGreaterThan(0);
}

/**
 * Kills only workspacectl, which hosts the provider. The engine either ends at its next request, or notices the end of
 * its provider first and records that nothing was created. The order is random.
 */
async function crashOfTheCommand(): Promise<void> {
  const { running, processes } = await midway();
  running.kill("SIGKILL");
  expect(await running).toMatchObject({ signal: "SIGKILL" });
  while ((await alive(processes)).length > 0) await sleep(100);
  stage.emulator.faults.clear();
}

const locks = join("state", ".pulumi", "locks", "organization", "workspace-automation", "chaos");

describe("after kill -9", { timeout: 600_000 }, () => {
  it("destroy finds created objects that the state does not contain yet", async () => {
    await crash();
    const { code, output } = await stage.workspacectl(
      "destroy",
      "--yes",
      "--include-protected",
      "--allow-delete",
      "**",
    );
    expect(code, output).toBe(0);
    expect(output).toMatch(
      /The lock of stack chaos was released \(created by .*\(pid \d+\) at .*\): its run was killed/,
    );
    expect(output).toMatch(
      /A run was interrupted: of \d+ operations? that it had begun, \d+ created or adopted objects?/,
    );
    expect(await differences(stage.emulator, undefined)).toEqual([]);
  });

  it.runIf(tellsAllStories)(
    "destroy finds created objects if only the command was killed and the engine outlived it briefly",
    async () => {
      await crashOfTheCommand();
      const { code, output } = await stage.workspacectl(
        ...["destroy", "--yes", "--include-protected", "--allow-delete", "**"],
      );
      expect(code, output).toBe(0);
      expect(output).toMatch(
        /A run was interrupted: of \d+ operations? that it had begun, \d+ created or adopted objects?/,
      );
      expect(await differences(stage.emulator, undefined)).toEqual([]);
      // The message is printed only once.
      expect((await stage.workspacectl("preview")).output).not.toContain("A run was interrupted");
    },
  );

  it.runIf(tellsAllStories)(
    "up without the journal rejects existing objects, and adopts them with --adopt-after-crash",
    async () => {
      await crash();
      rmSync(stage.journals, { recursive: true });
      const refused = await stage.up("workspacectl");
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.output).toContain("workspacectl up --adopt-after-crash");
      const { code, output } = await stage.workspacectl(
        "up",
        "--create-stack",
        "--yes",
        "--adopt-after-crash",
      );
      expect(code, output).toBe(0);
      expect(await differences(stage.emulator, plan)).toEqual([]);
    },
  );
});

describe("a state file that was truncated by a kill", { timeout: 600_000 }, () => {
  it("does not prevent a preview", async () => {
    const stacks = join(stage.folder, "state", ".pulumi", "stacks", "workspace-automation");
    writeFileSync(join(stacks, "chaos.json.attrs"), "");
    await expect(stage.pulumi("stack", "export", "--stack", "chaos")).rejects.toThrow(
      /failed to load checkpoint: EOF/,
    );
    expect(await stage.workspacectl("preview")).toMatchObject({ code: 0 });
  });
});

describe("a lock", { timeout: 600_000 }, () => {
  it("of a live process or of another machine is respected, and the error names its owner", async () => {
    const folder = join(stage.folder, locks);
    mkdirSync(folder, { recursive: true });
    const lock = { pid: 4711, username: "ann", hostname: `not-${hostname()}`, timestamp: new Date() };
    writeFileSync(join(folder, "lock.json"), JSON.stringify(lock));
    const { code, output } = await stage.up("workspacectl");
    expect(code).toBe(1);
    expect(output).toContain(`another update of this stack is in progress (created by ann@not-${hostname()}`);
    expect(stage.emulator.journal.writes()).toEqual([]);
    expect(readdirSync(folder)).toEqual(["lock.json"]);
  });
});
