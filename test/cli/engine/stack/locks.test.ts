/** Only a lock whose process is certainly dead is released. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { EngineStack } from "../../../../cli/engine/stack/engine-stack.js";
import { beforeEach, describe, expect, it } from "vitest";
import {
  noteOwner,
  rememberLocation,
  currentScope,
  startTimeOf,
} from "../../../../cli/engine/stack/lock-owners.js";
import type { StackLocation } from "../../../../cli/engine/stack/lock-files.js";
import { releaseDeadLocks } from "../../../../cli/engine/stack/locks.js";
import { temporaryFolder, testIo } from "../../support.js";

const root = temporaryFolder();
const here = currentScope();
let place: StackLocation;
let number = 0;

beforeEach(() => {
  place = { backendUrl: pathToFileURL(root).href, root, project: "app", stack: `dev${++number}` };
});

/** The number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;

/** A lock as Pulumi makes it, and what we noted of its holder. */
function locked(pid: number, holder?: object): string {
  const folder = join(root, ".pulumi/locks/organization/app", place.stack);
  mkdirSync(folder, { recursive: true });
  const lock = join(folder, `lock-${number}.json`);
  writeFileSync(lock, JSON.stringify({ pid, username: "ann", hostname: hostname(), timestamp: new Date() }));
  if (holder) {
    mkdirSync(join(root, ".pulumi/workspacectl/lock-holders"), { recursive: true });
    writeFileSync(
      join(root, ".pulumi/workspacectl/lock-holders", `lock-${number}.json`),
      JSON.stringify(holder),
    );
  }
  return lock;
}

/** Whether the lock is held still, and what is said. */
function tried(lock: string): { held: boolean; there: boolean; said: string } {
  const { io, written } = testIo();
  const held = releaseDeadLocks(place, io);
  return { held, there: existsSync(lock), said: written().stderr };
}

describe.runIf(here !== undefined)("a lock", () => {
  it("of a process that is gone is released", () => {
    const pid = deadPid();
    const { held, there, said } = tried(locked(pid, { ...here, pid, started: "1" }));
    expect({ held, there }).toEqual({ held: false, there: false });
    expect(said).toBe(`The lock of a killed run (process ${pid} of ann) was released.\n`);
  });

  it("of a number that another process has now is released", () => {
    const { held, there } = tried(locked(process.pid, { ...here, pid: process.pid, started: "1" }));
    expect({ held, there }).toEqual({ held: false, there: false });
  });

  it("of a living process is kept", () => {
    const holder = { ...here, pid: process.pid, started: startTimeOf(process.pid) };
    expect(tried(locked(process.pid, holder))).toEqual({ held: true, there: true, said: "" });
  });

  // A container of the same host name, on the same folder: its numbers mean nothing here.
  it.each([
    ["another boot", { boot: "other" }],
    ["another namespace", { namespace: "pid:[1]" }],
  ])("of %s is kept, whatever has its number here", (_what, other) => {
    const pid = deadPid();
    expect(tried(locked(pid, { ...here, pid, started: "1", ...other }))).toMatchObject({
      held: true,
      there: true,
    });
  });

  it("of which nothing is noted is kept, though host name and number say that it is dead", () => {
    expect(tried(locked(deadPid()))).toEqual({ held: true, there: true, said: "" });
  });
});

describe.runIf(here !== undefined)("the holder of a lock", () => {
  it("is noted while an operation runs, and found dead after a kill", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const lock = locked(child.pid ?? 0);
    const stack = {} as EngineStack;
    rememberLocation(stack, place);
    const noting = noteOwner(stack);
    noting.begun();
    noting.begun();
    expect(tried(lock)).toMatchObject({ held: true, there: true });
    child.kill("SIGKILL");
    await ended;
    noting.ended();
    expect(tried(lock)).toMatchObject({ held: false, there: false });
  });

  it("is not noted when a second lock is there: it may be either's", () => {
    const lock = locked(process.pid);
    writeFileSync(join(lock, "../second.json"), JSON.stringify({ pid: process.pid }));
    const stack = {} as EngineStack;
    rememberLocation(stack, place);
    noteOwner(stack).begun();
    expect(existsSync(join(root, ".pulumi/workspacectl/lock-holders", `lock-${number}.json`))).toBe(false);
  });
});
