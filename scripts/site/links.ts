/** Adapts links that leave the folder of the documentation. */
import { posix } from "node:path";
import type { MarkdownRenderer } from "vitepress";

/**
 * Makes links to files of the repository readable on the site: schemas are part of the site, and other files are named by
 * their path. With DOCS_SOURCE_URL, they are links below that address.
 */
export function linkToRepository(markdown: MarkdownRenderer): void {
  const source = process.env["DOCS_SOURCE_URL"];
  markdown.core.ruler.push("repository-links", ({ tokens, env, Token }) => {
    const { relativePath = "" } = env as { readonly relativePath?: string };
    for (const { children } of tokens) {
      if (!children) continue;
      for (const [index, token] of children.entries()) {
        const href = token.type === "link_open" ? token.attrGet("href") : null;
        if (href === null || /^[a-z]+:|^#/.test(href)) continue;
        const path = posix.join("docs", posix.dirname(relativePath), href);
        if (path.startsWith("schema/")) token.attrSet("href", `/${path}`);
        else if (path.startsWith("docs/")) continue;
        else if (source !== undefined) token.attrSet("href", `${source.replace(/\/$/, "")}/${path}`);
        else {
          const close = children.findIndex(({ type }, at) => at > index && type === "link_close");
          const opened = new Token("html_inline", "", 0);
          const closed = new Token("html_inline", "", 0);
          opened.content = "<span>";
          closed.content = `</span> (<code v-pre>${markdown.utils.escapeHtml(path)}</code> in the repository)`;
          children.splice(index, 1, opened);
          children.splice(close, 1, closed);
        }
      }
    }
  });
}
