/** kill -9 of everything in the middle of an `up`, and each way on from there. Needs a build. */
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { differences } from "../chaos/compare.js";
import { randomPlan, type Plan } from "../chaos/plan.js";
import { alive, signal, tree, type Process } from "../chaos/processes.js";
import { randomOf } from "../chaos/random.js";
import { Stage } from "../chaos/stage.js";

const plan: Plan = randomPlan(randomOf(5), "acme");
let stage: Stage;

beforeEach(async () => {
  // Members whose e-mail addresses are hidden, and whose number no answer told, cannot be recognized without an `up`.
  stage = await Stage.open({ strictBodies: true, latencyMs: 20, echoMemberEmail: true });
  stage.declare(plan);
});
afterEach(() => stage.close());

/** Starts an `up` and waits for its tenth write. Returns the processes of the first: to list them takes long on a busy machine. */
async function midway() {
  const running = stage.startUp("workspacectl");
  const written = async (count: number) => {
    while (stage.emulator.journal.writes().length < count) await sleep(1);
  };
  await written(1);
  const processes = await tree(running.pid ?? 0);
  await written(10);
  return { running, processes };
}

/** Brings the workspace up and kills all processes in the middle, with requests under way. */
async function crash(): Promise<void> {
  const { running, processes } = await midway();
  const isEngine = ({ role }: Process) => role === "engine";
  // The engine first: had it a moment to see that its provider is gone, it would take what was under way for not made.
  for (const some of [processes.filter(isEngine), processes]) signal(some, "SIGKILL");
  await running;
  expect(stage.pending()).toBeGreaterThan(0);
}

/**
 * Kills workspacectl alone, which is the provider too. The engine ends at its next word to it, or sees first that its provider is gone
 * and saves that nothing was made: which of both comes first is chance.
 */
async function crashOfTheCommand(): Promise<void> {
  const { running, processes } = await midway();
  running.kill("SIGKILL");
  expect(await running).toMatchObject({ signal: "SIGKILL" });
  while ((await alive(processes)).length > 0) await sleep(100);
}

const locks = join("state", ".pulumi", "locks", "organization", "workspace-automation", "chaos");

describe("after kill -9", { timeout: 240_000 }, () => {
  it("destroy finds what was made, also what the state did not know yet", async () => {
    await crash();
    const { code, output } = await stage.workspacectl(
      "destroy",
      "--yes",
      "--include-protected",
      "--allow-delete",
      "**",
    );
    expect(code, output).toBe(0);
    expect(output).toMatch(/The lock of a killed run \(process \d+ of .*\) was released/);
    expect(output).toMatch(/A run was killed: of \d+ operations? that it had begun, \d+ created objects?/);
    expect(await differences(stage.emulator, undefined)).toEqual([]);
  });

  it("destroy finds what was made too when only the command was killed, and the engine lived on for a moment", async () => {
    await crashOfTheCommand();
    const { code, output } = await stage.workspacectl(
      ...["destroy", "--yes", "--include-protected", "--allow-delete", "**"],
    );
    expect(code, output).toBe(0);
    expect(output).toMatch(/A run was killed: of \d+ operations? that it had begun, \d+ created objects?/);
    expect(await differences(stage.emulator, undefined)).toEqual([]);
    // That was said once.
    expect((await stage.workspacectl("preview")).output).not.toContain("A run was killed");
  });

  it("up on another machine refuses what exists and offers --adopt-after-crash, which takes it over", async () => {
    await crash();
    rmSync(join(stage.folder, "journal"), { recursive: true });
    const refused = await stage.up("workspacectl");
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.output).toContain("workspacectl up --adopt-after-crash");
    const { code, output } = await stage.workspacectl("up", "--create-stack", "--yes", "--adopt-after-crash");
    expect(code, output).toBe(0);
    expect(await differences(stage.emulator, plan)).toEqual([]);
  });
});

describe("state that a kill cut off in the middle of being written", { timeout: 240_000 }, () => {
  it("is read all the same", async () => {
    const stacks = join(stage.folder, "state", ".pulumi", "stacks", "workspace-automation");
    writeFileSync(join(stacks, "chaos.json.attrs"), "");
    await expect(stage.pulumi("stack", "export", "--stack", "chaos")).rejects.toThrow(
      /failed to load checkpoint: EOF/,
    );
    expect(await stage.workspacectl("preview")).toMatchObject({ code: 0 });
  });
});

describe("a lock", { timeout: 240_000 }, () => {
  it("of a living process or of another machine is respected, and the message says whose it is", async () => {
    const folder = join(stage.folder, locks);
    mkdirSync(folder, { recursive: true });
    const lock = { pid: 4711, username: "ann", hostname: `not-${hostname()}`, timestamp: new Date() };
    writeFileSync(join(folder, "lock.json"), JSON.stringify(lock));
    const { code, output } = await stage.up("workspacectl");
    expect(code).toBe(1);
    expect(output).toContain(`another update of this stack is under way (created by ann@not-${hostname()}`);
    expect(stage.emulator.journal.writes()).toEqual([]);
    expect(readdirSync(folder)).toEqual(["lock.json"]);
  });
});
