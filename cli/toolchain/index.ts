export { ensurePulumi } from "./ensure.js";
export { dataEnvironment, toolchainEnvironment } from "./environment.js";
export { ToolchainError, errorLine, type ToolchainErrorCode } from "./errors.js";
export { moduleLinks } from "./environment.js";
export { progressPrinter } from "./progress.js";
export { inspect, missingCheck, okCheck, warningCheck, type ToolchainCheck } from "./report.js";
export type { EnsureOptions } from "./search.js";
export type {
  ToolchainAttempt,
  Machinery,
  OnProgress,
  ToolchainEvent,
  PulumiToolchain,
  ToolchainSource,
} from "./types.js";
export { MINIMUM_NODE_VERSION, MINIMUM_PULUMI_VERSION, PULUMI_VERSION } from "./versions.js";
