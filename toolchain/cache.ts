/** Entries of the cache: folders with programs in `bin`. An entry is used if the digests of its files are known from elsewhere. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isRunning } from "../recovery/parent-watchdog.js";
import { isExecutable } from "../trust/programs.js";
import {
  digestFileAt,
  type EntryFiles,
  type EntryRecord,
  findPinnedRecord,
  haveSameContents,
  openRecords,
  tryLock,
  writeRecord,
} from "./digests.js";
import { createCancellation, formatErrorLine, ToolchainError } from "./errors.js";
import { describeFileState } from "./locations.js";
import type { WorkContext } from "./types.js";

/** How an entry was filled. */
export type FilledEntry = Pick<EntryRecord, "version" | "checkedAgainst">;

/** Returns what is known of an entry that is complete and unchanged. No file may have been added either: `bin` is first on PATH. */
export async function readEntry(
  folder: string,
  needed: readonly string[],
  env: NodeJS.ProcessEnv,
): Promise<EntryRecord | undefined> {
  const bin = join(folder, "bin");
  if (!needed.every((file) => isExecutable(join(bin, file)))) return undefined;
  const known = openRecords(folder, env);
  const [last] = known;
  try {
    const files = await digestFilesIn(bin, last?.files);
    const same = known.find((one) => haveSameContents(one.files, files)) ?? findPinnedRecord(folder, files);
    if (same === undefined) return undefined;
    const isNew = Object.keys(files).some((name) => files[name]?.state !== last?.files[name]?.state);
    const entry = { ...same, files };
    // The digests may be read-only, as in an image. Then the files are read each time.
    if (isNew) await writeRecord(folder, entry, env).catch(() => undefined);
    return entry;
  } catch {
    return undefined;
  }
}

/**
 * Makes an entry. `fill` works in a temporary folder, which gets the entry's name when it is complete. Must be called with the lock of
 * the entry.
 */
export async function makeEntry(
  folder: string,
  madeBy: EntryRecord["madeBy"],
  fill: (temporary: string) => Promise<FilledEntry>,
  env: NodeJS.ProcessEnv,
): Promise<void> {
  await removeLeftovers(folder);
  const temporary = await mkdtemp(`${getTemporaryPrefix(folder)}${process.pid}-`);
  try {
    await mkdir(join(temporary, "bin"));
    const filled = await fill(temporary);
    const files = await digestFilesIn(join(temporary, "bin"));
    await writeRecord(folder, { ...filled, madeBy, madeAt: new Date().toISOString(), files }, env);
    await publish(temporary, folder);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** Reads the digests of all files, except of those whose state has not changed since: hundreds of megabytes. */
async function digestFilesIn(bin: string, known: EntryFiles = {}): Promise<EntryFiles> {
  const files: EntryFiles = {};
  for (const name of await readdir(bin, { recursive: true })) {
    const path = join(bin, name);
    const stats = await stat(path, { bigint: true });
    if (stats.isDirectory()) continue;
    const state = describeFileState(stats);
    const last = known[name];
    files[name] = { state, sha256: last?.state === state ? last.sha256 : await digestFileAt(path) };
  }
  return files;
}

/** Replaces an existing entry, which is damaged or unknown, or was made by another process. */
async function publish(temporary: string, folder: string): Promise<void> {
  if (existsSync(folder)) {
    const aside = `${temporary}-old`;
    await rename(folder, aside);
    await rm(aside, { recursive: true, force: true });
  }
  await rename(temporary, folder);
}

function getTemporaryPrefix(folder: string): string {
  return join(dirname(folder), `.tmp-${basename(folder)}-`);
}

/** Removes temporary folders of processes that were killed. */
async function removeLeftovers(folder: string): Promise<void> {
  const prefix = basename(getTemporaryPrefix(folder));
  for (const name of await readdir(dirname(folder))) {
    if (!name.startsWith(prefix) || isRunning(parseInt(name.slice(prefix.length), 10))) continue;
    await rm(join(dirname(folder), name), { recursive: true, force: true });
  }
}

/** Cache entry to make, and what it is for, which a waiting process prints. */
interface NewEntry {
  folder: string;
  files: readonly string[];
  what: string;
}

const POLL_MS = 300;

/** Makes a cache entry unless it exists. Waits while another process on this machine makes it. */
export async function makeShared(
  { folder, files, what }: NewEntry,
  { env, onProgress, signal }: WorkContext,
  make: () => Promise<void>,
): Promise<void> {
  const isMade = async () => (await readEntry(folder, files, env)) !== undefined;
  if (await isMade()) return;
  await makeFolder(dirname(folder));
  for (let isReported = false; ; isReported = true) {
    if (signal?.aborted) throw createCancellation();
    const release = await tryLock(folder).catch((error: unknown) => {
      throw createUnwritableFolderError(dirname(folder), error);
    });
    try {
      if (await isMade()) return;
      if (release) return await make();
    } finally {
      await release?.();
    }
    if (!isReported) onProgress({ kind: "waiting", text: `waiting for another process that ${what}` });
    await sleep(POLL_MS);
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw createUnwritableFolderError(folder, error);
  }
}

function createUnwritableFolderError(folder: string, error: unknown): ToolchainError {
  return new ToolchainError(
    "cache-unwritable",
    `The cache folder ${folder} cannot be written (${formatErrorLine(error)})`,
    "Make it writable, or set WORKSPACECTL_CACHE to a folder that is.",
    { cause: error },
  );
}
