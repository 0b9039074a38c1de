/** Checks that pages begin with their subject, and that their sentences are short on average. */
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
    const words = sentences.map((sentence) => sentence.split(/\s+/).filter((word) => /\w/.test(word)).length);
    const average = words.reduce((sum, count) => sum + count, 0) / Math.max(1, words.length);
    expect(average).toBeLessThanOrEqual(25);
  });
});

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
