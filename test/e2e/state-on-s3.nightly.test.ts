/** Keeps states in an S3 bucket: shards, locks, and a connection that is lost in the middle of an `up`. Needs a build and Go. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { signal, tree } from "../chaos/processes.js";
import { missingGo } from "./language-hosts.js";
import { type ObjectStore, objectStoreForTests } from "./s3.js";
import { connected, emulatorForTests, isolated, start, temporaryFolder, workspacectl } from "./support.js";

const skip = await missingGo();
const reason = skip === undefined ? "" : ` (skipped: ${skip})`;

let store: ObjectStore;
let emulator: Emulator;
let folder: string;
let env: NodeJS.ProcessEnv;
const run = (...argv: string[]) => workspacectl(argv, folder, env);
const records = () => store.keys(".pulumi/workspacectl/lock-holders/");
const locks = () => store.keys(".pulumi/locks/");
const written = () => emulator.journal.writes().length;

beforeAll(async () => {
  if (skip === undefined) store = await objectStoreForTests();
}, 600_000);

beforeEach(async () => {
  store.restore();
  folder = temporaryFolder();
  emulator = await emulatorForTests({ latencyMs: 20 });
  env = isolated(folder, { ...connected(emulator), ...store.env, PULUMI_BACKEND_URL: store.backend });
});

function declare(groups: number): void {
  const each = Array.from({ length: groups }, (_, index) => `  G${index}: { description: Group ${index} }\n`);
  writeFileSync(join(folder, "workspace.yaml"), `version: 1\nworkspace: acme\ngroups:\n${each.join("")}`);
}

/** Starts an `up` of more groups, and returns when the service has received some of them. */
async function midway(groups: number, stack: string) {
  declare(groups);
  const before = written();
  const running = start(["up", "--yes", "--create-stack", "--stack", stack], folder, env);
  while (written() < before + 3) await sleep(5);
  // In an object, because a caller that awaits the process itself waits for its end.
  return { running };
}

describe.skipIf(skip !== undefined)(`a state in an S3 bucket${reason}`, { timeout: 300_000 }, () => {
  it("serves two shards of a fleet at the same time", async () => {
    const other = await emulatorForTests({ latencyMs: 20 });
    declare(8);
    const entry = (upper: string) =>
      `{ environment: { WORKSPACE_AUTOMATION_BASE_URL: ${upper}_WORKSPACE_AUTOMATION_BASE_URL, WORKSPACE_AUTOMATION_TOKEN: ${upper}_WORKSPACE_AUTOMATION_TOKEN } }`;
    writeFileSync(
      join(folder, "fleet.yaml"),
      `version: 1\ndefaults: { backend: "${store.backend}" }\nworkspaces:\n  us: ${entry("US")}\n  eu: ${entry("EU")}\n`,
    );
    Object.assign(env, {
      US_WORKSPACE_AUTOMATION_BASE_URL: emulator.baseUrl,
      US_WORKSPACE_AUTOMATION_TOKEN: emulator.token,
    });
    Object.assign(env, {
      EU_WORKSPACE_AUTOMATION_BASE_URL: other.baseUrl,
      EU_WORKSPACE_AUTOMATION_TOKEN: other.token,
    });
    const shard = (which: string) =>
      run(
        "fleet",
        "up",
        "fleet.yaml",
        "--yes",
        "--shard",
        which,
        "--format",
        `json=${which[0]}.json`,
        "--",
        "--create-stack",
      );
    const ended = await Promise.all([shard("1/2"), shard("2/2")]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(ended.map(({ stderr }) => stderr).join("\n")).not.toContain("after every object");
    const merged = await run("fleet", "merge", "1.json", "2.json");
    expect(merged).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("2 workspaces: all ok") as string,
    });
    expect([written(), other.journal.writes().length]).toEqual([8, 8]);
    const states = await store.keys(".pulumi/stacks/workspace-automation/");
    expect(states).toEqual(
      expect.arrayContaining(["us", "eu"].map((name) => expect.stringContaining(`/${name}.json`) as string)),
    );
    expect(await locks()).toEqual([]);
    expect(await store.read(states.find((key) => key.endsWith("/us.json")) ?? "")).not.toContain(
      emulator.token,
    );
  });

  it("lets a second up of the same stack wait until the first one ends, and says for whom", async () => {
    // Keeps the first one busy while the second one starts.
    emulator.faults.add({ kind: "delay-after", method: "POST", skip: 2, count: 100, delayMs: 5_000 });
    const { running: first } = await midway(8, "shared");
    const second = await run("up", "--yes", "--stack", "shared");
    expect(second.stderr).toMatch(
      /Another update of stack shared is in progress \(created by .+ \(pid \d+\) at .+\): waiting until it ends/,
    );
    expect(second).toMatchObject({ code: 0, stdout: expect.stringContaining("No changes") as string });
    expect(await first).toMatchObject({ exitCode: 0 });
    expect(written()).toBe(8);
    expect(await locks()).toEqual([]);
    expect(await run("preview", "--stack", "shared")).toMatchObject({
      code: 0,
      stdout: expect.stringContaining("No changes") as string,
    });
  });

  it("survives a connection that is lost for some seconds", async () => {
    const { running } = await midway(12, "short");
    store.lose();
    await sleep(4_000);
    store.restore();
    expect(await running).toMatchObject({ exitCode: 0 });
    expect(written()).toBe(12);
    expect((await run("preview", "--stack", "short")).stdout).toContain("No changes");
  });

  it("that a killed job could no longer write is completed by the next command", async () => {
    await killedWithoutConnection("killed");
    const offline = await run("preview", "--stack", "killed");
    expect(offline.code).toBe(1);
    expect(offline.stderr).toMatch(/error: .*127\.0\.0\.1/);
    store.restore();
    expect(await locks()).toHaveLength(1);
    const up = await run("up", "--yes", "--stack", "killed");
    expect(up.code).toBe(0);
    expect(up.stderr).toMatch(/The lock of stack killed was released \(created by .*\): its run was killed/);
    const [, found] = /(\d+) created or adopted objects? (?:is|are) now in the state/.exec(up.stderr) ?? [];
    expect(Number(found)).toBeGreaterThan(0);
    expect(up.stdout).toContain(`Done: ${28 - Number(found)} created`);
    expect(written()).toBe(30);
    expect(await run("drift", "--stack", "killed")).toMatchObject({ code: 0 });
    expect([await locks(), await records()]).toEqual([[], []]);
  });

  it("is completed on another machine, where nothing is left of the first one", async () => {
    await killedWithoutConnection("elsewhere");
    store.restore();
    env = {
      ...env,
      ...isolated(temporaryFolder(), { ...connected(emulator), ...store.env }),
      PULUMI_BACKEND_URL: store.backend,
    };
    expect(await run("stack", "unlock", "--yes", "--stack", "elsewhere")).toMatchObject({ code: 0 });
    const up = await run("up", "--yes", "--stack", "elsewhere");
    expect(up.code, up.stderr).toBe(0);
    expect(await run("drift", "--stack", "elsewhere")).toMatchObject({ code: 0 });
    const { groups } = (await emulator.edit({ method: "GET", path: "/workspaces/acme/groups" })).body as {
      groups: object[];
    };
    expect(groups).toHaveLength(30);
    expect(await store.keys(".pulumi/workspacectl/journal/")).toEqual([]);
  });
});

/** Loses the connection in the middle of an `up` of 30 groups, of which 2 exist, and then kills the job. */
async function killedWithoutConnection(stack: string): Promise<void> {
  declare(2);
  expect(await run("up", "--yes", "--create-stack", "--stack", stack)).toMatchObject({ code: 0 });
  const { running } = await midway(30, stack);
  const processes = await tree(running.pid);
  store.lose();
  // The operations that had begun end. Others wait until their intents can be stored.
  await sleep(3_000);
  signal(processes, "SIGKILL");
  await running;
}
