/** kill -9 of everything in the middle of runs that keep a journal, and what the next command makes of it. Needs a build. */
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { State } from "../../automation/stack/recovered-state.js";
import type { StateEntry } from "../../automation/stack/state.js";
import type { IntentLine } from "../../recovery/intents.js";
import { differences } from "../chaos/compare.js";
import { type Plan, randomPlan } from "../chaos/plan.js";
import { signal, tree } from "../chaos/processes.js";
import { randomOf } from "../chaos/random.js";
import { Stage } from "../chaos/stage.js";

const SECRET = "hunter2-in-clear";
/** Marks a secret in an exported state. */
const SECRET_MARK = "1b47061264138c4ac30d75fd1eb44270";
const plan: Plan = randomPlan(randomOf(5), "acme");
plan.variables["PASSWORD"] = { value: SECRET, encrypted: true };

let stage: Stage;
beforeEach(async () => {
  stage = await Stage.open({ strictBodies: true, latencyMs: 20, echoMemberEmail: true });
  stage.declare(plan);
});
afterEach(() => stage.close());

/** Kills all processes of a command as soon as its journal has that many lines of a kind. @returns these lines */
async function killAfter(number: number, kind: "made" | "change", command: "up" | "destroy" = "up") {
  const running = command === "up" ? stage.startUp("workspacectl") : stage.startDestroy();
  const done = () => linesOf().filter((line) => kind in line);
  let ended = false;
  void running.finally(() => (ended = true));
  while (done().length < number && !ended) await sleep(1);
  signal(await tree(running.pid), "SIGKILL");
  await running;
  expect(done().length).toBeGreaterThanOrEqual(number);
  return done();
}

function linesOf(): IntentLine[] {
  const lines = stage.journal?.split("\n") ?? [];
  return lines.flatMap((line) => {
    try {
      return [JSON.parse(line) as IntentLine];
    } catch {
      return [];
    }
  });
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
    const made = await killAfter(12, "made");
    const [file = ""] = readdirSync(stage.journals).filter((name) => name.endsWith(".jsonl"));
    expect(statSync(join(stage.journals, file)).mode & 0o777).toBe(0o600);
    expect(stage.journal).not.toContain(SECRET);
    expect(await exported()).toEqual([]);

    const { code, output } = await stage.workspacectl("preview");
    expect(code, output).toBe(0);
    expect(output).toMatch(
      /A run was interrupted: of \d+ operations that it had begun, \d+ created or adopted objects are now/,
    );
    expect(existsSync(stage.journals)).toBe(false);
    const recovered = await exported();
    const ids = new Set(recovered.map(({ id }) => id));
    expect(made.filter(({ id }) => !ids.has(id))).toEqual([]);
    const dependent = recovered.filter(({ urn }) => /::projects\/[^/]+\/members\//.test(urn));
    expect(dependent.filter(({ dependencies = [] }) => dependencies.length < 3)).toEqual([]);
    expect(recovered.filter(({ type, protect }) => type.endsWith(":Project") && protect !== true)).toEqual(
      [],
    );
    expect((await stage.workspacectl("preview")).output).not.toContain("A run was interrupted");

    stage.checkpoint = "every";
    expect(await stage.up("workspacectl")).toMatchObject({ code: 0 });
    expect(await differences(stage.emulator, plan)).toEqual([]);
    const written = new Map((await exported()).map((one) => [one.urn, one]));
    // The journal contains no secrets, so the next run sends them again.
    const unlike = recovered.filter(
      (one) => made.some(({ id }) => one.id === id) && !JSON.stringify(one).includes(SECRET_MARK),
    );
    expect(unlike.map(lasting)).toEqual(unlike.map(({ urn }) => lasting(written.get(urn) as StateEntry)));
  });

  it("drift, which writes nothing else, does so too, and destroy goes on with what is left", async () => {
    expect(await stage.up("workspacectl")).toMatchObject({ code: 0 });
    expect(stage.journal).toBeUndefined();
    const before = (await exported()).length;
    await killAfter(5, "change", "destroy");
    const deleted = stage.emulator.journal.writes().filter(({ method }) => method === "DELETE").length;
    stage.emulator.journal.clear();
    const { output } = await stage.workspacectl("drift");
    expect(output).toContain("changed or deleted objects as the service shows them");
    expect(output).not.toMatch(/deleted outside/i);
    expect(stage.emulator.journal.writes()).toEqual([]);
    expect((await exported()).length).toBe(before - deleted);
    expect(await stage.destroy()).toMatchObject({ code: 0 });
    expect(await differences(stage.emulator, undefined)).toEqual([]);
  });

  it("preview shows what was changed, and blames nobody else for it", async () => {
    expect(await stage.up("workspacectl")).toMatchObject({ code: 0 });
    const later = structuredClone(plan);
    for (const project of Object.values(later.projects)) project.displayName = "Another name";
    for (const variable of Object.values(later.variables)) variable.description = "Another text";
    stage.declare(later);
    await killAfter(2, "change");
    const { code, output } = await stage.workspacectl("preview");
    expect(code, output).toBe(0);
    expect(output).not.toContain("changed outside");
    expect(await stage.up("workspacectl")).toMatchObject({ code: 0 });
    expect(await differences(stage.emulator, later)).toEqual([]);
  });

  it("plain Pulumi refuses until the lock is released, and a command without a connection says what is missing", async () => {
    await killAfter(8, "made");
    const refused = await stage.up("pulumi");
    expect(refused.code).not.toBe(0);
    expect(refused.output).toContain("the stack is currently locked by 1 lock");
    const { output } = await stage.workspacectl("stack", "export");
    expect(output).toContain("and the state is incomplete");
    expect(await stage.workspacectl("preview")).toMatchObject({ code: 0 });
    expect(await stage.up("pulumi")).toMatchObject({ code: 0 });
    expect(await differences(stage.emulator, plan)).toEqual([]);
    expect((await stage.workspacectl("preview")).output).toContain("No changes");
  });

  it("plain Pulumi finds what was created, once its user has cancelled the killed run", async () => {
    await killAfter(8, "made");
    await stage.pulumi("cancel", "--yes", "--stack", "chaos");
    const up = await stage.up("pulumi");
    expect(up.code, up.output).toBe(0);
    expect(await differences(stage.emulator, plan)).toEqual([]);
    expect((await stage.workspacectl("preview")).output).toContain("No changes");
    expect(stage.journal).toBeUndefined();
  });

  it("destroy finds what was created, also where home, cache and temporary folder are lost", async () => {
    await killAfter(8, "made");
    for (const own of ["journal", "pulumi-home"])
      rmSync(join(stage.folder, own), { recursive: true, force: true });
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
