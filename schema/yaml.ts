/** YAML text → plain value, with the place of every part kept for messages. */
import { isMap, isPair, isScalar, isSeq, LineCounter, parseDocument, type Document, type Node } from "yaml";
import type { PropertyPath } from "./problems.js";

/** A place in a file, counted from 1. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Something wrong at a place of a file. */
export interface PlacedProblem {
  readonly place: Place;
  readonly message: string;
}

/** The largest workspace file that is read: larger ones are a mistake, and would only exhaust memory. */
export const MAX_FILE_BYTES = 2 * 1024 * 1024;
/** More expansions of aliases than this is an attack ("billion laughs") or a mistake. */
const MAX_ALIAS_COUNT = 1000;

/** A parsed file: its value, and where each part of it stands. */
export class YamlFile {
  private readonly lineCounter = new LineCounter();
  readonly document: Document;

  constructor(
    readonly file: string,
    readonly text: string,
  ) {
    this.document = parseDocument(text, {
      lineCounter: this.lineCounter,
      prettyErrors: false,
      uniqueKeys: true,
      merge: true,
    });
  }

  /** Problems of the YAML itself: syntax, duplicate keys. */
  syntaxProblems(): PlacedProblem[] {
    return [...this.document.errors, ...this.document.warnings].map((error) => ({
      place: this.placeAt(error.pos[0]),
      message:
        error.code === "DUPLICATE_KEY"
          ? "this key is written twice in the same map"
          : firstLine(error.message),
    }));
  }

  /** The plain value, or the problem that keeps it from being had. */
  toValue(): { value: unknown } | { problem: PlacedProblem } {
    try {
      return { value: this.document.toJS({ maxAliasCount: MAX_ALIAS_COUNT }) as unknown };
    } catch (error) {
      const excessive = error instanceof ReferenceError && error.message.includes("alias");
      return {
        problem: {
          place: this.placeAt(0),
          message: excessive
            ? `aliases expand to more than ${MAX_ALIAS_COUNT} copies: write the values out, or use fewer aliases of aliases`
            : (error as Error).message,
        },
      };
    }
  }

  /** The place of the value at a path, or of the nearest part above it that is written in the file. */
  placeOf(path: PropertyPath, atKey = false): Place {
    let node: unknown = this.document.contents;
    let place = this.placeOfNode(node as Node | null);
    for (const [index, step] of path.entries()) {
      const child = childOf(node, step, this.document);
      if (child === undefined) return place;
      const last = index === path.length - 1;
      const shown = (last && atKey) || child.value === null ? child.key : child.value;
      place = this.placeOfNode((shown ?? child.value) as Node | null);
      node = child.value;
    }
    return place;
  }

  placeOfNode(node: Node | null | undefined): Place {
    return this.placeAt(node?.range?.[0] ?? 0);
  }

  private placeAt(offset: number): Place {
    const { line, col } = this.lineCounter.linePos(Math.min(offset, this.text.length));
    return { file: this.file, line: Math.max(line, 1), column: Math.max(col, 1) };
  }
}

function childOf(
  parent: unknown,
  step: string | number,
  document: Document,
): { key?: unknown; value: unknown } | undefined {
  const node = resolveAlias(parent, document);
  if (isSeq(node))
    return typeof step === "number" && step in node.items ? { value: node.items[step] } : undefined;
  if (!isMap(node)) return undefined;
  for (const pair of node.items) {
    if (!isPair(pair)) continue;
    const key: unknown = isScalar(pair.key) ? pair.key.value : pair.key;
    if (String(key) === String(step)) return { key: pair.key, value: pair.value };
  }
  // The key may have come in through a merge (`<<`): point at the merge.
  const merge = node.items.find((pair) => isScalar(pair.key) && pair.key.value === "<<");
  return merge && { key: merge.key, value: childOf(merge.value, step, document)?.value ?? merge.value };
}

function resolveAlias(node: unknown, document: Document): unknown {
  return typeof node === "object" && node !== null && "resolve" in node
    ? (node as { resolve(d: Document): unknown }).resolve(document)
    : node;
}

function firstLine(message: string): string {
  return message.split("\n")[0] ?? message;
}

/** `file:line:column: message`, the source line and a caret under the place. */
export function formatPlacedProblem(problem: PlacedProblem, text: string): string {
  const { file, line, column } = problem.place;
  const head = `${file}:${line}:${column}: ${problem.message}`;
  const source = text.split(/\r?\n/)[line - 1];
  if (source === undefined || source.trim() === "") return head;
  const start = Math.max(0, column - 80);
  const shown = source.slice(start, start + 120);
  const gutter = String(line).padStart(5);
  return `${head}\n${gutter} | ${shown}\n${" ".repeat(gutter.length)} | ${" ".repeat(column - 1 - start)}^`;
}
