/** Tests how the machines of a shared run divide the workspaces, and how one takes over what another one has left. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { type FleetEntry, parseFleet } from "../../../../cli/commands/fleet/fleet-file.js";
import { digestEntries, FleetProgress } from "../../../../cli/commands/fleet/progress.js";
import { runTogether } from "../../../../cli/commands/fleet/shared-run.js";
import type { StartChild } from "../../../../cli/commands/fleet/worker-processes.js";
import type { Io } from "../../../../reports/io.js";
import { temporaryFolder, testIo } from "../../support.js";

const LOCKS = "state/.pulumi/locks/organization/workspace-automation";
const RECORDS = "state/.pulumi/workspacectl/lock-holders/workspace-automation";

let folder: string;
let entries: readonly FleetEntry[];
/** What each machine has started, such as `1 a`. */
let started: string[];
let clock: number;
/** What happens at the end of a pause, by the time. */
let events: { readonly at: number; readonly happens: () => unknown }[];

beforeEach(() => {
  folder = temporaryFolder();
  writeFileSync(join(folder, "workspace.yaml"), "version: 1\nworkspace: acme\n");
  ({ entries } = parseFleet(join(folder, "fleet.yaml"), "version: 1\nworkspaces: { a: , b: , c: , d: }\n"));
  [started, clock, events] = [[], 0, []];
  ({ io, written } = testIo({
    PATH: process.env["PATH"],
    PULUMI_BACKEND_URL: pathToFileURL(join(folder, "state")).href,
  }));
});

let io: Io;
let written: () => { readonly stderr: string };

async function open(): Promise<FleetProgress> {
  return FleetProgress.open(join(folder, "fleet.yaml"), digestEntries(entries, io.env), { run: "job-1" }, io);
}

interface Played {
  readonly codes?: Readonly<Record<string, number>>;
  readonly during?: (stack: string) => Promise<unknown>;
  readonly parallel?: number;
  readonly failFast?: boolean;
  readonly repeat?: (renew: () => Promise<unknown>) => () => void;
}

/** Runs a machine until it ends. @returns the results by workspace */
async function play(
  machine: string,
  { codes = {}, during = () => Promise.resolve(), parallel = 1, failFast = false, repeat }: Played = {},
): Promise<Record<string, string>> {
  const progress = await open();
  const start: StartChild = async ({ argv }) => {
    const stack = argv[argv.indexOf("--stack") + 1] ?? "";
    started.push(`${machine} ${stack}`);
    await during(stack);
    return { exitCode: codes[stack] ?? 0, stdout: "" };
  };
  const run = { command: "up" as const, more: [], parallel, failFast, start };
  const pause = async (ms: number) => {
    clock += ms;
    for (const { happens } of events.filter(({ at }) => at > clock - ms && at <= clock)) await happens();
  };
  const results = await runTogether(
    entries,
    { progress, run, readClock: () => clock, pause, ...(repeat && { repeat }) },
    io,
  );
  await progress.settle();
  return Object.fromEntries(results.map(({ name, result, summary }) => [name, `${result}: ${summary}`]));
}

async function claim(name: string): Promise<FleetProgress> {
  const other = await open();
  await other.refresh();
  await other.claim({ name });
  return other;
}

async function finish(other: FleetProgress, name: string): Promise<void> {
  other.done({ name });
  await other.settle();
}

function lock(stack: string, beat: number): void {
  const write = (path: string, value: object) => {
    mkdirSync(join(folder, path, stack), { recursive: true });
    writeFileSync(join(folder, path, stack, "other.json"), JSON.stringify(value));
  };
  write(LOCKS, { pid: 1, hostname: "lost" });
  write(RECORDS, { beat, pid: 1, hostname: "lost", since: new Date(0).toISOString(), lock: "other.json" });
}

const unlock = (stack: string) => rmSync(join(folder, LOCKS, stack), { recursive: true });

describe("machines of one run", () => {
  it("divide the workspaces, and each reports them all", async () => {
    const both = await Promise.all([play("1"), play("2")]);
    expect(started.map((one) => one.slice(2)).toSorted()).toEqual(["a", "b", "c", "d"]);
    for (const results of both)
      expect(Object.values(results).every((one) => one.startsWith("ok: "))).toBe(true);
    expect(both.map(({ a }) => a).toSorted()).toEqual(["ok: done before", "ok: ok"]);
  });

  it("begin nothing twice, even where one is started at the same moment", async () => {
    await Promise.all(["1", "2", "3", "4", "5"].map((machine) => play(machine, { parallel: 2 })));
    expect(started.map((one) => one.slice(2)).toSorted()).toEqual(["a", "b", "c", "d"]);
  });

  it("wait until the others are done", async () => {
    const other = await claim("a");
    events = [{ at: 10_000, happens: () => finish(other, "a") }];
    expect(await play("2")).toMatchObject({ a: "ok: done before", b: "ok: ok" });
    expect(started).toEqual(["2 b", "2 c", "2 d"]);
  });

  it("leave what is claimed to its process until that has its lock, and as long as the lock is renewed", async () => {
    const other = await claim("b");
    events = [
      { at: 8_000, happens: () => lock("b", 1) },
      { at: 18_000, happens: () => lock("b", 2) },
      { at: 28_000, happens: () => lock("b", 3) },
      { at: 40_000, happens: () => (unlock("b"), finish(other, "b")) },
    ];
    expect(await play("2")).toMatchObject({ b: "ok: done before" });
    expect(clock).toBe(40_000);
  });

  it("renew their claims, also before they have a lock and while they wait for one", async () => {
    let [renew, end] = [() => Promise.resolve() as Promise<unknown>, () => undefined as unknown];
    const ended = new Promise((resolve) => (end = () => resolve(undefined)));
    let first: Promise<unknown> = Promise.resolve();
    await new Promise<void>((begun) => {
      first = play("1", {
        during: (stack) => (stack === "a" ? (begun(), ended) : Promise.resolve()),
        repeat: (again) => ((renew = again), () => undefined),
      });
    });
    events = Array.from({ length: 12 }, (_, n) => ({ at: n * 10_000, happens: () => renew() }));
    const second = play("2");
    events.push({ at: 100_000, happens: async () => (end(), await first) });
    await second;
    expect(started).toEqual(["1 a", "2 b", "2 c", "2 d"]);
  });

  it("take over what was claimed, and has no lock", async () => {
    await claim("a");
    await play("2");
    expect(started).toEqual(["2 b", "2 c", "2 d", "2 a"]);
    expect(clock).toBeGreaterThanOrEqual(15_000);
  });

  it("release the lock of a lost machine after a minute, and continue with its workspace", async () => {
    await claim("b");
    lock("b", 7);
    const results = await play("2");
    expect(started).toEqual(["2 a", "2 c", "2 d", "2 b"]);
    expect(results).toMatchObject({ b: "ok: ok" });
    expect(clock).toBe(62_000);
    expect(written().stderr).toBe(
      "Waits for other machines: b\n" +
        "The lock of stack b was released (created by undefined@lost (pid 1) at undefined): its run has not renewed it for 60 s.\n" +
        "Continues with b, which another machine has left.\n",
    );
  });

  it("observe the lock of a lost machine while they work, and divide what several have left", async () => {
    for (const name of ["a", "b"]) await claim(name).then(() => lock(name, 7));
    const during = (stack: string) => Promise.resolve((clock += stack === "c" ? 61_000 : 0));
    await Promise.all([play("1", { during }), play("2", { during })]);
    expect(started.map((one) => one.slice(2)).toSorted()).toEqual(["a", "b", "c", "d"]);
    expect(clock).toBeLessThan(70_000);
  });

  it("let its process say what is wrong with a lock that only a person can judge", async () => {
    lock("a", 7);
    rmSync(join(folder, RECORDS), { recursive: true });
    expect(await play("2", { codes: { a: 1 } })).toMatchObject({
      a: expect.stringMatching(/^error/) as string,
    });
    expect(started.at(-1)).toBe("2 a");
  });

  it("leave what somebody else is updating until its lock is gone", async () => {
    lock("a", 1);
    events = Array.from({ length: 9 }, (_, n) => ({ at: n * 10_000, happens: () => lock("a", n + 2) }));
    events.push({ at: 90_000, happens: () => unlock("a") });
    await play("2");
    expect(started.at(-1)).toBe("2 a");
    expect(clock).toBe(90_000);
  });

  it("try on each machine once what fails", async () => {
    const codes = { b: 1 };
    expect(await play("1", { codes })).toMatchObject({
      b: expect.stringMatching(/^error/) as string,
      d: "ok: ok",
    });
    expect(await play("2", { codes })).toMatchObject({
      b: expect.stringMatching(/^error/) as string,
      d: "ok: done before",
    });
    expect(await play("3")).toMatchObject({ b: "ok: ok" });
    expect(started.filter((one) => one.endsWith("b"))).toEqual(["1 b", "2 b", "3 b"]);
  });

  it("give back what they begin when they are interrupted", async () => {
    const during = (stack: string) => Promise.resolve(stack === "b" && process.emit("SIGTERM"));
    const results = await play("1", { codes: { b: 130 }, during });
    expect(results).toMatchObject({
      b: expect.stringMatching(/^interrupted/) as string,
      c: "skipped: not started",
    });
    await play("2");
    expect(started).toEqual(["1 a", "1 b", "2 b", "2 c", "2 d"]);
    expect(clock).toBe(0);
  });

  it("begin nothing more after a failure with --fail-fast", async () => {
    const results = await play("1", { codes: { a: 1 }, failFast: true });
    expect(results).toMatchObject({ b: "skipped: not started" });
    expect(started).toEqual(["1 a"]);
  });
});
