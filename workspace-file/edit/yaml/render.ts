/** Renders values as YAML, to insert into a text. */
import {
  Alias,
  Document,
  isAlias,
  isCollection,
  isNode,
  isPair,
  isScalar,
  type Node,
  type Pair,
  Scalar,
  visit,
} from "yaml";
import { escapePlaceholders } from "../../compose/placeholders.js";
import { asWritten } from "../../format/print-document.js";
import { type BlockForm, renderBlockText } from "../../format/strings.js";
import { Filled } from "../canonical-form.js";
import { AsWritten } from "../edit-types.js";

/** Maximum width of a line. */
export const WIDTH = 100;
// Readers of YAML 1.1 take more words for switches, numbers and dates. All texts that they would are quoted.
const options = { customTags: asWritten, version: "1.2", merge: true, compat: "yaml-1.1" } as const;
const printing = { lineWidth: 0, indent: 2, verifyAliasOrder: false } as const;

export interface Room {
  /** Column of the key or dash that the value belongs to, or -2 at the top. */
  readonly column: number;
  /** Column at which the value begins. */
  readonly from: number;
  /** Whether there is one line only: inside { }, or before a comment. */
  readonly flow: boolean;
  /** Style of the text that is replaced. */
  readonly style?: Scalar.Type | undefined;
  /** The block of text (`|`) that is replaced, or may be. */
  readonly block?: Pick<BlockForm, "indent" | "keeps">;
}

/** Renders a value as it follows `key:` or `-`, with the preceding space or line break and without a final one. */
export function render(value: unknown, room: Room, afterDash = false): string {
  const node = createNode(value, room.style);
  if (!isCollection(node)) return ` ${renderScalar(node as Scalar, room)}`;
  if (room.flow || fitsOnLine(node, room.from)) return ` ${renderFlowLine(node)}`;
  const body = indentText(renderBlock(node, room.column + 2), room.column + 2);
  return afterDash ? ` ${body.trimStart()}` : `\n${body}`;
}

/** Renders a key. */
export function renderKey(key: string): string {
  const text = new Document(key, options).toString(printing).trimEnd();
  // A key must be on one line. Of a key that is a line break, only the indicator of a block would remain.
  return key.includes("\n") || text.includes("\n") ? JSON.stringify(key) : text;
}

/** Reports whether a map or list fits on one line. Only short ones of plain values do. */
function fitsOnLine(node: Node, from: number): boolean {
  if (!isCollection(node) || node.items.length === 0) return true;
  if (node.flow === false) return false;
  if (node.flow === true) return from + 1 + renderFlowLine(node).length <= WIDTH;
  const plain = node.items.every((item) => {
    const value: unknown = isPair(item) ? item.value : item;
    return isAlias(value) || (isScalar(value) && !String(value.value).includes("\n"));
  });
  return plain && from + 1 + renderFlowLine(node).length <= WIDTH;
}

function renderFlowLine(node: Node): string {
  const copy = node.clone() as Node;
  visit(copy, {
    Collection: (_key, part) => void (part.flow = true),
    Scalar(_key, part) {
      if (typeof part.value === "string" && part.value.includes("\n")) part.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return new Document(copy, options).toString(printing).trimEnd();
}

function renderBlock(node: Node, column: number): string {
  const copy = node.clone() as Node;
  spreadNode(copy, column);
  quoteEnd(copy);
  return new Document(copy, options).toString(printing).replace(/\n$/, "");
}

/** Quotes a text at the end of a value when it ends with empty lines, because those of the file may follow. */
function quoteEnd(node: unknown): void {
  if (isPair(node)) quoteEnd(node.value);
  else if (isCollection(node)) quoteEnd(node.items.at(-1));
  else if (isScalar(node) && String(node.value).endsWith("\n\n")) node.type = Scalar.QUOTE_DOUBLE;
}

/** Keeps short inner maps and lists on one line, and spreads the others. */
function spreadNode(node: unknown, column: number): void {
  if (!isCollection(node)) return;
  node.flow = false;
  for (const item of node.items) {
    const [key, value] = isPair(item) ? [item.key, item.value] : [undefined, item];
    if (!isCollection(value)) continue;
    const from = column + (isScalar(key) ? String(key.value).length + 1 : 1);
    if (value.items.length === 0 || (isPair(item) && fitsOnLine(value, from))) value.flow = true;
    else spreadNode(value, column + 2);
  }
}

const indentText = (text: string, column: number) =>
  text
    .split("\n")
    .map((line) => (line === "" ? "" : " ".repeat(column) + line))
    .join("\n");

/** Renders a scalar in the style of the old one where possible. */
function renderScalar(scalar: Scalar, { column, flow, style, block: form }: Room): string {
  const { value } = scalar;
  const several = typeof value === "string" && value.includes("\n");
  const wasBlock = style === Scalar.BLOCK_LITERAL || style === Scalar.BLOCK_FOLDED;
  if (several) {
    const canBeBlock = !flow && (style === undefined || style === Scalar.PLAIN || wasBlock);
    const block = canBeBlock
      ? renderBlockText(value, { column, indent: 2, keeps: false, ...form })
      : undefined;
    if (block !== undefined) return block;
    scalar.type = Scalar.QUOTE_DOUBLE;
  } else if (wasBlock) scalar.type = Scalar.PLAIN;
  const parent = new Document({}, options);
  if (flow) {
    // More texts need quotes within brackets.
    const list = parent.createNode([]);
    list.items.push(scalar as never);
    list.flow = true;
    return new Document(list, options).toString(printing).replace(/^\[[ \n]*|,?[ \n]*\]\n$/g, "");
  }
  parent.set("k", scalar);
  const [first = "", ...rest] = parent.toString(printing).replace(/^k: ?/, "").replace(/\n$/, "").split("\n");
  // The document indents by two.
  return [first, ...rest.map((line) => (line === "" ? "" : " ".repeat(Math.max(column, 0)) + line))].join(
    "\n",
  );
}

/** Converts values to nodes, and escapes texts so that they contain no placeholders. */
export function createNode(value: unknown, style?: Scalar.Type): Node {
  const document = new Document({}, options);
  const build = (part: unknown): Node => {
    if (isNode(part)) return part;
    if (part instanceof AsWritten) return createPlaceholderScalar(part.text);
    if (part instanceof Filled) return createPlaceholderScalar(part.written);
    if (Array.isArray(part)) {
      const list = document.createNode([]);
      list.items = part.map(build) as never;
      return list;
    }
    if (typeof part === "object" && part !== null) {
      const map = document.createNode({}) as Node & { items: Pair[] };
      map.items = Object.entries(part)
        .filter(([, inner]) => inner !== undefined)
        .map(([key, inner]) => document.createPair(createKey(key, inner), build(inner)));
      return map;
    }
    const scalar = new Scalar(typeof part === "string" ? escapePlaceholders(part) : (part ?? null));
    if (style !== undefined && typeof part === "string") scalar.type = style;
    return scalar;
  };
  return build(value);
}

/** Returns a merge key for `<<` before an alias, and an ordinary key otherwise. */
function createKey(key: string, value: unknown): string | Scalar {
  return key === "<<" && isAlias(value) ? new Scalar(Symbol("<<")) : key;
}

/** Returns an alias as part of a value. */
export const createAlias = (name: string) => new Alias(name);

function createPlaceholderScalar(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = text.includes("\n") ? Scalar.BLOCK_LITERAL : Scalar.QUOTE_DOUBLE;
  return scalar;
}
