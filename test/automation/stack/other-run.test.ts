/** Tests that a plan which another run has overtaken is explained by that run. */
import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { findLock } from "../../../automation/stack/locks.js";
import { noteUnsettled } from "../../../automation/stack/recovery.js";
import type { StackLocation } from "../../../automation/stack/state.js";
import { findOtherRun, identifyState } from "../../../automation/stack/state-version.js";
import { findOwner } from "../../../recovery/process-owner.js";
import { createFolderAddress } from "../../../trust/backend.js";
import { temporaryFolder, testIo } from "../../cli/support.js";

const group = { urn: "urn:pulumi:dev::app::Group::groups/QA", type: "Group", id: "7" };
const empty = identifyState({});
let root: string;
let location: StackLocation;

beforeEach(() => {
  root = temporaryFolder();
  location = { backendUrl: createFolderAddress(root), project: "app", stack: "dev" };
});

function write(path: string, value: object | string): void {
  mkdirSync(join(root, path, ".."), { recursive: true });
  writeFileSync(join(root, path), typeof value === "string" ? value : JSON.stringify(value));
}

const has = (...resources: object[]) => {
  write(".pulumi/meta.yaml", "version: 1\n");
  write(".pulumi/stacks/app/dev.json", { version: 3, checkpoint: { latest: { resources } } });
};

const lock = (content: object) =>
  write(".pulumi/locks/organization/app/dev/1.json", {
    ...{ username: "ann", hostname: hostname(), pid: process.pid },
    ...content,
  });

const record = (content: object) =>
  write(".pulumi/workspacectl/lock-holders/app/dev/r.json", {
    beat: 1,
    since: "",
    lock: "1.json",
    ...content,
  });

const other = async (madeFrom = empty) => {
  const { io } = testIo();
  const cli = { command: "pulumi", cwd: root, env: {} };
  return (await findOtherRun({ location, cli, name: "dev" }, madeFrom, io))?.message;
};

describe("a command that shows the state", () => {
  const noted = async () => {
    const { io, written } = testIo();
    const cli = { command: "pulumi", cwd: root, env: {} };
    await noteUnsettled(location, cli, { file: "workspace.yaml" }, io);
    return written().stderr;
  };

  it("says that a run is in progress, whose objects are not in it yet", async () => {
    has();
    expect(await noted()).toBe("");
    lock({});
    expect(await noted()).toMatch(
      /^The state of stack dev is incomplete, because another update .* is in progress \(created by ann@/,
    );
  });
});

describe("another run of a stack", () => {
  it("is none while nothing is locked, and the state is the one of the plan", async () => {
    expect(await other()).toBeUndefined();
    has();
    expect(await other()).toBeUndefined();
    has(group);
    expect(await other(identifyState({ resources: [group] as never }))).toBeUndefined();
  });

  it("goes on while it has the lock, and is named with the age of the lock", async () => {
    lock({ timestamp: new Date(Date.now() - 14 * 3_600_000) });
    expect(await other()).toMatch(
      /^another update of this stack is in progress \(created by ann@.* \(pid \d+\) at .*, 14 h ago\); nothing was changed: wait/,
    );
  });

  it("has ended when the state is no longer the one of the plan, also of a stack that was new then", async () => {
    has(group);
    expect(await other()).toMatch(
      /^the state of stack dev has changed since the plan: another run has ended/,
    );
  });
});

describe("the lock of a stack", () => {
  const found = () => findLock(location, {});

  it("is none where nobody has one", async () => {
    expect(await found()).toBe("none");
  });

  it("is of a run that goes on when its process runs here", async () => {
    lock({});
    expect(await found()).toMatchObject({ lock: { pid: process.pid }, runs: true });
    record({ owner: findOwner(process.pid) });
    expect(await found()).toMatchObject({ runs: findOwner(process.pid) && true });
  });

  it("may be of another machine, or of a container, of which nothing is known here", async () => {
    lock({ hostname: "runner-17" });
    expect(await found()).toMatchObject({ runs: undefined });
    lock({ pid: 2 ** 30 });
    expect(await found()).toMatchObject({ runs: undefined });
  });

  it.runIf(findOwner(process.pid))(
    "is of a run that has ended when its process is another one now",
    async () => {
      lock({});
      record({ owner: { ...findOwner(process.pid), started: "1" } });
      expect(await found()).toMatchObject({ runs: false });
    },
  );
});
