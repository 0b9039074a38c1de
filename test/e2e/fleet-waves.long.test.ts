/** A fleet that is updated in waves, on the real engine: a gate that is closed, a failure, and a run that is killed. */
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { execa } from "execa";
import { beforeAll, describe, expect, it } from "vitest";
import type { Emulator } from "../../emulator/index.js";
import { bin, emulatorForTests, type Ended, isolated, temporaryFolder, workspacectl } from "./support.js";

const names = ["lab", "us", "eu"] as const;
const workspaceFile = (description: string) =>
  `version: 1\nworkspace: acme\ngroups: { QA: { description: ${description} } }\n`;
const FLEET = `version: 1
defaults: { backend: ./state }
workspaces:
${names.map((name) => `  ${name}: { environment: { WORKSPACE_AUTOMATION_BASE_URL: ${name.toUpperCase()}_WORKSPACE_AUTOMATION_BASE_URL, WORKSPACE_AUTOMATION_TOKEN: ${name.toUpperCase()}_WORKSPACE_AUTOMATION_TOKEN } }`).join("\n")}
waves:
  - { name: canary, workspaces: [lab], gate: { drift: clean, guards: pass, command: approved } }
`;

let emulators: Record<string, Emulator>;
let folder: string;
/** The user's own folder, which is not in the folder of the fleet. */
let own: string;
let env: NodeJS.ProcessEnv;
const up = (...argv: string[]): Promise<Ended> =>
  workspacectl(["fleet", "up", "fleet.yaml", "--yes", ...argv, "--", "--create-stack"], folder, env);
const records = () => join(own, "fleets");
/** Without the files that a record is written to before it gets its name. */
const listRecords = () =>
  (existsSync(records()) ? readdirSync(records()) : [])
    .filter((name) => name.endsWith(".json"))
    .map((name) => join(records(), name));
const writes = () => names.map((name) => emulators[name]?.journal.writes().length);

beforeAll(async () => {
  [folder, own] = [temporaryFolder(), temporaryFolder()];
  env = isolated(folder, {
    WORKSPACE_AUTOMATION_GATE_APPROVED: "test -e approved",
    WORKSPACE_AUTOMATION_JOURNAL: own,
  });
  emulators = {};
  for (const name of names) {
    const emulator = await emulatorForTests();
    emulators[name] = emulator;
    env[`${name.toUpperCase()}_WORKSPACE_AUTOMATION_BASE_URL`] = emulator.baseUrl;
    env[`${name.toUpperCase()}_WORKSPACE_AUTOMATION_TOKEN`] = emulator.token;
  }
  writeFileSync(join(folder, "workspace.yaml"), workspaceFile("One"));
  writeFileSync(join(folder, "fleet.yaml"), FLEET);
});

describe("a fleet in waves", { timeout: 600_000 }, () => {
  it("does not start the second wave when the gate is closed", async () => {
    const ended = await up();
    expect(ended.code).toBe(1);
    expect(ended.stdout).toMatch(/^rest +us +us +skipped +not started: the gate of wave canary is closed$/m);
    expect(ended.stdout).toContain("gate of wave canary closed: approved ended with exit code 1");
    expect(ended.stderr).toContain("To continue without repeating what is done, add --resume.");
    expect(ended.stderr).not.toContain("cannot be resumed");
    expect(writes()).toEqual([1, 0, 0]);
  });

  it("continues with --resume once the gate is open, without the first wave", async () => {
    writeFileSync(join(folder, "approved"), "");
    const requests = emulators["lab"]?.journal.writes().length;
    const ended = await up("--resume");
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^canary +lab +lab +ok +done before/m);
    expect(ended.stdout).toContain("3 workspaces: all ok");
    expect(emulators["lab"]?.journal.writes().length).toBe(requests);
    expect(writes()).toEqual([1, 1, 1]);
    expect(listRecords()).toEqual([]);
  });

  it("finishes after it was killed, and repeats no workspace that was done", async () => {
    writeFileSync(join(folder, "workspace.yaml"), workspaceFile("Three"));
    const running = execa(process.execPath, [bin, "fleet", "up", "--yes", "--parallel", "1"], {
      cwd: folder,
      env,
      extendEnv: false,
      reject: false,
    });
    const done = () =>
      listRecords().flatMap((record) =>
        Object.keys((JSON.parse(readFileSync(record, "utf8")) as { done: object }).done),
      );
    while (!done().includes("us") && running.exitCode === null) await sleep(50);
    running.kill("SIGKILL");
    await running;
    const before = writes();
    const ended = await up("--resume");
    expect(ended.code).toBe(0);
    expect(ended.stdout).toMatch(/^rest +us +us +ok +done before/m);
    expect(writes().slice(0, 2)).toEqual(before.slice(0, 2));
    const { body } = (await emulators["eu"]?.edit({ method: "GET", path: "/workspaces/acme/groups" })) as {
      body: { groups: { id: number }[] };
    };
    expect(body.groups).toHaveLength(1);
  });
});
