/** Markup with all values escaped, and the frame of a page. */
import { createHash } from "node:crypto";

/** Markup with all values escaped. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | boolean | null | undefined | readonly Part[];

const entities: Record<string, string> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? "");
}

function render(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "string") return escape(part);
  if (typeof part === "number" || part === true) return `${part}`;
  return part ? part.map(render).join("") : "";
}

/** Renders a template: escapes values, joins lists and renders nothing for null and false. */
export function html(strings: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(strings.map((text, index) => text + render(parts[index])).join(""));
}

const style = new Html(`<style>
  :root { color-scheme: light dark; --line: #8884; --soft: light-dark(#666, #aaa); --link: light-dark(#05c, #7ab7ff); --back: light-dark(#f6f6f6, #222) }
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; overflow-wrap: anywhere }
  table { border-collapse: collapse; margin: .5rem 0; display: block; overflow: auto }
  td, th { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top; overflow-wrap: normal }
  th { font-weight: 600 } tr + tr > * { border-top: 1px solid var(--line) } nav, small { color: var(--soft) } a { color: var(--link) }
  pre { background: var(--back); padding: .5rem; overflow: auto; margin: 0 } .status { font-weight: 600 } .links a { margin-right: 1rem }
  label { display: block; font-weight: 600 } form p { margin: .8rem 0 } form ul { padding-left: 1.2rem }
  input, select, textarea, button { font: inherit; padding: .3rem .5rem; max-width: 100%; box-sizing: border-box }
  label input, label select, label textarea { display: block; font-weight: 400; width: 32rem } textarea { font-family: monospace }
  @media (max-width: 40rem) {
    table, tbody, tr, td, th { display: block } td, th { padding: 0; overflow-wrap: anywhere } tr { padding: .3rem 0 }
    tr + tr { border-top: 1px solid var(--line) } tr + tr > * { border: 0 } .list > tbody > tr:first-child { display: none }
    .list > tbody > tr > td::before { content: attr(data-name) ": "; color: var(--soft) } .list td table { margin-left: 1rem }
  }
  [role=alert] { border-left: 4px solid #c33; padding: .3rem .8rem; background: var(--back) }
</style>`);

/** Renews the content of the page of something that still runs. A page that loads itself again would interrupt those who have it read aloud. */
const script = `
const renew = async () => {
  const response = await fetch(location);
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  document.querySelector("main").replaceWith(page.querySelector("main"));
  if (page.querySelector("script")) setTimeout(renew, 2000);
};
setTimeout(renew, 2000);
`;

/** The only script that a page may run, for its content security policy. */
export const scriptHash = `sha256-${createHash("sha256").update(script).digest("base64")}`;

/** @param isRunning whether the page shows something that still changes */
export function renderPage(title: string, crumbs: readonly Html[], body: Html, isRunning = false): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <link rel="icon" href="data:," />
        <title>${title}</title>
        ${style}
      </head>
      <body>
        ${crumbs.length === 0 ? null : html`<nav>${crumbs.map((crumb, index) => html`${index > 0 ? " / " : ""}${crumb}`)}</nav>`}
        <main>
          <h1>${title}</h1>
          ${body}
        </main>
        ${isRunning ? new Html(`<script>${script}</script>`) : null}
      </body>
    </html>`.text;
}
