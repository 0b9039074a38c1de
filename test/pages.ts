/** Reads code blocks of a page whose first line names a file: `// client/api/badges.ts`. */
import { readFileSync } from "node:fs";

export interface PageBlock {
  readonly file: string;
  /** Contains the whole file or, for a `diff`, the lines with their markers. */
  readonly text: string;
  readonly isDiff: boolean;
}

export function blocksOf(page: string): PageBlock[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^```(ts|diff)\n\/\/ (\S+)\n(.*?)^```$/gms);
  return [...blocks].map(([, language, file = "", text = ""]) => ({
    file,
    text,
    isDiff: language === "diff",
  }));
}

/**
 * Inserts the added lines of a block into a file, each after the preceding line in the block.
 * @throws {Error} when the file has no such line
 */
export function withAddedLines(file: string, { text }: PageBlock): string {
  const lines = file.split("\n");
  let at = -1;
  for (const line of text.split("\n").filter((one) => one !== "")) {
    if (line.startsWith("+")) lines.splice(++at, 0, line.slice(1));
    else at = lines.indexOf(line.slice(1));
    if (at < 0) throw new Error(`There is no line "${line}"`);
  }
  return lines.join("\n");
}
