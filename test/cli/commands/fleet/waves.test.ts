/** Tests cli/commands/fleet/waves.ts. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { parseFleet } from "../../../../cli/commands/fleet/fleet-file.js";
import { writeFleet } from "../../../../cli/commands/fleet/fleet-report.js";
import { chooseExitCode } from "../../../../cli/commands/fleet/outcome.js";
import { digestEntries, FleetProgress } from "../../../../cli/commands/fleet/progress.js";
import { FleetInterruption, type FleetRun } from "../../../../cli/commands/fleet/run-each-workspace.js";
import { runWaves } from "../../../../cli/commands/fleet/run-waves.js";
import { listWaves } from "../../../../cli/commands/fleet/waves.js";
import type { StartChild } from "../../../../cli/commands/fleet/worker-processes.js";
import { testIo } from "../../support.js";

const names = ["us", "eu", "lab-1", "lab-2", "old"];
const gate = { drift: "clean" as const };

describe("waves", () => {
  it("are filled by names, then by the share that is done after them; the others come last", () => {
    const waves = listWaves(names, [
      { name: "canary", workspaces: ["lab-*"], gate },
      { name: "some", share: "50%" },
    ]);
    expect(waves).toEqual([
      { name: "canary", gate, workspaces: ["lab-1", "lab-2"] },
      { name: "some", gate: undefined, workspaces: ["us"] },
      { name: "rest", gate: undefined, workspaces: ["eu", "old"] },
    ]);
    expect(waves.flatMap(({ workspaces }) => workspaces).toSorted()).toEqual(names.toSorted());
  });

  it("have no rest when they cover everything, or when there are none", () => {
    expect(listWaves(names, [{ name: "all", share: "100%" }])).toHaveLength(1);
    expect(listWaves(names, [])).toEqual([]);
  });

  it("need members and a name of their own, and name workspaces that exist", () => {
    const text = `version: 1
workspaces: { us: , eu: }
waves:
  - name: canary
  - { name: canary, workspaces: [us, asia] }
  - { name: half, share: half }
`;
    const problems = (source: string) => {
      try {
        return parseFleet("/ops/fleet.yaml", source);
      } catch (error) {
        return (error as Error).message.split("\n").filter((line) => line.startsWith("/ops/"));
      }
    };
    expect(problems(text)).toEqual([
      "/ops/fleet.yaml:6:26: waves[2].share: must be a percentage, such as 25%",
    ]);
    expect(problems(text.replace("share: half", "share: 50%"))).toEqual([
      '/ops/fleet.yaml:4:5: wave "canary" needs one of these two lines: workspaces: [NAME], or share: 25%',
      "/ops/fleet.yaml:5:13: two waves are named canary: rename one of them",
      "/ops/fleet.yaml:5:38: there is no workspace asia",
    ]);
  });
});

describe("a run in waves", () => {
  let folder: string;
  /** Exit codes by command and stack; 0 by default. */
  let codes: Record<string, number>;
  let started: string[];
  /** The step during which this process gets a signal. */
  let interruptedBy: string | undefined;

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "fleet-waves-"));
    [codes, started, interruptedBy] = [{}, [], undefined];
    writeFileSync(join(folder, "workspace.yaml"), "version: 1\nworkspace: acme\n");
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const start: StartChild = async ({ argv }, onLine) => {
    const step = `${argv[0]} ${argv[argv.indexOf("--stack") + 1]}`;
    started.push(
      argv.includes("--strict-guards")
        ? `${step} ${argv.slice(argv.indexOf("--strict-guards")).join(" ")}`
        : step,
    );
    const exitCode = codes[step] ?? 0;
    if (step === interruptedBy) process.emit("SIGTERM");
    if (exitCode === 1) onLine("error: no");
    return Promise.resolve({ exitCode, stdout: "" });
  };

  const records = () => join(folder, "own/fleets");

  async function play(
    waves: string,
    { resume = false, more = [] as string[], run: runName = undefined as string | undefined } = {},
  ) {
    started = [];
    const fleetFile = join(folder, "fleet.yaml");
    const text = `version: 1\nworkspaces: { us: , eu: , lab: }\nwaves:\n${waves}`;
    const fleet = parseFleet(fleetFile, text);
    const { io, written } = testIo({
      PATH: process.env["PATH"],
      WORKSPACE_AUTOMATION_JOURNAL: join(folder, "own"),
      PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
      WORKSPACE_AUTOMATION_GATE_SAY: "echo $FLEET_WAVE: $FLEET_WORKSPACES",
      WORKSPACE_AUTOMATION_GATE_NOT_YET: "echo not yet; exit 3",
      WORKSPACE_AUTOMATION_GATE_WAIT: "sleep 60",
    });
    const interruption = new FleetInterruption();
    const run: FleetRun = { command: "up", more, parallel: 1, failFast: false, start, interruption };
    const digests = digestEntries(fleet.entries, io.env);
    const progress = await FleetProgress.open(fleetFile, digests, { resume, run: runName }, io);
    const next = (of: readonly string[]) => fleet.entries.filter(({ name }) => of.includes(name));
    const ended = await runWaves({ ...fleet, run, progress, next, fleetFile }, io);
    await progress.settle();
    const report = { command: "up" as const, waves: fleet.waves, ...ended };
    const paper = testIo();
    const results = ended.results.map(({ seconds: _, ...result }) => result);
    await writeFleet({ ...report, results }, {}, paper.io);
    return { exitCode: chooseExitCode(report), table: paper.written().stdout, stderr: written().stderr };
  }

  const CANARY =
    "  - { name: canary, workspaces: [lab], gate: { drift: clean, guards: pass, command: say } }\n";

  it("checks the gate of each wave before the next one starts", async () => {
    const { exitCode, table, stderr } = await play(CANARY, {
      more: ["--max-deletes", "5", "--create-stack"],
    });
    expect(exitCode).toBe(0);
    expect(started).toEqual([
      "up lab",
      "drift lab",
      "preview us --strict-guards --max-deletes 5",
      "preview eu --strict-guards --max-deletes 5",
      "up us",
      "up eu",
    ]);
    expect(stderr).toContain("gate of canary | canary: lab\n");
    expect(table).toMatchInlineSnapshot(`
      "wave    name  workspace  stack  result
      canary  lab              lab    ok      ok
      rest    us               us     ok      ok
      rest    eu               eu     ok      ok

      3 workspaces: all ok
      "
    `);
  });

  it("stops after a wave that fails, and continues with --resume where it stopped", async () => {
    codes = { "up us": 1 };
    const waves = `${CANARY}  - { name: first, workspaces: [us] }\n`;
    const failed = await play(waves);
    expect(failed.exitCode).toBe(1);
    expect(failed.table).toMatchInlineSnapshot(`
      "wave    name  workspace  stack  result
      canary  lab              lab    ok       ok
      first   us               us     error    no
      rest    eu               eu     skipped  not started: wave first failed

      3 workspaces: 1 error, 1 skipped, 1 ok
      "
    `);
    codes = {};
    const resumed = await play(waves, { resume: true });
    expect([resumed.exitCode, started]).toEqual([0, ["up us", "up eu"]]);
    expect(resumed.table).toMatchInlineSnapshot(`
      "wave    name  workspace  stack  result
      canary  lab              lab    ok      done before
      first   us               us     ok      ok
      rest    eu               eu     ok      ok

      3 workspaces: all ok
      "
    `);
  });

  it.each([{}, { run: "job-1" }])(
    "starts nothing after a signal, and is no success although what was begun has succeeded (%o)",
    async (options) => {
      const waves = "  - { name: first, workspaces: [us, eu] }\n";
      interruptedBy = "up us";
      expect(await play(waves, options)).toMatchObject({ exitCode: 130 });
      expect(started).toEqual(["up us"]);
      interruptedBy = "up eu";
      const { exitCode, table } = await play(waves, { ...options, resume: true });
      expect([exitCode, started]).toEqual([130, ["up eu"]]);
      expect(table).toContain("not started: the run was interrupted");
      interruptedBy = "up lab";
      expect(await play(waves, { ...options, resume: true })).toMatchObject({ exitCode: 0 });
    },
  );

  it("stops at a gate that is closed, and checks it again with --resume", async () => {
    codes = { "drift lab": 7 };
    const closed = await play(CANARY);
    expect([closed.exitCode, started]).toEqual([1, ["up lab", "drift lab"]]);
    expect(closed.table).toMatchInlineSnapshot(`
      "wave    name  workspace  stack  result
      canary  lab              lab    ok       ok
      rest    us               us     skipped  not started: the gate of wave canary is closed
      rest    eu               eu     skipped  not started: the gate of wave canary is closed

      3 workspaces: 2 skipped, 1 ok; gate of wave canary closed: drift is not clean: lab (drift)
      "
    `);
    codes = {};
    expect((await play(CANARY, { resume: true })).exitCode).toBe(0);
    expect(started.slice(0, 2)).toEqual(["drift lab", "preview us --strict-guards"]);
  });

  it("shows the output of the gate's command, and ends it after its time limit", async () => {
    const waves = (command: string, timeout = "10m") =>
      `  - { name: canary, workspaces: [lab], gate: { command: ${command}, timeout: ${timeout} } }\n`;
    const refused = await play(waves("not-yet"));
    expect(refused.stderr).toContain("gate of canary | not yet\n");
    expect(refused.table).toContain("gate of wave canary closed: not-yet ended with exit code 3");
    expect((await play(waves("wait", "1s"))).table).toContain("wait did not end within 1 s");
  });

  it("runs only commands that the caller gives, because the author of a change can edit the file", async () => {
    const waves = (command: string) =>
      `  - { name: canary, workspaces: [lab], gate: { command: ${command} } }\n`;
    await expect(play(waves("other"))).rejects.toThrow(
      "the gate of wave canary needs WORKSPACE_AUTOMATION_GATE_OTHER: it is not set, nothing was changed",
    );
    expect(started).toEqual([]);
    await expect(play(waves('"touch ran"'))).rejects.toThrow(/must be the name of a command/);
  });

  it("runs a workspace again when its file has changed since", async () => {
    codes = { "up eu": 1 };
    await play("  - { name: canary, workspaces: [lab] }\n");
    writeFileSync(join(folder, "workspace.yaml"), "version: 1\nworkspace: acme\ngroups: { QA: {} }\n");
    await play("  - { name: canary, workspaces: [lab] }\n", { resume: true });
    expect(started).toEqual(["up lab", "up us", "up eu"]);
  });

  it("continues a named run on another machine, and begins anew under another name", async () => {
    codes = { "up eu": 1 };
    const records = join(folder, "state/.pulumi/workspacectl/fleet/fleet.yaml");
    await play(CANARY, { run: "job-1" });
    expect(started).toContain("up us");
    expect(readdirSync(join(records, "job-1/done"))).toEqual(["lab", "us"]);
    codes = {};
    const second = await play(CANARY, { run: "job-1" });
    expect(started).toEqual(["up eu"]);
    expect(second).toMatchObject({ exitCode: 0 });
    expect(second.table).toMatch(/us +us +ok +done before/);
    await play(CANARY, { run: "job-1" });
    expect(started).toEqual([]);
    await play(CANARY, { run: "job-2" });
    expect(started).toContain("up lab");
    expect(readdirSync(records)).toContain("job-2");
    expect(existsSync(join(folder, "own"))).toBe(false);
  });

  it("does not believe a record in the checkout, or one that a change could have added", async () => {
    codes = { "up us": 1 };
    await play(CANARY);
    const [name = ""] = readdirSync(records());
    const text = readFileSync(join(records(), name), "utf8");
    rmSync(join(folder, "own"), { recursive: true });
    writeFileSync(join(folder, "fleet.progress.json"), text);
    codes = {};
    const again = await play(CANARY, { resume: true });
    expect(again.stderr).toContain("There is no run to resume");
    expect(started).toContain("drift lab");
    mkdirSync(join(folder, ".git"));
    mkdirSync(records(), { recursive: true });
    writeFileSync(join(records(), name), text);
    await expect(play(CANARY, { resume: true })).rejects.toThrow("is in the checkout");
    await expect(play(CANARY, { run: "job-1" })).rejects.toThrow("is in the checkout");
  });

  it("keeps a record that names no secret and is refused when it is damaged", async () => {
    codes = { "up us": 1 };
    await play(CANARY);
    const [name = ""] = readdirSync(records());
    const record = join(records(), name);
    expect(JSON.parse(readFileSync(record, "utf8"))).toEqual({
      version: 1,
      startedAt: expect.stringMatching(/^\d{4}-/) as string,
      done: { lab: expect.stringMatching(/^[0-9a-f]{64}$/) as string, eu: expect.any(String) as string },
      gates: { canary: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
    });
    writeFileSync(record, "{}");
    await expect(play(CANARY, { resume: true })).rejects.toThrow("is not a record of workspacectl fleet");
    expect(existsSync(record)).toBe(true);
  });
});
