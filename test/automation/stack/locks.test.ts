/** Tests that a lock is released only if its process is certainly dead. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { openLocksOf, releaseDeadLocks } from "../../../automation/stack/locks.js";
import { runPulumi } from "../../../automation/stack/pulumi.js";
import type { StackLocation } from "../../../automation/stack/state.js";
import { findCurrentScope, startTimeOf } from "../../../recovery/process-owner.js";
import { createFolderAddress } from "../../../trust/backend.js";
import { temporaryFolder, testIo } from "../../cli/support.js";

const root = temporaryFolder();
const here = findCurrentScope();
let place: StackLocation;
let number = 0;

beforeEach(() => {
  place = { backendUrl: createFolderAddress(root), project: "app", stack: `dev${++number}` };
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
    const records = join(root, ".pulumi/workspacectl/lock-holders/app", place.stack);
    mkdirSync(records, { recursive: true });
    const record = {
      beat: 1,
      pid,
      hostname: hostname(),
      since: "",
      owner: holder,
      lock: `lock-${number}.json`,
    };
    writeFileSync(join(records, "record.json"), JSON.stringify(record));
  }
  return lock;
}

/** Tries to release a lock, and returns whether it is still locked and what was printed. */
async function tried(lock: string): Promise<{ held: boolean; there: boolean; said: string }> {
  const { io, written } = testIo();
  const held = (await releaseDeadLocks(place, {}, io)) !== undefined;
  return { held, there: existsSync(lock), said: written().stderr };
}

describe.runIf(here !== undefined)("a lock", () => {
  it("of a dead process is released", async () => {
    const pid = deadPid();
    const { held, there, said } = await tried(locked(pid, { ...here, pid, started: "1" }));
    expect({ held, there }).toEqual({ held: false, there: false });
    expect(said).toMatch(
      /^The lock of stack dev\d+ was released \(created by ann@.*\): its run was killed\.\n$/,
    );
  });

  it("whose process number was reused by another process is released", async () => {
    const { held, there } = await tried(locked(process.pid, { ...here, pid: process.pid, started: "1" }));
    expect({ held, there }).toEqual({ held: false, there: false });
  });

  it("of a live process is kept", async () => {
    const holder = { ...here, pid: process.pid, started: startTimeOf(process.pid) };
    expect(await tried(locked(process.pid, holder))).toEqual({ held: true, there: true, said: "" });
  });

  it("that is being written is kept, since nothing shows that its process has ended", async () => {
    const lock = locked(0);
    writeFileSync(lock, '{"pid":12');
    expect(await tried(lock)).toMatchObject({ held: true, there: true });
  });

  // Process numbers of a container with the same host name and the same folder mean nothing here.
  it.each([
    ["another boot", { boot: "other" }],
    ["another namespace", { namespace: "pid:[1]" }],
  ])("of %s is kept, whatever the state of its process number here", async (_what, other) => {
    const pid = deadPid();
    expect(await tried(locked(pid, { ...here, pid, started: "1", ...other }))).toMatchObject({
      held: true,
      there: true,
    });
  });

  it("without a recorded owner is kept, although its host name and process number look dead", async () => {
    expect(await tried(locked(deadPid()))).toEqual({ held: true, there: true, said: "" });
  });
});

describe.runIf(here !== undefined)("the record of a lock", () => {
  it("is kept while a command runs that reports nothing, such as an import of a state, and shows that it was killed", async () => {
    const folder = join(root, ".pulumi/locks/organization/app", place.stack);
    const [lock, script] = [join(folder, "1.json"), join(root, "stack")];
    writeFileSync(
      script,
      `const { mkdirSync, writeFileSync } = require("node:fs");
       mkdirSync(${JSON.stringify(folder)}, { recursive: true });
       const content = { pid: process.pid, hostname: require("node:os").hostname(), timestamp: new Date() };
       writeFileSync(${JSON.stringify(lock)}, JSON.stringify(content));
       setInterval(() => {}, 1000);`,
    );
    const cli = { command: process.execPath, cwd: root, env: {}, location: place };
    const running = runPulumi(cli, ["stack", "import"]).catch((error: unknown) => error);
    const store = await openLocksOf(place, {});
    await vi.waitFor(
      async () => expect([await store?.hasLock("1.json"), (await store?.records())?.size]).toEqual([true, 1]),
      60_000,
    );
    expect(await tried(lock)).toMatchObject({ held: true, there: true });
    process.kill((JSON.parse(readFileSync(lock, "utf8")) as { pid: number }).pid, "SIGKILL");
    await running;
    expect(await tried(lock)).toMatchObject({ held: false, there: false });
    expect((await store?.records())?.size).toBe(0);
  });
});
