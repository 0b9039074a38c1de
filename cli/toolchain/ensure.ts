/** Finds Pulumi's CLI, or downloads it into the cache. */
import { join } from "node:path";
import { readEntry } from "./cache.js";
import { composeToolchain } from "./compose.js";
import { createMissingPulumiError } from "./errors.js";
import {
  listPulumiCandidates,
  findCompanion,
  findResourcePlugin,
  type PulumiCandidate,
} from "./installed-clis.js";
import { CACHED_PROGRAMS, listCacheFolders, executables } from "./locations.js";
import { readKnownVersion } from "./known-version.js";
import { makeCli } from "./make-entry.js";
import { formatFailure, startSearch, type EnsureOptions, type ToolchainSearch } from "./search.js";
import type { PulumiToolchain, ToolchainSource } from "./types.js";
import { MINIMUM_PULUMI_VERSION, PULUMI_VERSION, isAtLeast } from "./versions.js";

/**
 * Finds a Pulumi CLI that is new enough in PULUMI_BIN, on PATH or in the user's cache. Otherwise downloads the release into the cache.
 *
 * @throws ToolchainError that lists what was tried and what to install
 * @throws TrustError when the environment names a program or a cache in a checkout
 */
export async function ensurePulumi(options: EnsureOptions = {}): Promise<PulumiToolchain> {
  const search = startSearch(options);
  for (const candidate of listPulumiCandidates(search.env)) {
    const found = await tryCandidate(candidate, search);
    if (found) return found;
  }
  const cached = await fromCache(search, "cache");
  if (cached) return cached;
  search.passOver("cache", `no Pulumi ${PULUMI_VERSION} in ${listCacheFolders(search.env).base}`, true);
  const made = await fromCache(search, await makeCli(search));
  if (made === undefined) throw createMissingPulumiError(search.tried);
  return made;
}

/** Tries a CLI of the user's own, and adds the programs that it lacks. */
async function tryCandidate(
  candidate: PulumiCandidate,
  search: ToolchainSearch,
): Promise<PulumiToolchain | undefined> {
  const { way, command } = candidate;
  if (command === undefined) {
    search.passOver(way, candidate.reason ?? "nothing there", candidate.absent);
    return undefined;
  }
  try {
    const ask = () => search.machinery.pulumiVersion(command, search);
    const version = await readKnownVersion(command, search.env, ask);
    if (!isAtLeast(version, MINIMUM_PULUMI_VERSION)) {
      search.passOver(
        way,
        `${command} is ${version}, too old; ${MINIMUM_PULUMI_VERSION} or later is required`,
      );
      return undefined;
    }
    const languageHost = findCompanion(executables.languageHost, command, search.env);
    if (!languageHost && search.hostRequired) {
      const missing = `${command} has no ${executables.languageHost} next to it or on PATH, which programs need`;
      search.passOver(way, missing);
      return undefined;
    }
    const resourcePlugin = findResourcePlugin(command, search.env, search.program);
    const composed = await composeToolchain({ command, languageHost, resourcePlugin }, search.env);
    return search.ready(way, { ...composed, version, ...(languageHost && { languageHost }) }, command);
  } catch (error) {
    search.passOver(way, formatFailure(error));
    return undefined;
  }
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
  return search.ready(way, { root, binDir, command, version: entry.version, languageHost });
}
