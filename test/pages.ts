/** Code blocks of a page that name the file they stand for in their first line: `// client/api/badges.ts`. */
import { readFileSync } from "node:fs";

export interface PageBlock {
  readonly file: string;
  /** The whole file; of a `diff`, the lines with their marks. */
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
 * A file with the added lines of a block, each after the line that the block shows before it.
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
