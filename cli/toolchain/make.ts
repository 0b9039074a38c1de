import { join } from "node:path";
import { makeEntry, readEntry } from "./cache.js";
import { addResourcePlugin } from "./compose.js";
import { noPulumi, programFailed } from "./errors.js";
import { cacheFolders, executables } from "./locations.js";
import { withLock } from "./lock.js";
import { failure, type ToolchainSearch } from "./search.js";
import type { ToolchainSource } from "./types.js";
import { LANGUAGE_HOST_SDK_VERSION, PULUMI_VERSION } from "./versions.js";

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

/** Makes a cache entry unless it exists or another process makes it. */
async function makeShared(
  { folder, files, what }: NewEntry,
  search: ToolchainSearch,
  make: () => Promise<void>,
): Promise<void> {
  const finishedElsewhere = async () => ((await readEntry(folder, files)) ? true : undefined);
  if (await finishedElsewhere()) return;
  const { onProgress, signal } = search;
  await withLock({ path: folder, what, onProgress, signal, finishedElsewhere }, async () => {
    if (!(await finishedElsewhere())) await make();
    return true;
  });
}
