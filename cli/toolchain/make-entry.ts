/** Makes the entries of the cache. */
import { join, dirname } from "node:path";
import { makeEntry, readEntry, type FilledEntry } from "./cache.js";
import {
  createMissingPulumiError,
  createProgramError,
  ToolchainError,
  createCancellation,
  formatErrorLine,
} from "./errors.js";
import { CACHED_PROGRAMS, listCacheFolders, executables } from "./locations.js";
import { tryLock } from "./lock.js";
import { formatFailure, type ToolchainSearch } from "./search.js";
import type { FillFolder, ToolchainSource } from "./types.js";
import { PULUMI_VERSION } from "./versions.js";
import { mkdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** Makes the cache entry of the CLI. Returns where it comes from: `cache` when another process was faster. */
export async function makeCli(search: ToolchainSearch): Promise<ToolchainSource> {
  const entry = { folder: listCacheFolders(search.env).cli, files: CACHED_PROGRAMS };
  let madeBy: ToolchainSource = "cache";
  await makeShared({ ...entry, what: `makes Pulumi ${PULUMI_VERSION}` }, search, async () => {
    madeBy = await makeByAnyWay(entry.folder, search);
  });
  return madeBy;
}

async function makeByAnyWay(folder: string, search: ToolchainSearch): Promise<ToolchainSource> {
  const { install, build } = search.machinery;
  const ways = [["installer", install] as const, ...(build ? [["build", build] as const] : [])];
  for (const [way, fill] of ways) {
    try {
      await makeEntry(folder, way, (root) => fillFolder(root, fill, search), search.env);
      return way;
    } catch (error) {
      search.passOver(way, formatFailure(error));
    }
  }
  throw createMissingPulumiError(search.tried);
}

async function fillFolder(root: string, fill: FillFolder, search: ToolchainSearch): Promise<FilledEntry> {
  const checkedAgainst = await fill(root, search);
  return { version: await complete(root, search), checkedAgainst };
}

/** Runs each program before the entry is complete. */
async function complete(root: string, search: ToolchainSearch): Promise<string> {
  const { machinery } = search;
  const binDir = join(root, "bin");
  const version = await machinery.pulumiVersion(join(binDir, executables.cli), search);
  if (version !== PULUMI_VERSION)
    throw createProgramError(`the new Pulumi CLI is ${version}, not ${PULUMI_VERSION}`);
  await machinery.checkLanguageHost(join(binDir, executables.languageHost), search);
  return version;
}

/** Cache entry to make, and what it is for, which a waiting process prints. */
interface NewEntry {
  folder: string;
  files: readonly string[];
  what: string;
}

const POLL_MS = 300;

/** Makes a cache entry unless it exists. Waits while another process on this machine makes it. */
async function makeShared(
  { folder, files, what }: NewEntry,
  { env, onProgress, signal }: ToolchainSearch,
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
