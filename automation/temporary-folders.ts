/** Makes folders that are removed at the end of the command, or by the next one if it was killed. */
import { AsyncLocalStorage } from "node:async_hooks";
import {
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findOwner, type Owner, processHasEnded } from "../recovery/process-owner.js";
import { isAtOrBelow } from "../trust/checkout.js";
import { parseJsonIfValid } from "./config-files/checked-files.js";
import { AutomationError } from "./errors.js";

/** Those of the command that this process runs. */
const ofProcess = new Set<string>();
/** Those of each operation, where a program runs several at a time. */
const ofOperation = new AsyncLocalStorage<Set<string>>();

const PREFIX = "workspacectl-";
/** Says in each folder which process has made it. */
const OWNER_FILE = ".owner";

/**
 * Returns the path of a new folder, without links, since the system's own temporary folder may be one and Pulumi compares paths.
 * @throws {AutomationError} when there is no place for it
 */
export function makeTemporaryFolder(): string {
  const folders = ofOperation.getStore() ?? ofProcess;
  if (folders.size === 0) {
    if (folders === ofProcess) process.once("exit", removeTemporaryFolders);
    removeLeftFolders();
  }
  try {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), PREFIX)));
    folders.add(folder);
    writeFileSync(join(folder, OWNER_FILE), JSON.stringify(findOwner(process.pid) ?? {}));
    return folder;
  } catch (error) {
    throw new AutomationError(
      `no temporary folder can be made: ${(error as Error).message}`,
      "set TMPDIR to a folder that this user can write, with some space left",
    );
  }
}

/** Removes the folders of the command that has ended, in a process that runs another one. */
export function removeTemporaryFolders(): void {
  process.off("exit", removeTemporaryFolders);
  removeAll(ofProcess);
}

/** Runs an operation, and removes its folders when it ends. Those of others that run at the same time stay. */
export async function withTemporaryFolders<T>(operation: () => Promise<T>): Promise<T> {
  const folders = new Set<string>();
  try {
    return await ofOperation.run(folders, operation);
  } finally {
    removeAll(folders);
  }
}

function removeAll(folders: Set<string>): void {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
  folders.clear();
}

/** Removes the folders of this user's commands that were killed. They may contain secrets, such as Pulumi's logs of a run with --debug. */
function removeLeftFolders(): void {
  try {
    const all = realpathSync(tmpdir());
    const names = readdirSync(all).filter((name) => name.startsWith(PREFIX));
    for (const folder of names.map((name) => join(all, name)))
      if (isLeft(folder) && !isUsed(folder)) rmSync(folder, { recursive: true, force: true });
  } catch {
    // Another command removes them, too, and nobody waits for it.
  }
}

function isLeft(folder: string): boolean {
  const found = lstatSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true || found.uid !== process.getuid?.()) return false;
  try {
    const owner = parseJsonIfValid(readFileSync(join(folder, OWNER_FILE), "utf8")) as Owner | undefined;
    return processHasEnded(owner) === true;
  } catch {
    return false;
  }
}

/** A Pulumi whose command was killed may still save the state. Where nobody can tell, it gets an hour. */
function isUsed(folder: string): boolean {
  if (process.platform !== "linux") return Date.now() - lstatSync(folder).mtimeMs < 3_600_000;
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .some((pid) => isAtOrBelow(folder, readWorkingFolder(pid)));
}

/** Processes of other users do not tell it. */
function readWorkingFolder(pid: string): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return "/";
  }
}
