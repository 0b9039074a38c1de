/** Tests that a lock is released only if its process is certainly dead. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { noteOwner } from "../../../../cli/engine/stack/lock-owners.js";
import { currentScope, startTimeOf } from "../../../../recovery/process-owner.js";
import type { StackLocation } from "../../../../cli/engine/stack/lock-files.js";
import { releaseDeadLocks } from "../../../../cli/engine/stack/locks.js";
import { runPulumi } from "../../../../cli/engine/stack/pulumi.js";
import { temporaryFolder, testIo } from "../../support.js";

const root = temporaryFolder();
const here = currentScope();
let place: StackLocation;
let number = 0;

beforeEach(() => {
  place = { backendUrl: pathToFileURL(root).href, project: "app", stack: `dev${++number}` };
});

/** Returns the number of a process that has ended. */
const deadPid = () => spawnSync(process.execPath, ["-e", ""]).pid;

/** Writes a lock as Pulumi does, with the recorded owner. */
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

/** Tries to release a lock, and returns whether it is still locked and what was printed. */
function tried(lock: string): { held: boolean; there: boolean; said: string } {
  const { io, written } = testIo();
  const held = releaseDeadLocks(place, io);
  return { held, there: existsSync(lock), said: written().stderr };
}

describe.runIf(here !== undefined)("a lock", () => {
  it("of a dead process is released", () => {
    const pid = deadPid();
    const { held, there, said } = tried(locked(pid, { ...here, pid, started: "1" }));
    expect({ held, there }).toEqual({ held: false, there: false });
    expect(said).toBe(`The lock of a killed run (process ${pid} of ann) was released.\n`);
  });

  it("whose process number was reused by another process is released", () => {
    const { held, there } = tried(locked(process.pid, { ...here, pid: process.pid, started: "1" }));
    expect({ held, there }).toEqual({ held: false, there: false });
  });

  it("of a live process is kept", () => {
    const holder = { ...here, pid: process.pid, started: startTimeOf(process.pid) };
    expect(tried(locked(process.pid, holder))).toEqual({ held: true, there: true, said: "" });
  });

  // Process numbers of a container with the same host name and the same folder mean nothing here.
  it.each([
    ["another boot", { boot: "other" }],
    ["another namespace", { namespace: "pid:[1]" }],
  ])("of %s is kept, whatever the state of its process number here", (_what, other) => {
    const pid = deadPid();
    expect(tried(locked(pid, { ...here, pid, started: "1", ...other }))).toMatchObject({
      held: true,
      there: true,
    });
  });

  it("without a recorded owner is kept, although its host name and process number look dead", () => {
    expect(tried(locked(deadPid()))).toEqual({ held: true, there: true, said: "" });
  });
});

describe.runIf(here !== undefined)("the owner of a lock", () => {
  it("is recorded while an operation runs, and recognized as dead after a kill", async () => {
    const child = spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
    const ended = new Promise((resolve) => child.once("exit", resolve));
    const lock = locked(child.pid ?? 0);
    const noting = noteOwner(place);
    noting.begun();
    noting.begun();
    expect(tried(lock)).toMatchObject({ held: true, there: true });
    child.kill("SIGKILL");
    await ended;
    noting.ended();
    expect(tried(lock)).toMatchObject({ held: false, there: false });
  });

  it("is recorded while a command runs that reports nothing, such as an import of a state", async () => {
    const folder = join(root, ".pulumi/locks/organization/app", place.stack);
    const [lock, script] = [join(folder, "1.json"), join(root, "import.mjs")];
    writeFileSync(
      script,
      `import { mkdirSync, writeFileSync } from "node:fs";
       mkdirSync(${JSON.stringify(folder)}, { recursive: true });
       writeFileSync(${JSON.stringify(lock)}, JSON.stringify({ pid: process.pid, username: "ann" }));
       setInterval(() => {}, 1000);`,
    );
    const cli = { command: process.execPath, cwd: root, env: {}, location: place };
    const running = runPulumi(cli, [script]).catch((error: unknown) => error);
    const record = join(root, ".pulumi/workspacectl/lock-holders/1.json");
    await vi.waitFor(() => expect(existsSync(record)).toBe(true), 10_000);
    expect(tried(lock)).toMatchObject({ held: true, there: true });
    process.kill((JSON.parse(readFileSync(lock, "utf8")) as { pid: number }).pid, "SIGKILL");
    await running;
    expect(tried(lock)).toMatchObject({ held: false, there: false });
    expect(existsSync(record)).toBe(false);
  });

  it("is not recorded if there is a second lock, since either could be its own", () => {
    const lock = locked(process.pid);
    writeFileSync(join(lock, "../second.json"), JSON.stringify({ pid: process.pid }));
    noteOwner(place).begun();
    expect(existsSync(join(root, ".pulumi/workspacectl/lock-holders", `lock-${number}.json`))).toBe(false);
  });
});
