/** Runs commands for workspaces of a fleet in processes of the pool. */
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { WorkerPool } from "../../cli/commands/fleet/worker-processes.js";
import { connected, emulatorForTests, isolated, temporaryFolder } from "./support.js";

const turn = { give: () => undefined, take: () => Promise.resolve() };
const abort = new AbortController();
const pools: WorkerPool[] = [];
afterEach(() => Promise.all(pools.splice(0).map((pool) => pool.close())));

function openPool(isReused: boolean) {
  const pool = new WorkerPool(abort.signal, isReused);
  pools.push(pool);
  const run = async (argv: readonly string[], env: NodeJS.ProcessEnv) => {
    const lines: string[] = [];
    const { exitCode, stdout } = await pool.start({ argv, env }, (line) => lines.push(line), turn);
    return { exitCode, stdout, stderr: lines.join("\n"), process: pool.processes[0] };
  };
  return { pool, run };
}

/** Writes a workspace file that reads a variable of the environment. */
function writeWorkspace(folder: string): string {
  const file = join(folder, "workspace.yaml");
  const description = "Of ${env:TEAM}";
  writeFileSync(file, `version: 1\nworkspace: acme\ngroups:\n  Readers: { description: "${description}" }\n`);
  return file;
}

describe("processes of a fleet", () => {
  it("run one command after another, each with its own environment and result", async () => {
    const folder = temporaryFolder();
    const { run } = openPool(true);
    const argv = ["render", "-f", writeWorkspace(folder)];
    const one = await run(argv, isolated(folder, { WORKSPACE_VAR_TEAM: "one" }));
    const two = await run(argv, isolated(folder, { WORKSPACE_VAR_TEAM: "two" }));
    expect(one).toMatchObject({ exitCode: 0, stderr: "" });
    expect(one.stdout).toContain("Of one");
    expect(two).toMatchObject({ exitCode: 0, stderr: "", process: one.process });
    expect(two.stdout).toContain("Of two");
    expect(two.stdout).not.toContain("one");
  });

  it("forget the environment of the one before, and end after a failure", async () => {
    const folder = temporaryFolder();
    const { run } = openPool(true);
    const argv = ["render", "-f", writeWorkspace(folder)];
    const one = await run(argv, isolated(folder, { WORKSPACE_VAR_TEAM: "one" }));
    const none = await run(argv, isolated(folder));
    expect(none).toMatchObject({ exitCode: 1, stdout: "", process: undefined });
    expect(none.stderr).toContain("WORKSPACE_VAR_TEAM");
    const two = await run(argv, isolated(folder, { WORKSPACE_VAR_TEAM: "two" }));
    expect(two.stdout).toContain("Of two");
    expect(two.process).not.toBe(one.process);
  });

  it("leave no files of a command behind", async () => {
    const emulator = await emulatorForTests();
    const folder = temporaryFolder();
    const { run } = openPool(true);
    const TMPDIR = join(folder, "tmp");
    mkdirSync(TMPDIR);
    const env = isolated(folder, { ...connected(emulator), TMPDIR, WORKSPACE_VAR_TEAM: "one" });
    const argv = ["preview", "-f", writeWorkspace(folder), "--json", "--stack", "us"];
    expect(await run(argv, env)).toMatchObject({ exitCode: 0, process: expect.any(Number) as number });
    expect(readdirSync(TMPDIR)).toEqual([]);
  });

  it("end after each command that changes something", async () => {
    const { run } = openPool(false);
    expect(await run(["--version"], isolated(temporaryFolder()))).toMatchObject({
      exitCode: 0,
      process: undefined,
    });
  });

  it("are replaced when they were killed", async () => {
    const { pool, run } = openPool(true);
    const env = isolated(temporaryFolder());
    const { process: first } = await run(["--version"], env);
    process.kill(first!, "SIGKILL");
    while (pool.processes.length > 0) await setImmediate();
    const second = await run(["--version"], env);
    expect(second.exitCode).toBe(0);
    expect(second.process).not.toBe(first);
  });

  it("report why they end before their command does", async () => {
    const emulator = await emulatorForTests();
    const folder = temporaryFolder();
    const env = isolated(folder, { ...connected(emulator), NODE_OPTIONS: "--no-such-option" });
    const ended = await openPool(true).run(["whoami"], env);
    expect(ended).toMatchObject({ exitCode: 9, process: undefined });
    expect(ended.stderr).toContain("--no-such-option is not allowed");
  });
});
