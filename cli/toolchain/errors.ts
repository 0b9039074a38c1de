import type { ToolchainAttempt } from "./types.js";
import { MINIMUM_PULUMI_VERSION } from "./versions.js";

/** What went wrong with the toolchain. */
export type ToolchainErrorCode =
  /** No way led to a working Pulumi CLI. */
  | "no-pulumi"
  /** The cache folder cannot be written. */
  | "cache-unwritable"
  /** A part of this package is not where it belongs. */
  | "package-incomplete"
  /** A program that was started failed, was not there or took too long. */
  | "program-failed"
  /** The caller gave up. */
  | "cancelled";

/** An error of the toolchain; `code` tells which. */
export class ToolchainError extends Error {
  override readonly name = "ToolchainError";

  constructor(
    readonly code: ToolchainErrorCode,
    message: string,
    options?: ErrorOptions & { tried?: ToolchainAttempt[] },
  ) {
    super(message, options);
    this.tried = options?.tried ?? [];
  }

  /** The ways that were tried before, for `no-pulumi`. */
  readonly tried: ToolchainAttempt[];
}

/** The error that says what was tried and what to install. */
export function noPulumi(tried: ToolchainAttempt[]): ToolchainError {
  const lines = tried.map(({ way, outcome }) => `  - ${way}: ${outcome}`);
  const message = [
    "No working Pulumi CLI, and none could be made. What was tried:",
    ...lines,
    "Remedy, one of:",
    `  - install Pulumi ${MINIMUM_PULUMI_VERSION} or later (https://www.pulumi.com/docs/install/) so that it is on PATH,`,
    "  - set PULUMI_BIN to the folder or the file of one that is not on PATH,",
    "  - install Go 1.25 or later (https://go.dev/dl/), so that it can be built here,",
    "  - allow this machine to reach https://get.pulumi.com, then run the command again.",
  ].join("\n");
  return new ToolchainError("no-pulumi", message, { tried });
}

/** The message of anything that was thrown, in one line. */
export function errorLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\n\s*/g, "; ").trim();
}
