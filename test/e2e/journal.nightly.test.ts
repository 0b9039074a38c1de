/** kill -9 of everything in the middle of runs that keep a journal, and what the next command makes of it. Needs a build. */
import { existsSync, readFileSync, rmSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readJournal, type Line } from "../../cli/engine/checkpoint/journal-file.js";
import type { State } from "../../cli/engine/checkpoint/replay.js";
import type { StateEntry } from "../../cli/engine/stack/state.js";
import { differences } from "../chaos/compare.js";
import { randomPlan, type Plan } from "../chaos/plan.js";
import { signal, tree } from "../chaos/processes.js";
import { randomOf } from "../chaos/random.js";
import { Stage } from "../chaos/stage.js";

const SECRET = "hunter2-in-clear";
const plan: Plan = randomPlan(randomOf(5), "acme");
plan.variables["PASSWORD"] = { value: SECRET, encrypted: true };

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open({ strictBodies: true, latencyMs: 20, echoMemberEmail: true });
  stage.declare(plan);
});
afterEach(() => stage.close());

/** Kills all processes of a command as soon as its journal has that many steps of a kind. @returns the steps of that kind */
async function killAfter(number: number, op: Line["op"], command: "up" | "destroy" = "up"): Promise<Line[]> {
  const running = command === "up" ? stage.startUp("workspacectl") : stage.startDestroy();
  const done = () => {
    const { lines = [] } = (existsSync(stage.journal) && readJournal(stage.journal)) || {};
    return lines.filter((line) => line.op === op);
  };
  let ended = false;
  void running.finally(() => (ended = true));
  while (done().length < number && !ended) await sleep(1);
  signal(await tree(running.pid), "SIGKILL");
  await running;
  expect(done().length).toBeGreaterThanOrEqual(number);
  return done();
}

async function exported(): Promise<readonly StateEntry[]> {
  const state = JSON.parse(
    await stage.pulumi("stack", "export", "--show-secrets", "--stack", "chaos"),
  ) as State;
  return state.deployment.resources ?? [];
}

/** Without what differs from run to run. */
function lasting({ created, modified, ...all }: StateEntry): object {
  expect([created, modified]).not.toContain(undefined);
  const rest = { ...all, dependencies: all.dependencies?.toSorted() };
  return JSON.parse(
    JSON.stringify(rest, (_key, value: unknown) => (isNothing(value) ? undefined : value)),
  ) as object;
}

function isNothing(value: unknown): boolean {
  return value === false || (Array.isArray(value) && value.length === 0);
}

describe("after kill -9 of a run with a journal", { timeout: 400_000 }, () => {
  it("preview puts all that was created into the state, as the engine itself would have written it", async () => {
    const created = await killAfter(12, "created");
    expect(statSync(stage.journal).mode & 0o777).toBe(0o600);
    expect(readFileSync(stage.journal, "utf8")).not.toContain(SECRET);
    expect(await exported()).toEqual([]);

    const { code, output } = await stage.workspacectl("preview");
    expect(code, output).toBe(0);
    expect(output).toMatch(
      new RegExp(
        `A run was killed before Pulumi saved the state: what it had done \\(${created.length} created, 0 changed`,
      ),
    );
    expect(existsSync(stage.journal)).toBe(false);
    const settled = await exported();
    const found = (line: Line) =>
      settled.find(({ urn, id }) => urn === line.urn && "id" in line && id === line.id);
    expect(created.filter((line) => found(line) === undefined)).toEqual([]);
    const dependent = settled.filter(({ urn }) => /::projects\/[^/]+\/members\//.test(urn));
    expect(dependent.filter(({ dependencies = [] }) => dependencies.length < 3)).toEqual([]);
    expect(settled.filter(({ type, protect }) => type.endsWith(":Project") && protect !== true)).toEqual([]);
    expect((await stage.workspacectl("preview")).output).not.toContain("A run was killed");

    stage.checkpoint = "every";
    expect(await stage.up("workspacectl")).toMatchObject({ code: 0 });
    expect(await differences(stage.emulator, plan)).toEqual([]);
    const written = new Map((await exported()).map((one) => [one.urn, one]));
    const unlike = settled.filter((one) => one.custom && created.some(({ urn }) => urn === one.urn));
    expect(unlike.map(lasting)).toEqual(unlike.map(({ urn }) => lasting(written.get(urn) as StateEntry)));
  });

  it("drift, which writes nothing else, does so too, and destroy goes on with what is left", async () => {
    expect(await stage.up("workspacectl")).toMatchObject({ code: 0 });
    expect(existsSync(stage.journal)).toBe(false);
    const before = (await exported()).length;
    const deleted = await killAfter(5, "deleted", "destroy");
    stage.emulator.journal.clear();
    const { output } = await stage.workspacectl("drift");
    expect(output).toContain(`(0 created, 0 changed, ${deleted.length} deleted)`);
    expect(stage.emulator.journal.writes()).toEqual([]);
    expect((await exported()).length).toBe(before - deleted.length);
    expect(await stage.destroy()).toMatchObject({ code: 0 });
    expect(await differences(stage.emulator, undefined)).toEqual([]);
  });

  it("stack export shows what was changed", async () => {
    expect(await stage.up("workspacectl")).toMatchObject({ code: 0 });
    const later = structuredClone(plan);
    for (const project of Object.values(later.projects)) project.displayName = "Another name";
    for (const variable of Object.values(later.variables)) variable.description = "Another text";
    stage.declare(later);
    const updated = await killAfter(1, "updated");
    const { code, output } = await stage.workspacectl("stack", "export");
    expect(code, output).toBe(0);
    for (const line of updated) {
      const resource = (await exported()).find(({ urn }) => urn === line.urn);
      expect(JSON.stringify(resource)).toMatch(/Another (name|text)/);
    }
    expect(await stage.up("workspacectl")).toMatchObject({ code: 0 });
    expect(await differences(stage.emulator, later)).toEqual([]);
  });

  it("plain Pulumi refuses until the lock is released, and the journal ends when it has written the state", async () => {
    await killAfter(8, "created");
    const refused = await stage.up("pulumi");
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain("the stack is currently locked by 1 lock");
    await stage.pulumi("cancel", "--yes", "--stack", "chaos");
    expect(await stage.up("pulumi")).toMatchObject({ code: 0 });
    expect(await differences(stage.emulator, plan)).toEqual([]);
    const { code, output } = await stage.workspacectl("preview");
    expect(code, output).toBe(0);
    expect(output).toContain("No changes");
    expect(existsSync(stage.journal)).toBe(false);
  });

  it("destroy finds what was created, also when the journal is lost and the state is empty", async () => {
    await killAfter(8, "created");
    rmSync(stage.journal);
    expect(await stage.destroy()).toMatchObject({ code: 0 });
    expect(await differences(stage.emulator, undefined)).toEqual([]);
  });

  it("up recognizes a member whose invitation had no answer, also where addresses are hidden and after a preview", async () => {
    await stage.close();
    stage = await Stage.open({ strictBodies: true, echoMemberEmail: false });
    stage.declare(plan);
    const path = /^\/workspaces\/[^/]+\/members$/;
    stage.emulator.faults.add({ kind: "reset-after", method: "POST", path, count: 9 });
    const running = stage.startUp("workspacectl");
    const isInvited = () => stage.emulator.journal.writes().some((request) => path.test(request.path));
    while (!isInvited()) await sleep(1);
    running.kill("SIGKILL");
    signal(await tree(running.pid), "SIGKILL");
    await running;
    stage.emulator.faults.clear();
    expect((await stage.workspacectl("preview")).output).toContain("may have created members/");
    expect(await stage.up("workspacectl")).toMatchObject({ code: 0 });
    expect((await stage.workspacectl("preview")).output).toContain("No changes");
  });
});
