/** Tests how processes are identified on this machine. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { beforeAll, describe, expect, it } from "vitest";
import {
  findOwner,
  findParent,
  type Owner,
  processHasEnded,
  startTimeOf,
} from "../../recovery/process-owner.js";

const NOBODY = 2 ** 30;

// Windows does not say when a process was started.
describe.skipIf(process.platform === "win32")("a process", () => {
  let own: Owner;
  beforeAll(() => {
    own = findOwner(process.pid) as Owner;
  });

  it("says in which start of the machine, and in which container, its id means it", () => {
    expect(own.boot).toMatch(/^\S+$/);
    if (process.platform === "linux") expect(own.namespace).toMatch(/^pid:\[\d+\]$/);
    expect(own.started).toMatch(/^\S/);
  });

  it("runs while its id and its start are those of a process", () => {
    expect(own).toMatchObject({ pid: process.pid, started: startTimeOf(process.pid) });
    expect(processHasEnded(own)).toBe(false);
  });

  it("has ended when nobody has its id, or a later process does", () => {
    expect(processHasEnded({ ...own, pid: NOBODY })).toBe(true);
    expect(processHasEnded({ ...own, started: "earlier" })).toBe(true);
  });

  it("of another machine, or another container, may run", () => {
    expect(processHasEnded({ ...own, boot: "another" })).toBeUndefined();
    expect(processHasEnded({ ...own, namespace: "another" })).toBeUndefined();
    expect(processHasEnded(undefined)).toBeUndefined();
  });

  it("that does not exist has no identity", () => {
    expect(findOwner(NOBODY)).toBeUndefined();
    expect(findOwner(undefined)).toBeUndefined();
    expect(startTimeOf(NOBODY)).toBeUndefined();
    expect(findParent(NOBODY)).toBeUndefined();
  });

  it("has the one that started it as its parent", async () => {
    const child = spawn(process.execPath, ["-e", "process.stdin.resume()"], {
      stdio: ["pipe", "ignore", "ignore"],
    });
    await once(child, "spawn");
    expect(findParent(child.pid!)).toBe(process.pid);
    const identity = findOwner(child.pid);
    expect(processHasEnded(identity)).toBe(false);
    child.stdin.end();
    await once(child, "exit");
    expect(processHasEnded(identity)).toBe(true);
  });

  it("is identified although the name of its program has spaces and brackets", () => {
    const { title } = process;
    process.title = "a) S (b";
    expect(findParent(process.pid)).toBe(process.ppid);
    expect(findOwner(process.pid)).toEqual(own);
    process.title = title;
  });
});
