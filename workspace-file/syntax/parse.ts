/** Parses a YAML text into a tree that knows the location of every part. */
import {
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  type Pair,
  Parser,
  type Scalar,
  YAMLParseError,
} from "yaml";
import { createDiagnostic, type Diagnostic } from "./diagnostics.js";
import { formatUnrecognized, isRecognized } from "./recognize.js";
import { type Position, Source } from "./source.js";
import { listSyntaxProblems } from "./syntax-errors.js";
import { createLeaf, type LeafTree, listTree, mapTree, type Tree, type TreeMember } from "./tree.js";

/** Maximum depth of a workspace file. */
const MAX_DEPTH = 64;

/** Maximum size of a workspace file. A larger one is a mistake and would exhaust memory. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** Maximum number of parts with all aliases expanded. More are a mistake or an attack ("billion laughs"). */
export const MAX_PARTS = 300_000;

export interface ParsedYaml {
  /** Without text for a file that is not of the expected kind, so that no message quotes it. */
  readonly source: Source;
  /** Undefined when the text is not YAML. */
  readonly tree: Tree | undefined;
  readonly problems: readonly Diagnostic[];
}

/**
 * Parses a text. Reports syntax errors, duplicate keys, excessive aliases and nesting as problems and does not throw.
 * @param keys the keys at the top of the expected kind of file: one without them is not quoted
 */
export function parseYaml(file: string, text: string, keys?: readonly string[]): ParsedYaml {
  const source = new Source(file, text);
  const start = { source, offset: 0 };
  const hidden = (problems: Diagnostic[]) => ({ source: new Source(file, ""), tree: undefined, problems });
  try {
    const document = composeDocument(text, source);
    const isExpected = keys === undefined || isRecognized(listKeys(document), keys);
    const problems = listSyntaxProblems(document, source, isExpected);
    if (problems.length === 0 && isJson(file)) problems.push(...listJsonProblems(text, source));
    if (problems.length > 0) return isExpected ? { source, tree: undefined, problems } : hidden(problems);
    // A text without keys has problems of its own, which do not quote it either.
    if (!isExpected && listKeys(document).length > 0)
      return hidden([createDiagnostic(start, { code: "wrong-type", message: formatUnrecognized(keys) })]);
    const reader = new TreeReader();
    const tree = reader.read(document.contents, start, 0);
    return { source: isExpected ? source : new Source(file, ""), tree, problems: reader.problems };
  } catch (error) {
    // Both the parser and the reader recurse as deep as the text is nested.
    if (!(error instanceof RangeError)) throw error;
    const at = error instanceof TooDeep ? { source, offset: error.offset } : start;
    return keys === undefined
      ? { source, tree: undefined, problems: [createDiagnostic(at, tooDeep)] }
      : hidden([createDiagnostic(at, tooDeep)]);
  }
}

/** Reports whether a file must be JSON, which is read as YAML: each JSON text is YAML with the same meaning. */
export function isJson(file: string): boolean {
  return /\.json$/i.test(file);
}

function listJsonProblems(text: string, source: Source): Diagnostic[] {
  try {
    JSON.parse(text);
    return [];
  } catch (error) {
    const offset = Number(/at position (\d+)/.exec((error as Error).message)?.[1] ?? text.length);
    return [
      createDiagnostic(
        { source, offset },
        {
          code: "syntax",
          message:
            "this is valid as YAML, but not as JSON, which a .json file must be: check quotes and commas, or rename the file to .yaml",
        },
      ),
    ];
  }
}

/**
 * Parses like the library's `parseDocument`, with a limit on the depth.
 * @returns the document with its errors
 * @throws {RangeError} when the text is nested too deep
 */
export function composeDocument(text: string, source: Source): Document.Parsed {
  source.lineCounter.addNewLine(0);
  const tokens = listTokens(text, source.lineCounter.addNewLine);
  // The library compares each key with all others, which takes minutes for a large map. The reader finds keys that occur twice.
  const composer = new Composer({ prettyErrors: false, uniqueKeys: false, merge: true });
  const [document, second] = composer.compose(tokens, true, text.length);
  if (document === undefined) throw new TypeError("a composer that is forced to has always a document");
  if (second !== undefined) {
    const at = second.range[0];
    document.errors.push(new YAMLParseError([at, at + 1], "MULTIPLE_DOCS", "several documents"));
  }
  return document;
}

/** Returns the keys at the top, as far as the text could be parsed. */
function listKeys({ contents }: Document): string[] {
  if (!isMap(contents)) return [];
  return contents.items.flatMap(({ key }) => (isScalar(key) ? [formatKey(key)] : []));
}

const tooDeep = {
  message: `is nested deeper than ${MAX_DEPTH} levels, which no workspace file needs: use fewer lists and maps within one another`,
  code: "too-large",
} as const;

class TreeReader {
  readonly problems: Diagnostic[] = [];
  /** Values of the anchors so far. An alias refers to the last one before it. */
  private readonly anchors = new Map<string, Tree>();
  /** Anchors whose value has begun. */
  private readonly begun = new Set<string>();

  read(node: unknown, at: Position, depth: number): Tree {
    const here = getPosition(node, at);
    if (depth > MAX_DEPTH) return this.refused(here, tooDeep);
    const anchor = isAlias(node) ? undefined : (node as { anchor?: string } | null)?.anchor;
    if (anchor !== undefined) this.begun.add(anchor);
    const tree = this.readNode(node, here, depth);
    if (anchor !== undefined) this.anchors.set(anchor, tree);
    return tree;
  }

  private readNode(node: unknown, at: Position, depth: number): Tree {
    if (isAlias(node)) return this.alias(node.source, at);
    if (isMap(node)) return mapTree(this.members(node.items, at, depth), at);
    if (isSeq(node))
      return listTree(
        node.items.map((item) => this.read(item, at, depth + 1)),
        at,
      );
    return isScalar(node) ? this.scalar(node, at) : createLeaf(null, at);
  }

  private alias(name: string, at: Position): Tree {
    const tree = this.anchors.get(name);
    if (tree === undefined) {
      const message = this.begun.has(name)
        ? `*${name} stands within the value that &${name} names, so this value would contain itself: remove the alias`
        : `there is no anchor &${name} before this alias: an alias repeats what was written before it. Write a string that begins with * in quotes`;
      return this.refused(at, { message, code: "syntax" });
    }
    return tree;
  }

  private scalar(node: Scalar, at: Position): LeafTree {
    const { value } = node;
    const end = node.range?.[1] ?? at.offset;
    if (value === null || typeof value === "string" || typeof value === "boolean")
      return createLeaf(value, at, end);
    if (typeof value === "number" && Number.isFinite(value)) return createLeaf(value, at, end);
    return this.refused(at, {
      message: "is a number without a value (.nan or .inf): write a number, or write it in quotes",
      code: "wrong-type",
    });
  }

  private members(items: readonly Pair[], at: Position, depth: number): Map<string, TreeMember> {
    const members = new Map<string, TreeMember>();
    const merged: [string, TreeMember][] = [];
    let [size, merges] = [1, 0];
    for (const pair of items) {
      const key = getPosition(pair.key, at);
      const before = this.problems.length;
      const value = this.read(pair.value, key, depth + 1);
      size += value.size;
      if (size > MAX_PARTS) {
        const message = `aliases expand to more than ${MAX_PARTS} parts: write the values themselves, or use fewer nested aliases`;
        this.refused(key, { message, code: "too-large" });
        return new Map();
      }
      if (isMergeKey(pair.key)) {
        if (merges > 0) this.twice(key);
        merges += 1;
        const from = value.kind === "list" ? value.items : [value];
        for (const part of from) if (part.kind === "map") merged.push(...part.entries);
        if (before === this.problems.length && from.some(({ kind }) => kind !== "map"))
          this.refused(key, {
            message: "<< merges maps: its value must be a map, an alias of one, or a list of these",
            code: "wrong-type",
          });
        continue;
      }
      const name = this.keyOf(pair.key, key);
      if (name === undefined) continue;
      if (members.has(name)) this.twice(key);
      members.set(name, { key, value });
    }
    for (const [name, member] of merged) if (!members.has(name)) members.set(name, member);
    return members;
  }

  private keyOf(key: unknown, at: Position): string | undefined {
    const text = isScalar(key) && key.value !== null ? formatKey(key) : undefined;
    if (text !== undefined && text !== "__proto__") return text;
    this.refused(at, {
      message: "a key must be a plain string: this is a list or a map",
      code: "wrong-type",
    });
    return undefined;
  }

  private twice(key: Position): void {
    this.refused(key, {
      message: "duplicate key: this map already has it above. Remove or rename one of the two",
      code: "duplicate-key",
    });
  }

  private refused(at: Position, problem: Pick<Diagnostic, "message" | "code">): LeafTree {
    this.problems.push(createDiagnostic(at, problem));
    return createLeaf(null, at);
  }
}

/** Returns a key as written: `1.10` is not the number 1.1. */
function formatKey(key: Scalar): string {
  return typeof key.value === "string" ? key.value : (key.source ?? String(key.value));
}

export function isMergeKey(key: unknown): boolean {
  // The library represents a merge key by a symbol.
  return isScalar(key) && (typeof key.value === "symbol" || (key.value === "<<" && key.type === "PLAIN"));
}

function getPosition(node: unknown, otherwise: Position): Position {
  const offset = (node as Node | null)?.range?.[0];
  return offset === undefined ? otherwise : { source: otherwise.source, offset };
}

/** Error for a text that is nested too deep at `offset`. */
class TooDeep extends RangeError {
  constructor(readonly offset: number) {
    super(
      `is nested deeper than ${MAX_DEPTH} levels, which no workspace file needs: use fewer lists and maps within one another`,
    );
  }
}

const MARKS = new Set(["\u0002", "\u0018", "\u001f"]);

/**
 * Yields the tokens of the library's parser, which by itself takes minutes for a hundred thousand brackets.
 * @throws {TooDeep}
 */
function* listTokens(text: string, onNewLine?: (offset: number) => void): Generator<CST.Token> {
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
