/** Shows how a value changes. All formats use this: every difference is shown, and different values never print alike. */
import { Scalar, stringify } from "yaml";
import { MASK } from "../client/mask.js";
import { hasSecret, isPlain, isSecret, KNOWN_LATER, UNKNOWN } from "../diff/values.js";
import { SecretValue } from "./json-value.js";
import {
  type DiffLine,
  diffLines,
  findDifferingParts,
  snapToCharacter,
  splitLines,
  type TextLine,
} from "./line-diff.js";
import { describeForm, escapeText, formatLine, quoteText } from "./safe-text.js";
import { makeYamlPrintable } from "./safe-yaml.js";

/** A change as it is shown: as a sentence, as two values on one line, or line by line. */
export type ShownChange =
  | { readonly said: string }
  | { readonly before: string; readonly after: string }
  | { readonly lines: readonly DiffLine[] };

/** Words in the place of a value. */
export class Phrase {
  constructor(readonly text: string) {}
}

/** Represents a missing value. */
const NOTHING = "(none)";
/** A secret that changes. */
export const SECRET_CHANGED = "[secret, changed]";

/** Maximum length of lists and maps in one line. */
const LONGEST_LINE = 60;
/** Longer texts of one line lose what both have in common. */
const LONGEST_TEXT = 80;

interface ChangeOptions {
  /** Unchanged lines around each change. */
  readonly context?: number | undefined;
}

export function showChange(before: unknown, after: unknown, { context }: ChangeOptions = {}): ShownChange {
  if (isHidden(before) && isHidden(after)) return { said: formatSecretChange(before, after) };
  if (needsLines(before) || needsLines(after))
    return { lines: diffLines(splitTextLines(before, after), splitTextLines(after, before), context) };
  const areTexts = [before, after].every((value) => typeof value === "string" && isText(value));
  if (areTexts) return showTexts(String(before), String(after));
  return makeDistinct((ascii) => [formatValue(before, ascii), formatValue(after, ascii)]);
}

/** Says that a secret changes, with the fingerprints that distinguish its values, if both are known. */
function formatSecretChange(before: unknown, after: unknown): string {
  const areKnown = before instanceof SecretValue && after instanceof SecretValue;
  return areKnown ? `${SECRET_CHANGED} ${before.fingerprint} → ${after.fingerprint}` : SECRET_CHANGED;
}

const isHidden = (value: unknown) => value instanceof SecretValue || hasSecret(value);

/** Formats a value in one line, completely: texts in quotes, secrets masked. */
export function formatValue(value: unknown, ascii: boolean = false): string {
  const words = describeEmpty(value);
  if (words !== undefined) return words;
  return typeof value === "string" ? quoteText(value, ascii) : escapeText(toJson(value), ascii);
}

/** Formats a value as YAML, as `render` prints it: a line for each part and each line of a text. */
export function formatValueLines(value: unknown): string[] {
  return formatYamlLines(value, false).map(formatLine);
}

function formatYamlLines(value: unknown, sortMapEntries: boolean): string[] {
  if (typeof value !== "object" || value === null || value instanceof SecretValue) {
    const words = describeEmpty(value);
    if (words !== undefined) return [words];
  }
  const text = writeWithWords(value, (parts) => {
    const yaml = stringify(parts, { aliasDuplicateObjects: false, lineWidth: 0, sortMapEntries });
    return makeYamlPrintable(yaml, true);
  });
  return text.replace(/\n$/, "").split("\n");
}

/**
 * Writes a value with words for the parts that have no value to show. Words stand without quotes, by which they differ from strings.
 * @param write writes a value in which marks stand for the words
 */
function writeWithWords(value: unknown, write: (parts: unknown) => string): string {
  let mark = "words";
  while (String(JSON.stringify(value)).includes(mark)) mark += "s";
  const words: string[] = [];
  const text = write(unwrapParts(value, (said) => `${mark}${words.push(said)}`));
  return text.replaceAll(
    new RegExp(`"?${mark}(\\d+)"?`, "g"),
    (_, number) => words[Number(number) - 1] ?? "",
  );
}

function unwrapParts(value: unknown, markFor: (words: string) => string): unknown {
  if (value === null || value === undefined) return null;
  if (Array.isArray(value)) return value.map((item) => unwrapParts(item, markFor));
  const words = isPlain(value) && !isSecret(value) ? undefined : describeEmpty(value);
  if (words !== undefined) return markFor(words);
  if (typeof value === "string") return value.startsWith("(") ? quoteScalar(value) : value;
  if (typeof value !== "object") return value;
  const parts = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(parts.map(([name, part]) => [name, unwrapParts(part, markFor)]));
}

/** YAML needs no quotes there, but words begin like that. */
function quoteScalar(text: string): Scalar {
  const scalar = new Scalar(text);
  scalar.type = Scalar.QUOTE_DOUBLE;
  return scalar;
}

/** Formats a whole value for a place with room: a text as it is, everything else as YAML. */
export function showWholeLines(value: unknown): string[] {
  if (typeof value !== "string" || !isText(value)) return formatValueLines(value);
  return value.includes("\n") ? value.split("\n").map(formatLine) : [quoteText(value)];
}

/** Formats a change as lines with signs, so that it is understood without colors. */
export function formatBlockLines(change: ShownChange): string[] {
  return listLinesOfChange(change).map(({ sign, text }) =>
    sign === "@" ? `@@ ${text} @@` : `${sign} ${text}`,
  );
}

export function listLinesOfChange(change: ShownChange): readonly DiffLine[] {
  if ("said" in change) return [{ sign: "+", text: change.said }];
  if ("lines" in change) return change.lines;
  return [
    { sign: "-", text: change.before },
    { sign: "+", text: change.after },
  ];
}

/** Limits lines to a number of characters, and says what is missing. */
export function limitLines(lines: readonly string[], room: number): readonly string[] {
  if (lines.reduce((sum, line) => sum + line.length + 1, 0) <= room) return lines;
  const shown: string[] = [];
  let left = Math.max(0, room - COUNT);
  for (const line of lines) {
    if (line.length >= left) break;
    shown.push(line);
    left -= line.length + 1;
  }
  const next = lines[shown.length] ?? "";
  // A part of a line says more than its number.
  if (left > COUNT)
    shown.push(
      `${next.slice(0, snapToCharacter(next, left))}… (${next.length - snapToCharacter(next, left)} more characters)`,
    );
  const missing = lines.slice(shown.length);
  if (missing.length === 0) return shown;
  const changed = missing.filter((line) => /^[-+] /.test(line)).length;
  const what = changed === 0 ? "" : `, ${changed} of them changed`;
  return [...shown, `@@ ${missing.length} more lines${what}: see the report as JSON or HTML @@`];
}

/** Maximum length of what a limited text says about the rest. */
const COUNT = 120;

function showTexts(before: string, after: string): ShownChange {
  const isLong = Math.max(before.length, after.length) > LONGEST_TEXT;
  const { parts, head, tail } = isLong
    ? findDifferingParts(before, after)
    : { parts: [before, after] as const, head: "", tail: "" };
  const write = (ascii: boolean) =>
    parts.map((part) => `${head}${quoteText(part, ascii)}${tail}`) as [string, string];
  return makeDistinct(write);
}

/** Escapes letters too where the two would print alike. */
function makeDistinct(write: (ascii: boolean) => [string, string]): ShownChange {
  const [before, after] = write(false);
  if (describeForm(before) !== describeForm(after)) return { before, after };
  const [escapedBefore, escapedAfter] = write(true);
  return { before: escapedBefore, after: escapedAfter };
}

function needsLines(value: unknown): boolean {
  if (!isText(value)) return false;
  if (typeof value === "string") return value.includes("\n");
  if (typeof value !== "object") return false;
  // A line break in a text is escaped in JSON.
  const json = toJson(value);
  return json.length > LONGEST_LINE || json.includes("\\n");
}

/** Whether the value is shown as itself. */
function isText(value: unknown): boolean {
  return describeEmpty(value) === undefined;
}

function describeEmpty(value: unknown): string | undefined {
  if (value === undefined || value === null) return NOTHING;
  if (value instanceof Phrase) return value.text;
  if (value instanceof SecretValue) return `${MASK} ${value.fingerprint}`;
  if (value === UNKNOWN) return KNOWN_LATER;
  return hasSecret(value) ? MASK : undefined;
}

/** Lines of a value. A string has its own lines, unless it is compared with a list or a map. */
function splitTextLines(value: unknown, other: unknown): TextLine[] {
  const isAlone = typeof other === "string" || !isText(other);
  if (typeof value !== "string" || !isText(value) || !isAlone) return formatYamlLines(value, true);
  return value === "" ? ['""'] : splitLines(value, typeof other === "string" ? other : undefined);
}

const toJson = (value: unknown) => writeWithWords(value, (parts) => JSON.stringify(parts));

/** Represents a value that the source does not know. */
export const NOT_KNOWN = new Phrase("(not known)");
