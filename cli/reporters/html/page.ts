/** The frame of a page: it loads nothing else and runs only its own script. */
import { createHash } from "node:crypto";
import { escapeMarkup } from "../../terminal/markup.js";

export interface HtmlPage {
  readonly title: string;
  readonly style: string;
  readonly script: string;
  /** HTML, in which names are already escaped. */
  readonly body: string;
}

export function renderHtmlPage({ title, style, script, body }: HtmlPage): string {
  const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = `default-src 'none'; style-src ${hash(style)}; script-src ${hash(script)}; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${escapeMarkup(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`;
}
