/** Errors of the toolchain. */
import { withRemedy } from "../trust/errors.js";
import type { ToolchainAttempt } from "./types.js";
import { MINIMUM_PULUMI_VERSION } from "./versions.js";

/** Why the toolchain cannot be used. */
export type ToolchainErrorCode =
  /** No working Pulumi CLI was found, and none could be installed. */
  | "no-pulumi"
  /** The cache folder cannot be written. */
  | "cache-unwritable"
  /** A part of this package is missing. */
  | "package-incomplete"
  /** A program failed, does not exist or took too long. */
  | "program-failed"
  /** The caller aborted the work. */
  | "cancelled";

/** Error of the toolchain. */
export class ToolchainError extends Error {
  override readonly name = "ToolchainError";

  constructor(
    readonly code: ToolchainErrorCode,
    /** The message without the remedy. */
    readonly what: string,
    readonly remedy: string,
    options?: ErrorOptions & { tried?: ToolchainAttempt[] },
  ) {
    super(withRemedy(what, remedy), options);
    this.tried = options?.tried ?? [];
  }

  /** The sources that were tried before, for `no-pulumi`. */
  readonly tried: ToolchainAttempt[];
}

export const createProgramError = (what: string) =>
  new ToolchainError("program-failed", what, 'run "workspacectl doctor" to check the installation');
export const createCancellation = () =>
  new ToolchainError("cancelled", "The command was cancelled.", "Run it again to continue.");

/** Returns the error that lists what was tried and what to install. */
export function createMissingPulumiError(tried: ToolchainAttempt[]): ToolchainError {
  const lines = tried.map(({ way, outcome }) => `  - ${way}: ${outcome}`);
  const message = [
    "No working Pulumi CLI was found, and none could be installed. What was tried:",
    ...lines,
  ].join("\n");
  const remedy = [
    "Remedy, one of:",
    `  - install Pulumi ${MINIMUM_PULUMI_VERSION} or later (https://www.pulumi.com/docs/install/) so that it is on PATH,`,
    "  - set PULUMI_BIN to the folder or the file of one that is not on PATH,",
    "  - allow this machine to reach https://get.pulumi.com (or set WORKSPACECTL_PULUMI_RELEASES to a mirror), then run the command again.",
  ].join("\n");
  return new ToolchainError("no-pulumi", message, remedy, { tried });
}

/** Returns the message of anything that was thrown, in one line. */
export function formatErrorLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/\s*\n\s*/g, "; ").trim();
}
