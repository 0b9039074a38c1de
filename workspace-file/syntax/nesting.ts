/** The tokens of a YAML text, for the composer of the library; a text that is nested too deep is refused before that costs anything. */
import { Lexer, Parser, type CST } from "yaml";

/** Deeper nesting than this is no workspace. */
export const MAX_DEPTH = 64;

/** The text is nested too deep; `offset` is where. */
export class TooDeep extends RangeError {
  constructor(readonly offset: number) {
    super(`is nested deeper than ${MAX_DEPTH} levels: a workspace file has no use for that`);
  }
}

const MARKS = new Set(["\u0002", "\u0018", "\u001f"]);

/**
 * Tokens as of the library's own parser, which needs minutes for a hundred thousand brackets.
 * @throws {TooDeep}
 */
export function* tokensOf(text: string, onNewLine?: (offset: number) => void): Generator<CST.Token> {
  const parser = new Parser(onNewLine);
  let brackets = 0;
  // `- - - a` and `? ? ? a` open a level each on one line.
  let onLine = 0;
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === "[" || lexeme === "{") brackets += 1;
    else if (lexeme === "]" || lexeme === "}") brackets -= 1;
    else if (lexeme === "-" || lexeme === "?") onLine += 1;
    else if (lexeme.includes("\n")) onLine = 0;
    if (brackets > MAX_DEPTH || onLine > MAX_DEPTH) throw new TooDeep(offset);
    // Marks of the lexer are no part of the text.
    if (!MARKS.has(lexeme)) offset += lexeme.length;
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}
