/** Shows Mermaid code of pages as a picture. */
import type { MarkdownRenderer } from "vitepress";

export function drawMermaid(markdown: MarkdownRenderer): void {
  const { fence } = markdown.renderer.rules;
  if (fence === undefined) throw new Error("the renderer has no rule for code");
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const code = fence(tokens, index, ...rest);
    const token = tokens[index];
    if (token?.info.trim() !== "mermaid") return code;
    // Without JavaScript, the code stays.
    return `<MermaidPicture text="${encodeURIComponent(token.content)}">${code}</MermaidPicture>\n`;
  };
}
