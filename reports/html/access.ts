/** Writes the access matrix as a self-contained page. */
import { formatCount } from "../../diff/format-count.js";
import { escapeMarkup } from "../../text/safe-text.js";
import type { EffectiveAccess } from "../../workspace-file/access/access.js";
import { findCell, labelInWorkspace, withoutMembership } from "../access-labels.js";
import { renderHtmlPage } from "./page.js";
/** Style and script of the page. Colors have a contrast of at least 4.5 in both themes. */
const accessStyle = `
:root{--page:#f6f8fa;--card:#fff;--line:#d0d7de;--text:#1f2328;--muted:#59636e;--head:#eaeef2;
--none:#59636e;--denied:#ffebe9;--denied-t:#a40e26;--read:#ddf4ff;--read-t:#0550ae;--run:#fff8c5;--run-t:#7d4e00;--write:#dafbe1;--write-t:#116329;--admin:#6639ba}
@media(prefers-color-scheme:dark){:root{--page:#0d1117;--card:#161b22;--line:#30363d;--text:#e6edf3;--muted:#9198a1;--head:#21262d;
--none:#9198a1;--denied:#301417;--denied-t:#ff8182;--read:#0d2238;--read-t:#79c0ff;--run:#2b2111;--run-t:#e3b341;--write:#0f2a18;--write-t:#56d364;--admin:#d2a8ff}}
*{box-sizing:border-box}
body{margin:0;background:var(--page);color:var(--text);font:14px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
header{padding:1rem}h1{font-size:1.4rem;margin:0 0 .3rem}p{margin:.2rem 0 .6rem;color:var(--muted)}
h2{font-size:1rem;margin:0 0 .3rem}
input{font:inherit;color:inherit;background:var(--card);border:1px solid var(--line);border-radius:6px;padding:.35rem .6rem;width:min(20rem,70vw)}
#shown{color:var(--muted);margin-left:.6rem}
.scroll{overflow:auto;max-height:calc(100vh - 2rem);margin:0 1rem 1rem;border:1px solid var(--line);border-radius:8px;background:var(--card)}
table{border-collapse:separate;border-spacing:0;min-width:100%}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem;border-bottom:1px solid var(--line);white-space:nowrap}
tr:last-child>*{border-bottom:0}
thead th{position:sticky;top:0;background:var(--head);z-index:1}
tbody th,thead th:first-child{position:sticky;left:0;background:var(--card);font-weight:600;min-width:11rem;max-width:45vw;overflow-wrap:break-word;white-space:normal}
thead th:first-child{background:var(--head);z-index:2}
small{display:block;color:var(--muted)}.area{display:inline-block;width:5.2em;color:var(--muted);font-size:.85em}
.level{display:inline-block;border-radius:4px;padding:0 .4em;font-size:.85em;font-weight:600}
.denied{background:var(--denied);color:var(--denied-t)}.read_only{background:var(--read);color:var(--read-t)}
.run_only{background:var(--run);color:var(--run-t)}.read_write{background:var(--write);color:var(--write-t)}
.unknown{border:1px dashed var(--muted)}.none{color:var(--none)}.admin{color:var(--admin);font-weight:600}
.unread{margin:0 1rem 1rem;padding:.75rem 1rem;border:1px solid var(--run-t);border-radius:8px;background:var(--run);color:var(--run-t)}
.unread ul{margin:0;padding-left:1.2rem}
@media print{.scroll{max-height:none;overflow:visible}label{display:none}}
`.replace(/\n/g, "");

const accessScript = `
const find=document.getElementById("find"),shown=document.getElementById("shown");
const rows=[...document.querySelectorAll("tbody tr")],heads=[...document.querySelectorAll("thead th")];
find.addEventListener("input",()=>{
const words=find.value.toLowerCase().split(/\\s+/).filter(Boolean);let count=0;
for(const row of rows){
const text=[...row.cells].map((cell,i)=>cell.className==="none"?"":cell.textContent+" "+(i>1?heads[i].textContent:"")).join(" ").toLowerCase();
const hit=words.every((word)=>text.includes(word));row.hidden=!hit;if(hit)count++}
shown.textContent=words.length?count+" of "+rows.length:"";
});
`.trim();

interface PageFacts {
  readonly workspace: string;
  /** Describes the source of the data. */
  readonly source: string;
  readonly unread: readonly string[];
}

export function renderMatrixPage(
  { projects, rows }: EffectiveAccess,
  { workspace, source, unread }: PageFacts,
): string {
  const head = ["Member", "Workspace", ...projects].map(
    (name) => `<th scope="col">${escapeMarkup(name)}</th>`,
  );
  const body = rows.map((row) => {
    const right = labelInWorkspace(row);
    const cells = projects.map((project) => {
      const cell = findCell(row, project);
      if (cell === undefined) return `<td class="none">${withoutMembership(row)}</td>`;
      return `<td>${renderLevel("repository", cell.repository)}${renderLevel("pipelines", cell.pipelines)}<small>${escapeMarkup(cell.permissionSet)}</small></td>`;
    });
    const admin = row.admin || row.owner ? ` class="admin"` : "";
    return `<tr><th scope="row">${escapeMarkup(row.member)}</th><td${admin}>${escapeMarkup(right)}</td>${cells.join("")}</tr>`;
  });
  const missing =
    unread.length === 0
      ? ""
      : `<section class="unread"><h2>Could not be read</h2><ul>${unread.map((line) => `<li>${escapeMarkup(line)}</li>`).join("")}</ul></section>`;
  const page = `<header><h1>Access to ${escapeMarkup(workspace)}</h1>
<p>${escapeMarkup(source)}. ${formatCount(rows.length, "person", "people")}, ${formatCount(projects.length, "project")}.</p>
<p class="legend">Levels: ${["DENIED", "READ_ONLY", "RUN_ONLY", "READ_WRITE"].map((one) => renderBadge(one)).join(" ")} Administrators see every project.</p>
<label>Find <input type="search" id="find" placeholder="person, project, level" autocomplete="off"></label>
<span id="shown" role="status"></span></header>
<main>${missing}<div class="scroll" tabindex="0"><table><thead><tr>${head.join("")}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div></main>`;
  return renderHtmlPage({
    title: `Access to ${workspace}`,
    style: accessStyle,
    script: accessScript,
    body: page,
  });
}

function renderLevel(area: string, value: string): string {
  return `<div><span class="area">${area}</span> ${renderBadge(value)}</div>`;
}

function renderBadge(value: string): string {
  return `<span class="level ${/^[A-Z_]+$/.test(value) ? value.toLowerCase() : "unknown"}">${escapeMarkup(value)}</span>`;
}
