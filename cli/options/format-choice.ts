/** Which formats the user asked for, of any command. It is needed for each command, so it loads nothing. */

/** The options that choose formats, of any command. */
export interface FormatChoice {
  readonly json?: unknown;
  readonly format?: unknown;
  readonly output?: unknown;
}

/** Returns the choice of a command line that could not be parsed. */
export function parseFormatChoice(argv: readonly string[]): FormatChoice {
  const end = argv.indexOf("--");
  const own = end < 0 ? argv : argv.slice(0, end);
  const isJson = own.some(
    (word, at) =>
      word === "--json" || word === "--format=json" || (word === "--format" && own[at + 1] === "json"),
  );
  return { json: isJson };
}
