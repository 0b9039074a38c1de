/** Formats workspace files: orders the keys and keeps everything else. */
import { Composer, type CST, type Document, isMap, isScalar, type ParsedNode, Parser } from "yaml";
import { listKindsUnder, WORKSPACE } from "../../resources/definition/placement.js";
import type { Definition } from "../../resources/index.js";
import type { Diagnostic } from "../syntax/diagnostics.js";
import { parseYaml } from "../syntax/parse.js";
import { buildDocumentForm } from "./forms.js";
import { orderKeys } from "./order.js";
import { asWritten, printDocument, separateSections, settleComments } from "./print-document.js";
import { isSameDocument, listCommentsIn } from "./verify.js";

export { buildDocumentForm, EXTENSIONS, formatKeyText, REST, type MapForm } from "./forms.js";
export { orderKeys } from "./order.js";

/** Formatted text, or the problems that prevent it. */
export type Formatted = { readonly text: string } | { readonly problems: readonly Diagnostic[] };

/** Maximum number of rounds. A text is formatted until it no longer changes. */
const MAX_ROUNDS = 5;

/**
 * Formats a workspace file, a part of one, or an overlay. Verifies that the value and all comments are preserved. Keeps line
 * breaks, a byte order mark and a missing final line break.
 * @param kinds resource types, which determine the order of arguments
 */
export function formatYaml(file: string, text: string, kinds: readonly Definition[]): Formatted {
  const crlf = /\r\n/.test(text);
  const bom = text.startsWith("\uFEFF") ? "\uFEFF" : "";
  const plain = text.slice(bom.length).replaceAll("\r\n", "\n");
  if (plain.trim() === "") return { text };
  // Reports the same problems as the loader.
  const { problems } = parseYaml(file, text);
  if (problems.length > 0) return { problems };
  const result = formatUntilStable(file, plain, kinds);
  if ("problems" in result) return result;
  const ended = plain.endsWith("\n") ? result.text : result.text.replace(/\n$/, "");
  return { text: bom + (crlf ? ended.replaceAll("\n", "\r\n") : ended) };
}

/** Orders and prints a document that was made by a program. */
export function printOrdered(document: Document, kinds: readonly Definition[]): string {
  const sections = new Set(listKindsUnder(kinds, WORKSPACE).map((kind) => kind.document.section));
  settleComments(document);
  orderKeys(document, buildDocumentForm(kinds));
  separateSections(document, (key) => sections.has(key) || key === "defaults" || key === "templates");
  return printDocument(document);
}

function formatUntilStable(file: string, text: string, kinds: readonly Definition[]): Formatted {
  let before = text;
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    const result = formatOnce(file, before, kinds);
    if ("problems" in result || result.text === before) return result;
    before = result.text;
  }
  return refuseFormat(
    file,
    "cannot be formatted: the positions of its comments allow no stable form; move the comments to lines of their own",
  );
}

function formatOnce(file: string, text: string, kinds: readonly Definition[]): Formatted {
  const document = parse(text);
  if (isNothing(document)) return { text };
  if (!isMap(document.contents)) return refuseFormat(file, "is not a workspace file: it must be a map");
  const printed = printOrdered(document, kinds);
  const again = parse(printed);
  if (again.errors.length > 0 || !isSameDocument(parse(text), again))
    return refuseFormat(file, "cannot be formatted without changing its meaning");
  if (listCommentsIn(text).join("\n") !== listCommentsIn(printed).join("\n"))
    return refuseFormat(
      file,
      "cannot be formatted without losing a comment: move comments out of { } and [ ]",
    );
  return { text: printed };
}

/** Reports whether a document contains only comments, or nothing. */
function isNothing({ contents }: Document): boolean {
  return contents === null || (isScalar(contents) && contents.value === null && contents.source === "");
}

function refuseFormat(file: string, message: string): { problems: Diagnostic[] } {
  return { problems: [{ place: { file, line: 1, column: 1 }, message, code: "syntax" }] };
}

type Block = CST.BlockMap | CST.BlockSequence;
type Tokens = CST.SourceToken[];

/** Parses a document without problems. */
function parse(text: string): Document {
  const tokens = [...new Parser().parse(text)];
  for (const token of tokens) if (token.type === "document") raise(token.value);
  const composer = new Composer<ParsedNode, true>({
    prettyErrors: false,
    uniqueKeys: false,
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
