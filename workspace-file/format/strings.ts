/** Writes strings so that readers of YAML 1.1 and 1.2 take each byte alike: several lines as a block (`|`), others in quotes. */

export interface BlockForm {
  /** Column of the key or dash that the text belongs to. */
  readonly column: number;
  /** How much further the lines are indented. */
  readonly indent: number;
  /** Whether empty lines at the end can be kept: nothing else may follow them. */
  readonly keeps: boolean;
}

/** Control characters, line breaks of YAML 1.1, and halves of characters. */
const UNPRINTABLE =
  /[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/gu;
/** Shorter strings stay on one line in quotes. */
const MIN_SPREAD = 40;

/** Reports whether readers accept all characters of a text as they are. */
export const isPrintable = (text: string) => text.search(UNPRINTABLE) < 0;

/** Returns the block without its last line break, and undefined where the text needs quotes. */
export function renderBlockText(text: string, { column, indent, keeps }: BlockForm): string | undefined {
  // Editors remove a last line of spaces.
  if (!isPrintable(text) || /^\s*$|\n[ \t]+\n*$/.test(text)) return undefined;
  const isKept = text.endsWith("\n\n");
  if (isKept && !keeps) return undefined;
  // Without it, YAML 1.1 reads a tab at the beginning as indentation.
  const isIndented = /^\n*[ \t]/.test(text);
  // Readers disagree about what the number counts from where there is no key.
  if (isIndented && column < 0) return undefined;
  const end = isKept ? "+" : text.endsWith("\n") ? "" : "-";
  const lines = text.replace(/\n$/, "").split("\n");
  const margin = " ".repeat(Math.max(column, 0) + indent);
  const body = lines.map((line) => (line === "" ? "" : margin + line));
  return [`|${isIndented ? indent : ""}${end}`, ...body].join("\n");
}

/** Returns a text in double quotes. @param margin indentation of further lines; undefined to write one line */
export function renderQuoted(text: string, margin?: string): string {
  const [, start = "", middle = "", end = ""] = /^(\n*)([^]*?)(\n*)$/.exec(text) ?? [];
  const lines = middle.split("\n").map(escapeLine);
  const isSpread = margin !== undefined && lines.length > 1 && text.length >= MIN_SPREAD;
  // Between lines, a reader takes one line break for a space, and each further one as it is.
  const inner = isSpread
    ? lines
        .map(escapeEnds)
        .join("\n")
        .replace(/\n+/g, (breaks) => `\n${breaks}${margin}`)
    : lines.join("\\n");
  return `"${"\\n".repeat(start.length)}${inner}${"\\n".repeat(end.length)}"`;
}

const escapeLine = (line: string) =>
  JSON.stringify(line).slice(1, -1).replaceAll(UNPRINTABLE, escapeCharacter);

const escapeCharacter = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Escapes spaces at both ends of a line: readers skip them, and editors remove those at the end. */
const escapeEnds = (line: string) => line.replace(/ $/, "\\x20").replace(/^ /, "\\ ");
