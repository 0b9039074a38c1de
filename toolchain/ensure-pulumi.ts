/** Finds Pulumi's CLI, or downloads it into the cache. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { findCheckouts } from "../trust/checkout.js";
import { filterPath } from "../trust/programs.js";
import { type FilledEntry, makeEntry, makeShared, readEntry } from "./cache.js";
import { digestFile } from "./digests.js";
import { composeToolchain } from "./environment.js";
import { createMissingPulumiError, createProgramError, formatErrorLine, ToolchainError } from "./errors.js";
import { install } from "./installer.js";
import { CACHED_PROGRAMS, executables, listCacheFolders } from "./locations.js";
import {
  checkLanguageHost,
  findCompanion,
  findResourcePlugin,
  listPulumiCandidates,
  readKnownVersion,
  readPulumiVersion,
  refuseUntrusted,
} from "./programs.js";
import type {
  EnsureOptions,
  FillFolder,
  Machinery,
  PulumiToolchain,
  ToolchainAttempt,
  ToolchainSource,
  WorkContext,
} from "./types.js";
import { isAtLeast, MINIMUM_PULUMI_VERSION, PULUMI_VERSION } from "./versions.js";

const realMachinery: Machinery = { pulumiVersion: readPulumiVersion, checkLanguageHost, install };

/** State of a search. */
interface ToolchainSearch extends WorkContext {
  machinery: Machinery;
  hostRequired: boolean;
  tried: ToolchainAttempt[];
  /** Records and reports that a source cannot be used. */
  passOver(way: ToolchainSource, outcome: string, absent?: boolean): void;
}

/** A CLI of the user's own that can be used. */
export interface InstalledCli {
  readonly way: ToolchainSource;
  readonly command: string;
  readonly version: string;
  readonly languageHost: string | undefined;
}

/**
 * Finds a Pulumi CLI that is new enough in PULUMI_BIN, on PATH or in the user's cache. Otherwise downloads the release into the cache.
 *
 * @throws ToolchainError that lists what was tried and what to install
 * @throws TrustError when the environment names a program or a cache in a checkout
 */
export async function ensurePulumi(options: EnsureOptions = {}): Promise<PulumiToolchain> {
  const search = startSearch(options);
  const own = await findInstalledCli(search, async ({ way, command, version, languageHost }) => {
    const resourcePlugin = findResourcePlugin(command, search.env, options.program);
    const composed = await composeToolchain({ command, languageHost, resourcePlugin }, search.env);
    return report(search, way, { ...composed, version, ...(languageHost && { languageHost }) }, command);
  });
  if (own) return own;
  const cached = await fromCache(search, "cache");
  if (cached) return cached;
  search.passOver("cache", describeCache(search.env), true);
  const made = await fromCache(search, await makeCli(search));
  if (made === undefined) throw createMissingPulumiError(search.tried);
  return made;
}

/** Starts a search. @throws {TrustError} when the environment names a program or a cache in a checkout */
export function startSearch(options: EnsureOptions): ToolchainSearch {
  const { env = process.env, checkouts = findCheckouts(process.cwd()) } = options;
  refuseUntrusted(env, checkouts);
  const onProgress = options.onProgress ?? (() => undefined);
  const tried: ToolchainAttempt[] = [];
  return {
    env: { ...env, PATH: filterPath(env, checkouts) },
    checkouts,
    onProgress,
    signal: options.signal,
    machinery: { ...realMachinery, ...options.machinery },
    hostRequired: options.languageHost !== "optional",
    tried,
    passOver(way, outcome, absent = false) {
      tried.push({ way, outcome });
      onProgress({ kind: "passed-over", way, text: outcome, absent });
    },
  };
}

/** Tries the CLIs of the user's own. Returns what `use` makes of the first that can be used. */
export async function findInstalledCli<T>(
  search: ToolchainSearch,
  use: (cli: InstalledCli) => T | Promise<T>,
): Promise<T | undefined> {
  const { env, machinery } = search;
  for (const { way, command, reason = "nothing there", absent } of listPulumiCandidates(env)) {
    if (command === undefined) {
      search.passOver(way, reason, absent);
      continue;
    }
    try {
      const version = await readKnownVersion(command, env, () => machinery.pulumiVersion(command, search));
      const languageHost = findCompanion(executables.languageHost, command, env);
      if (!isAtLeast(version, MINIMUM_PULUMI_VERSION))
        search.passOver(
          way,
          `${command} is ${version}, too old; ${MINIMUM_PULUMI_VERSION} or later is required`,
        );
      else if (!languageHost && search.hostRequired)
        search.passOver(
          way,
          `${command} has no ${executables.languageHost} next to it or on PATH, which programs need`,
        );
      else return await use({ way, command, version, languageHost });
    } catch (error) {
      search.passOver(way, formatFailure(error));
    }
  }
  return undefined;
}

/** A cache that was restored without its digests looks empty to whoever does not know about them. */
function describeCache(env: NodeJS.ProcessEnv): string {
  const { base, cli } = listCacheFolders(env);
  if (!existsSync(join(cli, "bin", executables.cli))) return `no Pulumi ${PULUMI_VERSION} in ${base}`;
  return `Pulumi ${PULUMI_VERSION} is in ${base}, but no digest of it is in ${digestFile(env)}, so it is made anew: keep both, or set WORKSPACECTL_DIGESTS`;
}

async function fromCache(
  search: ToolchainSearch,
  way: ToolchainSource,
): Promise<PulumiToolchain | undefined> {
  const root = listCacheFolders(search.env).cli;
  const entry = await readEntry(root, CACHED_PROGRAMS, search.env);
  if (entry === undefined) return undefined;
  const binDir = join(root, "bin");
  const command = join(binDir, executables.cli);
  const languageHost = join(binDir, executables.languageHost);
  return report(search, way, { root, binDir, command, version: entry.version, languageHost });
}

/** Records and reports the CLI that was found. */
function report(
  { tried, onProgress }: ToolchainSearch,
  way: ToolchainSource,
  found: Omit<PulumiToolchain, "source" | "tried">,
  at = found.command,
): PulumiToolchain {
  const outcome = `${found.version} at ${at}`;
  tried.push({ way, outcome });
  onProgress({ kind: "ready", way, text: outcome });
  return { ...found, source: way, tried };
}

/** Makes the cache entry of the CLI. Returns where it comes from: `cache` when another process was faster. */
async function makeCli(search: ToolchainSearch): Promise<ToolchainSource> {
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

/** Fills a folder, and runs each program before the entry is complete. */
async function fillFolder(root: string, fill: FillFolder, search: ToolchainSearch): Promise<FilledEntry> {
  const checkedAgainst = await fill(root, search);
  const bin = join(root, "bin");
  const version = await search.machinery.pulumiVersion(join(bin, executables.cli), search);
  if (version !== PULUMI_VERSION)
    throw createProgramError(`the new Pulumi CLI is ${version}, not ${PULUMI_VERSION}`);
  await search.machinery.checkLanguageHost(join(bin, executables.languageHost), search);
  return { version, checkedAgainst };
}

/** Returns why a source failed, in one line. Rethrows errors after which no other source is tried. */
function formatFailure(error: unknown): string {
  if (error instanceof ToolchainError && (error.code === "cancelled" || error.code === "cache-unwritable"))
    throw error;
  return formatErrorLine(error instanceof ToolchainError ? error.what : error);
}
