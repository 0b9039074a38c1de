/** Explains why a text cannot be parsed, without quoting it: the text may come from a file that was named by mistake. */

import { TrustError } from "./errors.js";

/** Parses JSON. @throws {SyntaxError} whose message does not quote the text */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new SyntaxError(parseFailure(error, text));
  }
}

/** Why the system does not open a file, by its code. */
const reasons: Readonly<Record<string, string>> = {
  ENOENT: "there is no such file or folder",
  ENOTDIR: "a part of its path is not a folder",
  EISDIR: "it is a folder",
  EACCES: "this user may not access it",
  EPERM: "this user may not change it",
  EROFS: "its file system is read-only",
  ENOSPC: "its file system is full",
};

/**
 * Explains an error of reading and parsing a file. The parsers' own messages quote the text.
 * @param text the text that was parsed, if it is known
 */
export function parseFailure(error: unknown, text = ""): string {
  const {
    message,
    code = "",
    syscall,
    linePos,
  } = error as NodeJS.ErrnoException & {
    linePos?: readonly { line: number }[];
  };
  // Errors of the system and of this room name a path at most.
  if (error instanceof TrustError) return message;
  if (syscall !== undefined) return reasons[code] ?? message;
  if (!(error instanceof SyntaxError)) return `it is not YAML${formatLineNumber(linePos?.[0]?.line)}`;
  const position = /at position (\d+)/.exec(message)?.[1];
  const line = position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
  return `it is not JSON${formatLineNumber(line)}`;
}

/** Whether an error comes from a parser of JSON or YAML, so that its message quotes a text. */
export function isParserError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return error.name === "YAMLParseError" || (error instanceof SyntaxError && /JSON/.test(error.message));
}

function formatLineNumber(line: number | undefined): string {
  return line === undefined ? "" : ` (line ${line})`;
}
