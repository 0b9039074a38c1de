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
  body { font: 15px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem; color: #222 }
  table { border-collapse: collapse; margin: .5rem 0 } td, th { text-align: left; padding: .2rem .8rem .2rem 0; vertical-align: top }
  th { font-weight: 600 } tr + tr > * { border-top: 1px solid #ddd } nav { color: #777 } a { color: #05c }
  pre { background: #f6f6f6; padding: .5rem; overflow: auto; margin: 0 } .status { font-weight: 600 }
</style>`);

export function page(title: string, crumbs: readonly Html[], body: Html): string {
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
        <nav>${crumbs.map((crumb, index) => html`${index > 0 ? " / " : ""}${crumb}`)}</nav>
        <h1>${title}</h1>
        ${body}
      </body>
    </html>`.text;
}
