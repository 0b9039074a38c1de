import { join, dirname } from "node:path";
import { makeEntry, readEntry } from "./cache.js";
import { addResourcePlugin } from "./compose.js";
import { noPulumi, programFailed, ToolchainError, cancelled, errorLine } from "./errors.js";
import { cacheFolders, executables } from "./locations.js";
import { failure, type ToolchainSearch } from "./search.js";
import type { ToolchainSource } from "./types.js";
import { LANGUAGE_HOST_SDK_VERSION, PULUMI_VERSION } from "./versions.js";
import { mkdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import lockfile from "proper-lockfile";

/** Makes the cache entry of the CLI. Returns where it comes from: `cache` when another process was faster. */
export async function makeCli(search: ToolchainSearch): Promise<ToolchainSource> {
  const entry = { folder: cacheFolders(search.env).cli, files: Object.values(executables) };
  let madeBy: ToolchainSource = "cache";
  await makeShared({ ...entry, what: `makes Pulumi ${PULUMI_VERSION}` }, search, async () => {
    madeBy = await makeByAnyWay(entry.folder, search);
  });
  return madeBy;
}

/** Returns a language host for a CLI that has none: from the cache, or built now. */
export async function languageHostOfOurs(search: ToolchainSearch): Promise<string> {
  const file = executables.languageHost;
  const { cli, languageHost: folder } = cacheFolders(search.env);
  if (await readEntry(cli, [file])) return join(cli, "bin", file);
  await makeShared({ folder, files: [file], what: "builds the language host" }, search, () =>
    makeEntry(folder, "build", async (root) => {
      await search.machinery.buildLanguageHost(root, search);
      await search.machinery.checkLanguageHost(join(root, "bin", file));
      return LANGUAGE_HOST_SDK_VERSION;
    }),
  );
  return join(folder, "bin", file);
}

async function makeByAnyWay(folder: string, search: ToolchainSearch): Promise<ToolchainSource> {
  const ways = [
    ["installer", installAll],
    ["build", buildAll],
  ] as const;
  for (const [way, fill] of ways) {
    try {
      await makeEntry(folder, way, (root) => fill(root, search));
      return way;
    } catch (error) {
      search.passOver(way, failure(error));
    }
  }
  throw noPulumi(search.tried);
}

async function installAll(root: string, search: ToolchainSearch): Promise<string> {
  await search.machinery.install(root, search);
  return await complete(root, search);
}

async function buildAll(root: string, search: ToolchainSearch): Promise<string> {
  await search.machinery.buildCli(root, search);
  await search.machinery.buildLanguageHost(root, search);
  return await complete(root, search);
}

/** Adds the resource plugin and runs each program before the entry is complete. */
async function complete(root: string, { machinery }: ToolchainSearch): Promise<string> {
  const binDir = join(root, "bin");
  await addResourcePlugin(binDir);
  const version = await machinery.pulumiVersion(join(binDir, executables.cli));
  if (version !== PULUMI_VERSION)
    throw programFailed(`the new Pulumi CLI is ${version}, not ${PULUMI_VERSION}`);
  await machinery.checkLanguageHost(join(binDir, executables.languageHost));
  return version;
}

/** Cache entry to make, and what it is for, which a waiting process prints. */
interface NewEntry {
  folder: string;
  files: readonly string[];
  what: string;
}

/** A lock that was not renewed for this long belongs to a process that has died. */
const STALE_MS = 15_000;
const POLL_MS = 300;

/** Makes a cache entry unless it exists. Waits while another process on this machine makes it. */
async function makeShared(
  { folder, files, what }: NewEntry,
  { onProgress, signal }: ToolchainSearch,
  make: () => Promise<void>,
): Promise<void> {
  const isMade = async () => (await readEntry(folder, files)) !== undefined;
  if (await isMade()) return;
  await makeFolder(dirname(folder));
  for (let isReported = false; ; isReported = true) {
    if (signal?.aborted) throw cancelled();
    const release = await tryLock(folder);
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

/** Returns the function that releases the lock, or undefined when another process holds it. */
async function tryLock(path: string): Promise<(() => Promise<void>) | undefined> {
  try {
    const release = await lockfile.lock(path, {
      realpath: false,
      stale: STALE_MS,
      update: STALE_MS / 3,
      // Losing the lock (on a laptop that slept) does no harm, since finished entries are moved into place atomically.
      onCompromised: () => undefined,
    });
    return () => release().catch(() => undefined);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ELOCKED") return undefined;
    throw unwritable(dirname(path), error);
  }
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw unwritable(folder, error);
  }
}

function unwritable(folder: string, error: unknown): ToolchainError {
  return new ToolchainError(
    "cache-unwritable",
    `The cache folder ${folder} cannot be written (${errorLine(error)}). Make it writable, or set WORKSPACECTL_CACHE to a folder that is.`,
    { cause: error },
  );
}
