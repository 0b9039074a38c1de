/** Converts errors to messages and exit codes. */
import { isParserError, parseFailure } from "../trust/quoting.js";
import { exitCodes } from "./exit-codes.js";
import { warn, type Io } from "./terminal/io.js";

/** Error whose message contains the remedy. */
export class CliError extends Error {
  override readonly name: string = "CliError";

  constructor(
    message: string,
    readonly exitCode: number = exitCodes.error,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Names of the error classes with messages for users. Importing the classes would be slow. */
const forUsers = [
  "CliError",
  "ProviderError",
  "SeedError",
  "ServiceError",
  "ToolchainError",
  "TrustError",
  "WorkspaceFileError",
];

/**
 * Prints an error to stderr, without a stack trace.
 * @returns the exit code
 */
export function reportError(error: unknown, io: Io): number {
  const { red, dim } = io.colors;
  if (io.env["WORKSPACECTL_DEBUG"] === "1" && error instanceof Error) {
    warn(io, dim(error.stack || error.message));
    if (error.cause instanceof Error) warn(io, dim(`caused by: ${error.cause.stack}`));
  }
  for (const line of messageLines(error)) warn(io, line.replace(/^error:/, red("error:")));
  return error instanceof CliError ? error.exitCode : exitCodes.error;
}

function messageLines(error: unknown): string[] {
  // A parser's own message quotes the file, which nobody has caught here.
  const message = isParserError(error)
    ? parseFailure(error)
    : error instanceof Error
      ? error.message
      : String(error);
  // Problems in a file begin with file:line:column, which editors and terminals link to.
  if (error instanceof Error && error.name === "WorkspaceFileError") return message.split("\n");
  const [first = "", ...rest] = message.split("\n");
  // An interrupt is not an error.
  const interrupted = error instanceof CliError && error.exitCode === exitCodes.interrupted;
  const lines = [interrupted ? first : `error: ${first}`, ...rest];
  if (error instanceof Error && forUsers.includes(error.name)) return lines;
  return [
    ...lines,
    "This is an unexpected error. Run the command again with WORKSPACECTL_DEBUG=1 to see where it happened.",
  ];
}
