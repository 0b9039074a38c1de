/** The placeholders in a text: where they are, what is between them, and how texts are escaped. */
import { isDeepStrictEqual } from "node:util";
import type { Piece, Placeholder } from "../syntax/tree.js";

/** What may stand before the colon. */
export const placeholderKinds = ["env", "config", "file", "ref", "secret", "param"] as const;

/** Returns the name and the default of `NAME:-default`. */
export function parseVariable(body: string): [string, string | undefined] {
  const [name, otherwise] = splitAt(body, ":-");
  return [name.trim(), otherwise];
}

/** Splits a text at a separator, if it contains one. */
function splitAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + separator.length)];
}

const PATTERN = /(\$?)\$\{([a-z]+):([^}]*)\}/g;

interface Match {
  readonly index: number;
  readonly whole: string;
  readonly kind: string;
  readonly body: string;
  /** Whether a `$` before it makes it an ordinary text. */
  readonly isEscaped: boolean;
}

/**
 * Finds placeholders, escaped or not. An unknown lower-case kind is treated as a mistake, unless it can only be the syntax of a shell
 * (`${name:-latest}`, `${name:0:3}`). Does not search for a closing brace after the last one, which would take minutes.
 */
function* matchesIn(text: string): Generator<Match> {
  for (const match of text.slice(0, text.lastIndexOf("}") + 1).matchAll(PATTERN)) {
    const [whole, escape, kind = "", body = ""] = match;
    if (!isPlaceholderKind(kind) && !/^[\w./]*[A-Za-z_./]/.test(body)) continue;
    yield { index: match.index, whole, kind, body, isEscaped: escape === "$" };
  }
}

export const isPlaceholderKind = (kind: string): kind is (typeof placeholderKinds)[number] =>
  (placeholderKinds as readonly string[]).includes(kind);

/** Appends a part. Texts next to each other become one. */
export function append<T>(parts: (string | T)[], part: string | T): void {
  const last = parts.at(-1);
  if (typeof part === "string" && typeof last === "string") parts[parts.length - 1] = last + part;
  else if (part !== "") parts.push(part);
}

/** Kinds that may follow `secret:`. */
const SECRET_KINDS = ["env", "file", "config"];

function createPlaceholder(whole: string, kind: string, body: string): Placeholder {
  const [inner, rest] = splitAt(body, ":");
  if (kind === "secret" && rest !== undefined && SECRET_KINDS.includes(inner.trim()))
    return { whole, kind: inner.trim(), body: rest.trim(), secret: true };
  return { whole, kind, body: body.trim(), secret: false };
}

/** Splits a text into placeholders and the texts between them. */
export function splitPieces(text: string): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  for (const { index, whole, kind, body, isEscaped } of matchesIn(text)) {
    append(pieces, text.slice(end, index));
    append(pieces, isEscaped ? whole.slice(1) : createPlaceholder(whole, kind, body));
    end = index + whole.length;
  }
  append(pieces, text.slice(end));
  return pieces;
}

/** Lists the placeholders that a `$` makes literal, with it. */
export const listEscapes = (text: string): string[] =>
  [...matchesIn(text)].filter(({ isEscaped }) => isEscaped).map(({ whole }) => whole);

/** Returns the text that a text without placeholders stands for. */
export function unescapePlaceholders(text: string): string {
  return splitPieces(text)
    .map((piece) => (typeof piece === "string" ? piece : piece.whole))
    .join("");
}

/** Whether what follows the colon is an operator of a shell: a default, or a part of a text. */
export const isShellSyntax = (body: string) => /^[-+=?]|^-?\d+(?::-?\d+)?$/.test(body);

/** Returns a text with these pieces; undefined where there is none, such as for a `$` before a placeholder. */
export function joinPieces(pieces: readonly Piece[]): string | undefined {
  const merged: Piece[] = [];
  for (const piece of pieces) append(merged, piece);
  const words = (all: readonly Piece[]) =>
    all.map((piece) => (typeof piece === "string" ? [piece] : piece.whole));
  const text = merged
    .map((piece) => (typeof piece === "string" ? escapePlaceholders(piece) : piece.whole))
    .join("");
  return isDeepStrictEqual(words(splitPieces(text)), words(merged)) ? text : undefined;
}

/** Escapes a text so that replacing its placeholders restores it. */
export function escapePlaceholders(text: string): string {
  let [escaped, end] = ["", 0];
  for (const { index, whole } of matchesIn(text)) {
    escaped += `${text.slice(end, index)}$${whole}`;
    end = index + whole.length;
  }
  return escaped + text.slice(end);
}
