/** Options and state of a search for the toolchain. */
import { findCheckouts } from "../../trust/checkout.js";
import { filterPath } from "../../trust/programs.js";
import { ToolchainError, formatErrorLine } from "./errors.js";
import { refuseUntrusted } from "./untrusted.js";
import { install } from "./installer.js";
import { checkLanguageHost, readPulumiVersion } from "./probe.js";
import type {
  ToolchainAttempt,
  Machinery,
  OnProgress,
  PulumiToolchain,
  ToolchainSource,
  WorkContext,
} from "./types.js";

/** Options of `ensurePulumi`. */
export interface EnsureOptions {
  env?: NodeJS.ProcessEnv;
  /** Folders whose contents anybody may have written. Default: the checkout of the working directory. */
  checkouts?: readonly string[];
  onProgress?: OnProgress;
  /** Aborts the work, including a download or build in progress. */
  signal?: AbortSignal;
  /**
   * Programs need a language host, workspace files do not. `optional` accepts a CLI without one. Default: `required`.
   */
  languageHost?: "required" | "optional";
  /** Folder of the program that will run. */
  program?: string;
  /** Functions that run other programs, for tests. */
  machinery?: Partial<Machinery>;
}

const realMachinery: Machinery = { pulumiVersion: readPulumiVersion, checkLanguageHost, install };

/** State of one call of `ensurePulumi`. */
export interface ToolchainSearch extends WorkContext {
  machinery: Machinery;
  hostRequired: boolean;
  program: string | undefined;
  tried: ToolchainAttempt[];
  /** Records and reports that a source cannot be used. */
  passOver(way: ToolchainSource, outcome: string, absent?: boolean): void;
  /** Records and reports the CLI that was found. */
  ready(way: ToolchainSource, found: Omit<PulumiToolchain, "source" | "tried">, at?: string): PulumiToolchain;
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
    program: options.program,
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

/** Returns why a source failed, in one line. Rethrows errors after which no other source is tried. */
export function formatFailure(error: unknown): string {
  if (error instanceof ToolchainError && (error.code === "cancelled" || error.code === "cache-unwritable"))
    throw error;
  return formatErrorLine(error instanceof ToolchainError ? error.what : error);
}
