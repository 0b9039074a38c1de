/** Folders of commands: those that a kill has left are removed by the next command, and nobody else's. */
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { makeTemporaryFolder, removeTemporaryFolders } from "../../automation/temporary-folders.js";
import { findOwner } from "../../recovery/process-owner.js";
import { temporaryFolder } from "../cli/support.js";

let around: string;
beforeEach(() => {
  removeTemporaryFolders();
  around = realpathSync(temporaryFolder());
  vi.stubEnv("TMPDIR", around);
});
afterEach(() => {
  removeTemporaryFolders();
  vi.unstubAllEnvs();
});

function folderOf(name: string, owner: unknown): string {
  const folder = join(around, name);
  mkdirSync(folder);
  writeFileSync(join(folder, "log"), "secret");
  if (owner !== undefined) writeFileSync(join(folder, ".owner"), JSON.stringify(owner));
  return folder;
}

const own = findOwner(process.pid);
const ended = own && { ...own, started: "0" };

it.skipIf(own === undefined || process.platform !== "linux")("removes what ended commands left", async () => {
  const left = folderOf("workspacectl-left", ended);
  const kept = [
    folderOf("workspacectl-runs", own),
    folderOf("workspacectl-elsewhere", { ...ended, boot: "another machine" }),
    folderOf("workspacectl-container", { ...ended, namespace: "another container" }),
    folderOf("workspacectl-nobody", undefined),
    folderOf("workspacectl-strange", ["strange"]),
    folderOf("other-left", ended),
  ];
  const target = folderOf("target", ended);
  symlinkSync(target, join(around, "workspacectl-link"));
  const used = folderOf("workspacectl-used", ended);
  const orphan = spawn("sleep", ["30"], { cwd: used });
  await new Promise((resolve) => orphan.once("spawn", resolve));
  try {
    const folder = makeTemporaryFolder();
    expect(JSON.parse(readFileSync(join(folder, ".owner"), "utf8"))).toEqual(own);
    expect([left, ...kept, target, used].map(existsSync)).toEqual([
      false,
      ...kept.map(() => true),
      true,
      true,
    ]);
    removeTemporaryFolders();
    expect(existsSync(folder)).toBe(false);
  } finally {
    orphan.kill();
  }
});
