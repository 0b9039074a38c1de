/** Checks that pages begin with their subject, that their sentences are short on average, and that no cell of a table is a paragraph. */
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { globSync } from "tinyglobby";
import { describe, expect, it } from "vitest";

const root = resolve(import.meta.dirname, "../..");
// The endpoints are a table, and the home page and the registry's overview have no prose of their own.
const none = ["docs/index.md", "docs/_index.md", "docs/reference/emulator-endpoints.md"];
const pages = globSync(["docs/**/*.md", "*.md"], { cwd: root, ignore: ["CHANGELOG.md", ...none] });

describe.each(pages)("%s", (page) => {
  const text = readFileSync(join(root, page), "utf8");

  it("begins with what the thing is or does, not with what the page is for", () => {
    const [first = ""] = prose(text);
    expect(first).not.toMatch(/^(Use|Follow|Read) (this|these|what)\b|^Look\b|^(This|The) page\b/);
  });

  it("has sentences of at most 25 words on average", () => {
    const sentences = prose(text).flatMap((paragraph) => paragraph.split(/(?<=[.!?])\s+(?=[A-Z`[*])/));
    const average = sentences.reduce((sum, one) => sum + wordsIn(one), 0) / Math.max(1, sentences.length);
    expect(average).toBeLessThanOrEqual(25);
  });

  it("has lines of at most 140 characters outside tables and code", () => {
    const lines = text.replace(/^ *(```+)[\s\S]*?^ *\1$/gm, "").split("\n");
    expect(lines.filter((line) => line.length > 140 && !/^ *(\||<|!\[)/.test(line))).toEqual([]);
  });

  // Generated pages repeat the descriptions of the code.
  it.skipIf(/^docs\/(reference\/|lint\.md|contributing\/)/.test(page))(
    "has no paragraph in the cell of a table",
    () => {
      const cells = [...text.matchAll(/^\|.*$/gm)].flatMap(([row]) => row.split(/(?<!\\)\|/));
      expect(cells.filter((cell) => wordsIn(cell.replace(/\]\([^)]*\)/g, "]")) > 30)).toEqual([]);
    },
  );
});

function wordsIn(text: string): number {
  return text.split(/\s+/).filter((word) => /\w/.test(word)).length;
}

/** Returns the paragraphs and items of lists, without headings, tables, code and comments. */
function prose(text: string): string[] {
  return text
    .replace(/^---\n[\s\S]*?\n---\n/, "")
    .replace(/^( *)```[\s\S]*?^\1```$/gm, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/^ *(\||#).*$/gm, "")
    .replace(/^ *(?:[-*]|\d+\.) /gm, "\n")
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .filter((paragraph) => paragraph !== "");
}
