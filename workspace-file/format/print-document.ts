/** Prints a document: two spaces of indentation, long flow collections spread, texts quoted and folded as written. */
import {
  type CollectionTag,
  Document,
  isCollection,
  isMap,
  isNode,
  isPair,
  type Node,
  type Pair,
  type Scalar,
  type ScalarTag,
  type Tags,
  visit,
  type YAMLMap,
  type YAMLSeq,
} from "yaml";
import { formatKeyText } from "./forms.js";
import { isPrintable, renderBlockText, renderQuoted } from "./strings.js";

/** Maximum width of a flow collection. */
const WIDTH = 110;
const INDENT = 2;

type Context = Parameters<NonNullable<ScalarTag["stringify"]>>[1];
type Callbacks = [onComment?: () => void, onChompKeep?: () => void];

/** Prints a document. Long or commented flow collections become block collections. */
export function printDocument(document: Document): string {
  spreadNode(document.contents, 0, 0);
  return document.toString({ indent: INDENT, lineWidth: 0 });
}

/** Adds a blank line before each section of several lines. */
export function separateSections(document: Document, isSection: (key: string) => boolean): void {
  if (!isMap(document.contents)) return;
  for (const { key, value } of document.contents.items.slice(1)) {
    const several = isCollection(value) && value.flow !== true && value.items.length > 0;
    if (isNode(key) && several && isSection(formatKeyText(key))) key.spaceBefore = true;
  }
}

/** Restores comments that the parser moved, and removes blank lines at the start of a map. */
export function settleComments(document: Document): void {
  visit(document, {
    Pair(_key, pair) {
      const { key, value } = pair;
      if (!isNode(value)) return;
      if (isNode(key) && isCollection(value)) placeInlineComment(pair, key, value);
      if (value.commentBefore == null) value.spaceBefore = false;
    },
    Collection(_key, collection) {
      const [item] = collection.items;
      if (collection.comment != null)
        collection.comment = collapseBlanks(collection.comment).replace(/\n+$/, "");
      const opening = isPair(item) ? item.key : item;
      if (isNode(opening) && opening.commentBefore == null) opening.spaceBefore = false;
    },
  });
}

const collapseBlanks = (comment: string) => comment.replace(/\n{3,}/g, "\n\n");

/** Restores the comment in `actions: # in this order`, which the parser moves before the list. */
function placeInlineComment(pair: Pair, key: Node, value: Node): void {
  const tokens = (pair as { srcToken?: { sep?: { type: string }[] } }).srcToken?.sep ?? [];
  const comment = tokens.findIndex(({ type }) => type === "comment");
  const newline = tokens.findIndex(({ type }) => type === "newline");
  if (comment < 0 || (newline >= 0 && newline < comment) || value.commentBefore == null) return;
  const [line = "", ...rest] = value.commentBefore.split("\n");
  key.comment = line;
  value.commentBefore = rest.length > 0 ? rest.join("\n") : null;
}

/** Converts flow collections that do not fit on a line or contain comments to block collections. */
function spreadNode(node: unknown, indent: number, column: number): void {
  if (!isCollection(node)) return;
  if (node.flow === true) {
    const line = printLine(node);
    if (node.items.length === 0 || (!line.includes("\n") && column + line.length <= WIDTH)) return;
    node.flow = false;
  }
  for (const item of node.items) {
    if (isPair(item)) {
      const start = indent + formatKeyText(item.key).length + 2;
      spreadNode(item.value, indent + INDENT, start);
    } else if (isNode(item)) spreadNode(item, indent + INDENT, indent + INDENT);
  }
}

/** Prints a flow collection on one line, or on several if it contains comments or folded texts. */
function printLine(node: Node): string {
  alone ??= new Document(null, { merge: true, customTags: asWritten });
  alone.contents = node;
  return alone.toString({ lineWidth: 0, verifyAliasOrder: false }).trimEnd();
}

let alone: Document | undefined;

/** Returns tags that print scalars as written, and flow collections as `{ a: 1 }` and `[a]`. */
export function asWritten(tags: Tags): Tags {
  const own = tags.map((tag) => {
    if (typeof tag === "string" || tag.tag === "tag:yaml.org,2002:null") return tag;
    return tag.collection === undefined ? keepScalarAsWritten(tag) : padFlow(tag);
  });
  return [quotedSpecial, ...own];
}

/** Texts that are a merge key, or the value of a map, where they have no quotes. */
const SPECIAL: readonly unknown[] = ["<<", "="];

const quotedSpecial: ScalarTag = {
  tag: "tag:yaml.org,2002:str",
  default: true,
  identify: (value) => SPECIAL.includes(value),
  test: /(?!)/, // Matches no text, so that the tag is only used for printing.
  resolve: (text) => text,
  stringify: (item, ctx) => findSource(item, ctx) ?? JSON.stringify(item.value),
};

function keepScalarAsWritten(tag: ScalarTag): ScalarTag {
  const usual = tag.stringify;
  if (usual === undefined) return tag;
  return {
    ...tag,
    stringify: (item, ctx, ...more) =>
      findSource(item, ctx) ??
      printText(item, ctx, more[1]) ??
      trimFirstLine(usual(item, ctx, ...more), item),
  };
}

/** Prints what the library would not so that all readers take it alike; undefined for the rest, and for what has a form in the file. */
function printText(item: Scalar, ctx: Context, onChompKeep?: () => void): string | undefined {
  const { value, type } = item;
  if (typeof value !== "string") return undefined;
  const isNew = item.srcToken === undefined;
  const several = value.includes("\n");
  // Readers of YAML 1.1 refuse a tab outside of quotes, and within brackets a colon at the beginning.
  const needsQuotes =
    !isPrintable(value) || value.includes("\t") || (ctx.inFlow === true && value.startsWith(":"));
  if (!several) return isNew && needsQuotes ? renderQuoted(value) : undefined;
  const isLine = ctx.implicitKey || ctx.inFlow === true;
  const mayBeBlock = isNew ? type?.startsWith("QUOTE") !== true : type === "BLOCK_LITERAL";
  const form = { column: ctx.indent.length - INDENT, indent: INDENT, keeps: true };
  const block = isLine || !mayBeBlock || item.comment != null ? undefined : renderBlockText(value, form);
  if (block !== undefined && /^\|\d?\+/.test(block)) onChompKeep?.();
  if (block !== undefined || !isNew) return block;
  return renderQuoted(value, isLine || ctx.indent === "" ? undefined : ctx.indent);
}

/** Removes the spaces that the library prints where a block of text begins with an empty line. Other formatters remove them, too. */
const trimFirstLine = (text: string, { value }: Scalar) =>
  typeof value === "string" && value.startsWith("\n")
    ? text.replace(/^([|>][-+\d]*(?: #[^\n]*)?)\n[ ]+\n/, "$1\n\n")
    : text;

function padFlow(tag: CollectionTag): CollectionTag {
  const flowCollectionPadding = tag.collection === "seq" ? "" : " ";
  const stringify = ((item: YAMLMap | YAMLSeq, ctx: Context, ...more: Callbacks) =>
    item.toString({ ...ctx, flowCollectionPadding }, ...more)) as never;
  return { ...tag, stringify };
}

function findSource(item: Scalar, ctx: Context): string | undefined {
  const token = item.srcToken;
  if (token === undefined || !("source" in token)) return undefined;
  if (token.type === "block-scalar") return foldSource(item, token, ctx);
  if (token.source === "") return undefined;
  const [first = "", ...rest] = token.source.split(/\r?\n/);
  if (rest.length === 0) return first;
  if (ctx.implicitKey) return undefined;
  return [first, ...rest.map((line) => (line.trim() === "" ? "" : ctx.indent + line.trimStart()))]
    .map((line, index, lines) => (index < lines.length - 1 ? trimLineEnd(line) : line))
    .join("\n");
}

/** Removes the blanks at the end of a line that are not part of the text. */
const trimLineEnd = (line: string) => line.replace(/(?<=(?:^|[^\\])(?:\\\\)*)[ \t]+$/, "");

/** Keeps the lines of a folded block (`>`), as the library does for a literal one (`|`). */
function foldSource(
  item: Scalar,
  token: { props: readonly { type: string; source?: string }[]; source: string },
  ctx: Context,
): string | undefined {
  const header = token.props.find(({ type }) => type === "block-scalar-header")?.source ?? "";
  // The library prints blocks with an indentation indicator or a comment, and those that are not indented.
  if (!/^>[-+]?$/.test(header) || item.comment != null || ctx.indent === "" || ctx.implicitKey)
    return undefined;
  const lines = token.source.split(/\r?\n/);
  const opening = lines.find((line) => line.trim() !== "");
  if (opening === undefined || opening.includes("\t") || header.endsWith("+")) return undefined;
  const own = /^ */.exec(opening)?.[0].length ?? 0;
  const body = lines.map((line) => (line.trim() === "" ? "" : ctx.indent + line.slice(own)));
  return [header, ...body].join("\n").trimEnd();
}
