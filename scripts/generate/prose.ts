/** Writes descriptions of the code as prose of a page. */

/** Escapes what Markdown tables or HTML would take for their own, except in code. */
export function toProse(description: string): string {
  const outside = (text: string) => text.replaceAll("<", "&lt;").replaceAll("*", "\\*");
  const parts = description.split(/(`[^`]*`)/);
  return parts.map((part, index) => (index % 2 === 0 ? outside(part) : part).replaceAll("|", "\\|")).join("");
}

const LONGEST = 140;
/** Words, with code and links as a whole. */
const WORD = /(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+/g;

/** Breaks the longer lines of a page, outside tables, comments and code. */
export function wrapLongLines(page: string): string {
  return page
    .split(/^( *```[\s\S]*?^ *```$)/m)
    .map((part, index) => (index % 2 === 1 ? part : part.split("\n").map(wrapLongLine).join("\n")))
    .join("");
}

function wrapLongLine(line: string): string {
  if (line.length <= LONGEST || /^ *(\||<!|#)/.test(line)) return line;
  const [indent = ""] = /^ *(?:[-*] )?/.exec(line) ?? [];
  const [first = "", ...rest] = line.match(WORD) ?? [];
  const words = indent.trim() === "" ? [indent + first, ...rest] : [`${indent}${rest[0]}`, ...rest.slice(1)];
  const lines = [words[0] ?? ""];
  for (const word of words.slice(1)) {
    const joined = `${lines.at(-1)} ${word}`;
    // A line that begins with such a sign would be an item of a list, or a heading.
    if (joined.length <= 120 || /^(?:[-+*#>]|\d+[.)]$)/.test(word)) lines[lines.length - 1] = joined;
    else lines.push(" ".repeat(indent.length) + word);
  }
  return lines.join("\n");
}
