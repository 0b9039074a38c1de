/** Parses a text into a document with source tokens, and assigns each comment to the level of its indentation. */
import { Composer, Parser, type CST, type Document, type ParsedNode } from "yaml";
import { asWritten } from "./print.js";

type Block = CST.BlockMap | CST.BlockSequence;
type Tokens = CST.SourceToken[];

/** Parses a document without problems. */
export function parse(text: string): Document {
  const tokens = [...new Parser().parse(text)];
  for (const token of tokens) if (token.type === "document") raise(token.value);
  const composer = new Composer<ParsedNode, true>({
    prettyErrors: false,
    uniqueKeys: true,
    merge: true,
    keepSourceTokens: true,
    customTags: asWritten,
  });
  const [document] = [...composer.compose(tokens, true, text.length)];
  if (document === undefined) throw new TypeError("a composer that is forced to has always a document");
  return document;
}

/**
 * Moves comments after a block to the level of their indentation. The parser assigns all of them to the block.
 * @returns the comments of outer levels
 */
function raise(token: CST.Token | null | undefined): Tokens {
  if (token?.type !== "block-map" && token?.type !== "block-seq") return [];
  const items = token.items as Block["items"][number][];
  for (let index = 0; index < items.length; index += 1) {
    const out = raise(items[index]?.value);
    if (out.length === 0) continue;
    const next = items[index + 1];
    if (next) next.start.unshift(...out);
    else items.push({ start: out });
  }
  const last = items.at(-1);
  if (items.length < 2 || last === undefined || last.key || last.sep || last.value) return [];
  const lessIndented = last.start.findIndex((each) => each.type === "comment" && each.indent < token.indent);
  if (lessIndented < 0) return [];
  const space = last.start[lessIndented - 1]?.type === "space" ? 1 : 0;
  const out = last.start.splice(lessIndented - space);
  if (last.start.length === 0) items.pop();
  return out;
}
