/** Tokens of a YAML text for the composer of the library. Refuses a text that is nested too deep before it is composed. */
import { Lexer, Parser, type CST } from "yaml";

/** Maximum depth of a workspace file. */
export const MAX_DEPTH = 64;

/** Error for a text that is nested too deep at `offset`. */
export class TooDeep extends RangeError {
  constructor(readonly offset: number) {
    super(`is nested deeper than ${MAX_DEPTH} levels, which no workspace file needs`);
  }
}

const MARKS = new Set(["\u0002", "\u0018", "\u001f"]);

/**
 * Yields the tokens of the library's parser, which by itself takes minutes for a hundred thousand brackets.
 * @throws {TooDeep}
 */
export function* tokensOf(text: string, onNewLine?: (offset: number) => void): Generator<CST.Token> {
  const parser = new Parser(onNewLine);
  let brackets = 0;
  // Levels that one line opens, as in `- - - a` and `? ? ? a`.
  let onLine = 0;
  let offset = 0;
  for (const lexeme of new Lexer().lex(text)) {
    if (lexeme === "[" || lexeme === "{") brackets += 1;
    else if (lexeme === "]" || lexeme === "}") brackets -= 1;
    else if (lexeme === "-" || lexeme === "?") onLine += 1;
    else if (lexeme.includes("\n")) onLine = 0;
    if (brackets > MAX_DEPTH || onLine > MAX_DEPTH) throw new TooDeep(offset);
    // Marks of the lexer are not part of the text.
    if (!MARKS.has(lexeme)) offset += lexeme.length;
    yield* parser.next(lexeme);
  }
  yield* parser.end();
}
