/** What the other folders use of the toolchain. */
export { ensurePulumi } from "./ensure-pulumi.js";
export {
  buildDataEnvironment,
  buildHelperEnvironment,
  buildToolchainEnvironment,
  linkModules,
} from "./environment.js";
export { ToolchainError, formatErrorLine, type ToolchainErrorCode } from "./errors.js";
export { createProgressPrinter } from "./progress.js";
export {
  inspect,
  createMissingCheck,
  createOkCheck,
  createWarningCheck,
  type ToolchainCheck,
} from "./check-toolchain.js";
export type {
  EnsureOptions,
  ToolchainAttempt,
  Machinery,
  OnProgress,
  ToolchainEvent,
  PulumiToolchain,
  ToolchainSource,
} from "./types.js";
export {
  findVersionIn,
  isAtLeast,
  MINIMUM_NODE_VERSION,
  MINIMUM_PULUMI_VERSION,
  PULUMI_VERSION,
} from "./versions.js";
