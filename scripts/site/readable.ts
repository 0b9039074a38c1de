/** Corrects what Markdown and VitePress's pages leave unreadable for screen readers. */
import type { MarkdownRenderer, PageData } from "vitepress";

/** Makes a heading of a table that has no text an ordinary cell. */
export function dropEmptyHeadings(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("empty-headings", ({ tokens }) => {
    for (const [index, { type }] of tokens.entries()) {
      if (type !== "th_open" || tokens[index + 1]?.content !== "") continue;
      for (const token of [tokens[index], tokens[index + 2]]) if (token) token.tag = "td";
    }
  });
}

/** A page in the form of Pulumi's registry names a layout of that site. */
export function useOwnLayout({ frontmatter }: PageData): void {
  if (frontmatter["layout"] === "package") delete frontmatter["layout"];
}
