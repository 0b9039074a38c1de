/** The frame of a page, which loads nothing else and runs only its own script, and the style and script of the page of a report. */
import { createHash } from "node:crypto";
import { escapeMarkup } from "../../text/safe-text.js";

interface HtmlPage {
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

/** The style sheet of the page, for light and dark, and for all screen sizes. */
export const reportStyle = `
:root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1b1f27;--soft:#5c6573;--line:#d9dee6;--accent:#1d5fd1;
--gone:#b3261e;--other:#8a5a00;--new:#7a2fb5;--later:#0b6b86;--unknown:#5c6573;--ok:#1b7a43;
--expected:#eaf6ee;--actual:#fdeeed;--expected-ink:#155c33;--actual-ink:#8f1d17}
@media (prefers-color-scheme:dark){:root{--bg:#101319;--card:#191e27;--ink:#e7eaf0;--soft:#a2abba;--line:#303846;--accent:#7fb0ff;
--gone:#ff8f86;--other:#f2bf5c;--new:#d3a2ff;--later:#6fd0ea;--unknown:#a2abba;--ok:#6fd89a;
--expected:#142a1d;--actual:#321a1a;--expected-ink:#9be5b8;--actual-ink:#ffb4ae}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:1080px;margin:0 auto;padding:0 20px}
header{padding-top:28px}
h1{font-size:1.5rem;line-height:1.3;margin:0 0 6px;font-weight:600}
.besides{margin:0;color:var(--soft)}
.verdict{display:inline-block;padding:2px 12px;border-radius:8px;color:var(--card);background:var(--gone)}
.clean .verdict{background:var(--ok)}.incomplete .verdict{background:var(--other)}.planned .verdict{background:var(--accent)}
dl{display:flex;flex-wrap:wrap;gap:8px 32px;margin:14px 0 16px}
dt{font-size:.78rem;color:var(--soft)}dd{margin:0}
.since{margin:0 0 16px;color:var(--soft)}
.tools{position:sticky;top:0;z-index:1;background:var(--bg);padding:12px 0 4px;border-bottom:1px solid var(--line);margin:0 0 16px}
.tools .row{display:flex;flex-wrap:wrap;gap:8px 24px;margin-top:10px}
#search{width:100%;font:inherit;padding:9px 14px;border:1px solid var(--line);border-radius:10px;background:var(--card);color:var(--ink)}
#search::placeholder{color:var(--soft);opacity:1}
#search:focus-visible,a:focus-visible,summary:focus-visible,input:focus-visible,pre:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
fieldset{border:0;margin:0;padding:0;display:flex;flex-wrap:wrap;align-items:center;gap:6px 8px;min-width:0}
legend{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
.grouping{color:var(--soft);font-size:.9rem}.grouping::before{content:"Group by"}
label{cursor:pointer;display:inline-flex;align-items:center;gap:6px;min-height:28px}
input[type=checkbox],input[type=radio]{margin:0;accent-color:var(--accent)}
.gone input{accent-color:var(--gone)}.other input{accent-color:var(--other)}.new input{accent-color:var(--new)}.later input{accent-color:var(--later)}.unknown input{accent-color:var(--unknown)}
#shown{margin:8px 0 4px;font-size:.85rem;color:var(--soft)}
.tag{display:inline-flex;align-items:center;font-size:.8rem;font-weight:600;padding:1px 10px;border:1px solid currentColor;border-radius:999px;white-space:nowrap}
.gone{color:var(--gone)}.other{color:var(--other)}.new{color:var(--new)}.later{color:var(--later)}.unknown{color:var(--unknown)}
h2{font-size:1.15rem;margin:24px 0 2px;text-wrap:balance}
.about{margin:0 0 10px;color:var(--soft);font-size:.92rem}
.count{font-size:.8rem;font-weight:600;color:var(--ink);background:var(--line);border-radius:999px;padding:1px 9px;vertical-align:2px}
.finding{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:12px 16px;margin:0 0 10px}
h3{font-size:1rem;margin:0;font-weight:600;display:flex;flex-wrap:wrap;gap:4px 10px;align-items:baseline}
.type{color:var(--soft);font-weight:400}.name{min-width:0}
.group.by-class .finding h3 .tag{display:none}
.group.by-object .finding h3 .type,.group.by-object .finding h3 .name{display:none}
a{color:var(--accent)}
.path{margin:6px 0 0}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,300px),1fr));gap:10px;margin-top:10px}
.side{min-width:0;border-radius:8px;padding:8px 12px;background:var(--bg)}
.side.expected{background:var(--expected)}.side.actual{background:var(--actual)}
h4{margin:0 0 2px;font-size:.76rem;font-weight:600;color:var(--soft)}
.expected h4{color:var(--expected-ink)}.actual h4{color:var(--actual-ink)}
pre,code{font:.88rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}
pre{margin:0;white-space:pre-wrap;max-height:22em;overflow-y:auto}
.diff{margin-top:10px;border-radius:8px;padding:8px 12px;background:var(--bg)}
.diff .removed{color:var(--gone)}.diff .added{color:var(--ok)}.diff .count{color:var(--soft);background:none;padding:0;font:inherit}
.whole{margin-top:8px}.whole summary{font-weight:400;font-size:.9rem;color:var(--soft)}
.facts{margin:8px 0 0;font-size:.85rem;color:var(--soft)}.facts:empty{display:none}
.remedy{margin:6px 0 0;font-size:.85rem;color:var(--soft)}.remedy code{color:var(--ink)}
.more{margin:20px 0;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:10px 16px}
summary{cursor:pointer;font-weight:600}
.more ul{margin:8px 0 4px;padding-left:20px}.more li{margin:4px 0}
.more.unread,.more.failed{border-color:var(--gone)}
.more .error{color:var(--gone);font-weight:600}.more .warning{color:var(--other)}
.nothing,#none{font-size:1.1rem;color:var(--soft);padding:24px 0}
footer{padding-top:20px;padding-bottom:40px;color:var(--soft);font-size:.85rem}
[hidden]{display:none!important}
@media (max-width:560px){header,main,footer{padding-left:14px;padding-right:14px}h1{font-size:1.3rem}dl{gap:8px 20px}.tools{position:static}label.tag{min-height:36px}.finding{padding:10px 12px}}
@media print{.tools{display:none}.finding{break-inside:avoid}pre{max-height:none}}
`;

/** The script of the page: search, filters and grouping, without a library. */
export const reportScript = `
(() => {
  const root = document.getElementById("findings");
  if (!root) return;
  const cards = [...root.querySelectorAll(".finding")];
  const groups = [...root.querySelectorAll(".group")];
  for (const group of groups) group.classList.add("by-class");
  const search = document.getElementById("search");
  const shown = document.getElementById("shown");
  const none = document.getElementById("none");
  const text = new Map(cards.map((card) => [card, card.textContent.toLowerCase()]));
  const home = new Map(cards.map((card) => [card, card.parentElement]));

  function filter() {
    const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
    const classes = new Set([...document.querySelectorAll("input[name=class]:checked")].map((box) => box.value));
    let count = 0;
    for (const card of cards) {
      const fits = classes.has(card.dataset.class) && words.every((word) => text.get(card).includes(word));
      card.hidden = !fits;
      if (fits) count += 1;
    }
    for (const group of root.querySelectorAll(".group"))
      group.hidden = !group.querySelector(".finding:not([hidden])");
    shown.textContent = count + " of " + cards.length + " findings";
    none.hidden = count > 0;
  }

  function group(by) {
    root.replaceChildren();
    if (by === "class") {
      for (const card of cards) home.get(card).append(card);
      root.append(...groups);
    } else {
      const objects = new Map();
      const sorted = [...cards].sort((a, b) => (a.dataset.object < b.dataset.object ? -1 : a.dataset.object > b.dataset.object ? 1 : 0));
      for (const card of sorted) {
        const name = card.dataset.object;
        if (!objects.has(name)) {
          const section = document.createElement("section");
          section.className = "group by-object";
          const title = document.createElement("h2");
          const link = card.querySelector(".name a");
          if (link) {
            const copy = link.cloneNode(false);
            copy.textContent = name;
            title.append(copy);
          } else title.textContent = name;
          section.append(title);
          objects.set(name, section);
        }
        objects.get(name).append(card);
      }
      root.append(...objects.values());
    }
    filter();
  }

  search.addEventListener("input", filter);
  document.querySelector(".tools").addEventListener("submit", (event) => event.preventDefault());
  for (const box of document.querySelectorAll("input[name=class]")) box.addEventListener("change", filter);
  for (const radio of document.querySelectorAll("input[name=group]"))
    radio.addEventListener("change", () => group(radio.value));
  filter();
})();
`;
