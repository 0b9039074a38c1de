/** Prints what was thrown, for people and for programs. */
import { AutomationError } from "../automation/errors.js";
import { warn } from "../automation/port.js";
import { exitCodes } from "../automation/report/exit-codes.js";
import type { ErrorReport } from "../automation/report/report-schemas.js";
import type { Io } from "../reports/io.js";
import type { RemedyText } from "../trust/errors.js";
import { isParserError, parseFailure } from "../trust/quoting.js";

/** Exit codes of errors by their kind. */
const exitCodesOfErrors: Readonly<Record<string, number>> = {
  interrupted: exitCodes.interrupted,
  declined: exitCodes.declined,
};

/** Names of the error classes with messages for users. Importing the classes would be slow. */
const forUsers = [
  "AutomationError",
  "ProviderError",
  "RecoveryError",
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
  for (const line of formatMessageLines(error)) warn(io, line.replace(/^error:/, red("error:")));
  const { code = "" } = error instanceof AutomationError ? error : {};
  return exitCodesOfErrors[code] ?? exitCodes.error;
}

const UNEXPECTED = "Run the command again with WORKSPACECTL_DEBUG=1 to see where it happened.";

/** The remedy of an error whose message contains those of its objects. */
const IN_MESSAGE = "Do what the message says of each object, and run the command again.";

/** Converts an error to the data that `--json` prints. */
export function createErrorReport(error: unknown): ErrorReport {
  const [first = "", ...rest] = formatMessageLines(error);
  const message = [first.replace(/^error: /, ""), ...rest].join("\n");
  const { code, remedy = UNEXPECTED, problems } = collectDetails(error);
  const location = problems?.[0]?.place;
  return {
    error: {
      code: (problems?.[0]?.code ?? code ?? "unexpected") || "failed",
      message,
      remedy: remedy === message ? IN_MESSAGE : [remedy].flat().join("; ").trim(),
      ...(location && { location: { file: location.file, line: location.line, column: location.column } }),
    },
  };
}

interface ErrorDetails {
  readonly code?: string | undefined;
  readonly remedy?: RemedyText | undefined;
  readonly problems?: readonly {
    readonly code?: string;
    readonly place: { readonly file: string; readonly line: number; readonly column: number };
  }[];
}

/** What the classes of errors have in common. */
function collectDetails(error: unknown): ErrorDetails {
  return error instanceof Error && forUsers.includes(error.name) ? (error as ErrorDetails) : {};
}

function formatMessageLines(error: unknown): string[] {
  // A parser's own message quotes the file, which nobody has caught here.
  const message = isParserError(error)
    ? `a file cannot be read: ${parseFailure(error)}`
    : error instanceof Error
      ? error.message
      : String(error);
  // Problems in a file begin with file:line:column, which editors and terminals link to.
  if (error instanceof Error && error.name === "WorkspaceFileError") return message.split("\n");
  const [first = "", ...rest] = message.split("\n");
  // An interrupt is not an error.
  const interrupted = error instanceof AutomationError && error.code === "interrupted";
  const lines = [interrupted ? first : `error: ${first}`, ...rest];
  if (error instanceof Error && forUsers.includes(error.name)) return lines;
  return [...lines, `This is an unexpected error. ${UNEXPECTED}`];
}
