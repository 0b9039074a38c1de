import { ToolchainError, errorLine } from "./errors.js";
import { buildCli, buildLanguageHost } from "./gobuild.js";
import { install } from "./installer.js";
import { checkLanguageHost, pulumiVersion } from "./probe.js";
import type {
  ToolchainAttempt,
  Machinery,
  OnProgress,
  PulumiToolchain,
  ToolchainSource,
  WorkContext,
} from "./types.js";

/** How `ensurePulumi` is to work; everything has a default. */
export interface EnsureOptions {
  env?: NodeJS.ProcessEnv;
  onProgress?: OnProgress;
  /** Ends the work; a running download or build is stopped. */
  signal?: AbortSignal;
  /**
   * A workspace file needs no language host; a program does. With `optional`, a CLI without one is good enough. The default is `required`.
   */
  languageHost?: "required" | "optional";
  /** For tests: what runs other programs. */
  machinery?: Partial<Machinery>;
}

const realMachinery: Machinery = { pulumiVersion, checkLanguageHost, install, buildCli, buildLanguageHost };

/** What one call of `ensurePulumi` knows. */
export interface ToolchainSearch extends WorkContext {
  machinery: Machinery;
  hostRequired: boolean;
  tried: ToolchainAttempt[];
  /** Remembers that a way does not do, and tells it. */
  passOver(way: ToolchainSource, outcome: string, absent?: boolean): void;
  /** Says what was found, to the caller and in the list of attempts. */
  ready(way: ToolchainSource, found: Omit<PulumiToolchain, "source" | "tried">, at?: string): PulumiToolchain;
}

/** A search that has tried nothing yet. */
export function startSearch(options: EnsureOptions): ToolchainSearch {
  const onProgress = options.onProgress ?? (() => undefined);
  const tried: ToolchainAttempt[] = [];
  return {
    env: options.env ?? process.env,
    onProgress,
    signal: options.signal,
    machinery: { ...realMachinery, ...options.machinery },
    hostRequired: options.languageHost !== "optional",
    tried,
    passOver(way, outcome, absent = false) {
      tried.push({ way, outcome });
      onProgress({ kind: "passed-over", way, text: outcome, absent });
    },
    ready(way, found, at = found.command) {
      const outcome = `${found.version} at ${at}`;
      tried.push({ way, outcome });
      onProgress({ kind: "ready", way, text: outcome });
      return { ...found, source: way, tried };
    },
  };
}

/** Why a way failed, in one line. Giving up, or a cache that cannot be written, is no reason to try the next way. */
export function failure(error: unknown): string {
  if (error instanceof ToolchainError && (error.code === "cancelled" || error.code === "cache-unwritable"))
    throw error;
  return errorLine(error);
}
