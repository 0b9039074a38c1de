/** Tests what a kill leaves that strikes while a lock is written. */
import fs, { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockFiles, type StackLocation } from "../../../../cli/engine/stack/lock-files.js";
import { lockStack, releaseDeadLocks } from "../../../../cli/engine/stack/locks.js";
import { temporaryFolder, testIo } from "../../support.js";

const write = fs.writeFileSync;

/** Replaces how files are written. */
function writeWith(writing: typeof write): void {
  fs.writeFileSync = writing;
  syncBuiltinESMExports();
}

/** Writes half of a lock, and stops. */
function writeHalf(file: string, text: string): void {
  const isLock = file.includes("/locks/");
  write(file, isLock ? text.slice(0, 20) : text);
  if (isLock) throw new Error("killed");
}

let location: StackLocation;
let folder: string;
beforeEach(() => {
  const root = temporaryFolder();
  location = { backendUrl: pathToFileURL(root).href, project: "app", stack: "dev" };
  folder = join(root, ".pulumi/locks/organization/app/dev");
});
afterEach(() => writeWith(write));

it("a kill while workspacectl locks a stack leaves no half lock, and the next command locks it", () => {
  writeWith(writeHalf as typeof write);
  expect(() => lockStack(location)).toThrow("killed");
  expect(readdirSync(join(folder, "..")).filter((name) => name.endsWith(".tmp"))).toHaveLength(1);
  expect(lockFiles(location)).toEqual([]);
  writeWith(write);
  expect(releaseDeadLocks(location, testIo().io)).toBe(false);
  const unlock = lockStack(location);
  expect(lockFiles(location)).toHaveLength(1);
  unlock?.();
  expect(lockFiles(location)).toEqual([]);
});

it("a half lock of another process still locks the stack, because nothing shows that the process has ended", () => {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "1.json"), '{"pid":12');
  expect(releaseDeadLocks(location, testIo().io)).toBe(true);
  expect(lockStack(location)).toBeUndefined();
});
