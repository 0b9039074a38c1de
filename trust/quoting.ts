/** Says why a text cannot be parsed, and never quotes it: the text may be a file that is not what somebody took it for. */

/** Parses JSON. @throws {SyntaxError} whose message does not quote the text */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new SyntaxError(parseFailure(error, text));
  }
}

/**
 * Explains an error of reading and parsing a file. The parsers' own messages quote the text.
 * @param text the text that was parsed, if it is known
 */
export function parseFailure(error: unknown, text = ""): string {
  const { name, message, linePos } = error as Error & { linePos?: readonly { line: number; col: number }[] };
  if (name === "YAMLParseError") return `it is not YAML${at(linePos?.[0]?.line)}`;
  if (!(error instanceof SyntaxError)) return message;
  const position = /at position (\d+)/.exec(message)?.[1];
  const line = position === undefined ? undefined : text.slice(0, Number(position)).split("\n").length;
  return `it is not JSON${at(line)}`;
}

function at(line: number | undefined): string {
  return line === undefined ? "" : ` (line ${line})`;
}
