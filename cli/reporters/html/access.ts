/** Writes the access matrix as a self-contained page. */
import type { EffectiveAccess } from "../../../workspace-file/access/index.js";
import { escaped } from "../../terminal/markup.js";
import { htmlPage } from "./page.js";
import { accessScript, accessStyle } from "./access-parts.js";
import { cellOf, inWorkspace, NO_MEMBER } from "../access-labels.js";

export interface PageFacts {
  readonly workspace: string;
  /** Describes the source of the data. */
  readonly source: string;
  readonly unread: readonly string[];
}

export function matrixPage(
  { projects, rows }: EffectiveAccess,
  { workspace, source, unread }: PageFacts,
): string {
  const head = ["Member", "Workspace", ...projects].map((name) => `<th scope="col">${escaped(name)}</th>`);
  const body = rows.map((row) => {
    const right = inWorkspace(row);
    const cells = projects.map((project) => {
      const cell = cellOf(row, project);
      if (cell === undefined) return `<td class="none">${NO_MEMBER}</td>`;
      return `<td>${level("repository", cell.repository)}${level("pipelines", cell.pipelines)}<small>${escaped(cell.permissionSet)}</small></td>`;
    });
    const admin = row.admin || row.owner ? ` class="admin"` : "";
    return `<tr><th scope="row">${escaped(row.member)}</th><td${admin}>${escaped(right)}</td>${cells.join("")}</tr>`;
  });
  const missing =
    unread.length === 0
      ? ""
      : `<section class="unread"><h2>Could not be read</h2><ul>${unread.map((line) => `<li>${escaped(line)}</li>`).join("")}</ul></section>`;
  const page = `<header><h1>Access to ${escaped(workspace)}</h1>
<p>${escaped(source)}. ${rows.length} ${rows.length === 1 ? "person" : "people"}, ${projects.length} ${projects.length === 1 ? "project" : "projects"}.</p>
<p class="legend">Levels: ${["DENIED", "READ_ONLY", "RUN_ONLY", "READ_WRITE"].map((one) => badge(one)).join(" ")} Administrators see every project.</p>
<label>Find <input type="search" id="find" placeholder="person, project, level" autocomplete="off"></label>
<span id="shown" role="status"></span></header>
${missing}<div class="scroll" tabindex="0"><table><thead><tr>${head.join("")}</tr></thead>
<tbody>${body.join("\n")}</tbody></table></div>`;
  return htmlPage({ title: `Access to ${workspace}`, style: accessStyle, script: accessScript, body: page });
}

function level(area: string, value: string): string {
  return `<div><span class="area">${area}</span> ${badge(value)}</div>`;
}

function badge(value: string): string {
  return `<span class="level ${/^[A-Z_]+$/.test(value) ? value.toLowerCase() : "unknown"}">${escaped(value)}</span>`;
}
