/** Renders texts of several lines as blocks (`|`). */

export interface BlockForm {
  /** Column of the key or dash that the text belongs to. */
  readonly column: number;
  /** How much further the lines are indented. */
  readonly indent: number;
  /** Whether empty lines at the end can be kept: nothing else may follow them. */
  readonly keeps: boolean;
}

/** Control characters, line breaks of YAML 1.1, and halves of characters. */
const UNPRINTABLE = /[^\n\t\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\u{10000}-\u{10ffff}]/u;

/** Returns the block without its last line break, and undefined where the text needs quotes. */
export function renderBlockText(text: string, { column, indent, keeps }: BlockForm): string | undefined {
  // Editors remove a last line of spaces.
  if (UNPRINTABLE.test(text) || /^\s*$|\n[ \t]+$/.test(text)) return undefined;
  const isKept = text.endsWith("\n\n");
  if (isKept && !keeps) return undefined;
  // Without it, YAML 1.1 reads a tab at the beginning as indentation.
  const indicator = /^\n*[ \t]/.test(text) ? String(indent) : "";
  const end = isKept ? "+" : text.endsWith("\n") ? "" : "-";
  const lines = text.replace(/\n$/, "").split("\n");
  const margin = " ".repeat(Math.max(column, 0) + indent);
  return [`|${indicator}${end}`, ...lines.map((line) => (line === "" ? "" : margin + line))].join("\n");
}
