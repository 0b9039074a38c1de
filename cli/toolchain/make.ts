import { join, dirname } from "node:path";
import { makeEntry, readEntry, type FilledEntry } from "./cache.js";
import { addResourcePlugin } from "./compose.js";
import { noPulumi, programFailed, ToolchainError, cancelled, errorLine } from "./errors.js";
import { cacheFolders, executables } from "./locations.js";
import { tryLock } from "./lock.js";
import { failure, type ToolchainSearch } from "./search.js";
import type { ToolchainSource } from "./types.js";
import { LANGUAGE_HOST_SDK_VERSION, PULUMI_VERSION } from "./versions.js";
import { mkdir } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

/** What programs from Go modules are checked against: a file of this package that lists the digest of every module. */
const GO_SUM = "go.sum in this package";

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
  if (await readEntry(cli, [file], search.env)) return join(cli, "bin", file);
  await makeShared({ folder, files: [file], what: "builds the language host" }, search, () =>
    makeEntry(
      folder,
      "build",
      async (root) => {
        await search.machinery.buildLanguageHost(root, search);
        await search.machinery.checkLanguageHost(join(root, "bin", file), search);
        return { version: LANGUAGE_HOST_SDK_VERSION, checkedAgainst: GO_SUM };
      },
      search.env,
    ),
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
      await makeEntry(folder, way, (root) => fill(root, search), search.env);
      return way;
    } catch (error) {
      search.passOver(way, failure(error));
    }
  }
  throw noPulumi(search.tried);
}

async function installAll(root: string, search: ToolchainSearch): Promise<FilledEntry> {
  const checkedAgainst = await search.machinery.install(root, search);
  return { version: await complete(root, search), checkedAgainst };
}

async function buildAll(root: string, search: ToolchainSearch): Promise<FilledEntry> {
  await search.machinery.buildCli(root, search);
  await search.machinery.buildLanguageHost(root, search);
  return { version: await complete(root, search), checkedAgainst: GO_SUM };
}

/** Adds the resource plugin and runs each program before the entry is complete. */
async function complete(root: string, search: ToolchainSearch): Promise<string> {
  const { machinery } = search;
  const binDir = join(root, "bin");
  await addResourcePlugin(binDir);
  const version = await machinery.pulumiVersion(join(binDir, executables.cli), search);
  if (version !== PULUMI_VERSION)
    throw programFailed(`the new Pulumi CLI is ${version}, not ${PULUMI_VERSION}`);
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
    if (signal?.aborted) throw cancelled();
    const release = await tryLock(folder).catch((error: unknown) => {
      throw unwritable(dirname(folder), error);
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
