/** Writes a report as a self-contained page: it makes no request, and names are escaped. */
import {
  type Cell,
  type ClassView,
  type FindingView,
  formatClassCount,
  formatScopedName,
  getObjectKey,
  type Remedy,
  type ReportView,
  type SectionItem,
  type Tone,
} from "../../automation/report/report-view.js";
import { groupBy } from "../../text/lists.js";
import { escapeMarkup } from "../../text/safe-text.js";
import { formatBlockLines } from "../../text/shown-change.js";
import {
  countsText,
  formatCell,
  formatLegend,
  groupUnread,
  showCellChange,
  withoutContents,
} from "../format-values.js";
import { pickWebAddress } from "../web-address.js";
import { renderHtmlPage, reportScript, reportStyle } from "./page.js";

export function formatHtmlReport(report: ReportView): string {
  const body = `${renderHeader(report)}
<main>
${(report.sections ?? []).map(({ name, title, items, folded }) => list(title, name, items.map(renderSectionItem), folded !== true, markItems(items))).join("\n")}
${report.findings.length > 0 ? renderToolbar(report) : ""}
${report.findings.length > 0 ? renderFindings(report) : renderNothing(report)}
${list(
  "Not read",
  "unread",
  groupUnread(report.incomplete).map(
    ({ reason, what }) =>
      `${escapeMarkup(reason)}<ul>${what.map((one) => `<li>${escapeMarkup(one)}</li>`).join("")}</ul>`,
  ),
  true,
)}
${list(
  "Warnings",
  "warnings",
  report.warnings.map(({ message, place }) =>
    withCode(place ? `${place.file}:${place.line}: ${message}` : message),
  ),
  true,
)}
${list(
  "Ignored",
  "ignored",
  report.ignored.map(
    ({ finding, reason, expires }) =>
      `<span class="tag ${chooseTone(report, finding)}">${finding.class}</span> <code>${escapeMarkup(`${finding.name} ${finding.path}`.trim())}</code> ${escapeMarkup(reason)}${expires === undefined ? "" : ` <small>until ${escapeMarkup(expires)}</small>`}`,
  ),
  false,
)}
${(report.remarks ?? []).map((remark) => `<p class="besides">${escapeMarkup(remark)}</p>`).join("")}
</main>
<footer>${escapeMarkup(`${report.generatedAt} · ${report.seconds.toFixed(1)} s · ${report.file === undefined ? "" : `${report.file} · `}workspacectl ${report.tool.version}`)}<br><code>${escapeMarkup(report.fingerprint)}</code></footer>`;
  return renderHtmlPage({ title: report.title, style: reportStyle, script: reportScript, body });
}

function renderHeader(report: ReportView): string {
  const [said = "", ...besides] = report.verdict.split("; ");
  const [lead = "", ...rest] = said.split(": ");
  const changed =
    report.changedSinceLast === undefined
      ? ""
      : `<p class="since">${report.changedSinceLast ? "The findings have changed since the last run." : "The findings are the same as in the last run."}</p>`;
  return `<header class="${report.outcome}">
<h1><span class="verdict">${escapeMarkup(lead)}</span> ${escapeMarkup(rest.join(": "))}</h1>${besides.map((one) => `<p class="besides">${escapeMarkup(one)}</p>`).join("")}
<dl>${report.facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${escapeMarkup(value)}</dd></div>`).join("")}</dl>${changed}
</header>`;
}

function renderToolbar({ classes, counts }: ReportView): string {
  const filters = classes
    .filter(({ name }) => (counts[name] ?? 0) > 0)
    .map(
      (of) =>
        `<label class="tag ${of.tone}" title="${escapeMarkup(of.description)}"><input type="checkbox" name="class" value="${of.name}" checked> ${formatClassCount(of, { counts })}</label>`,
    );
  return `<form class="tools" role="search">
<input type="search" id="search" placeholder="Search names, properties and values" aria-label="Search findings" autocomplete="off">
<div class="row"><fieldset class="filters"><legend>Classes</legend>${filters.join("")}</fieldset>
<fieldset class="grouping"><legend>Group by</legend><label><input type="radio" name="group" value="class" checked> class</label><label><input type="radio" name="group" value="object"> object</label></fieldset></div>
<p id="shown" role="status">${escapeMarkup(countsText(counts))}</p>
</form>`;
}

/** Groups findings by class; the script can group them by object instead. */
function renderFindings({ classes, counts, findings: all }: ReportView): string {
  const objects = groupBy(
    withoutContents(all).map(({ finding }) => finding),
    getObjectKey,
  );
  // What to do about an object is said once.
  const first = new Set([...objects.values()].map(([one]) => one));
  const groups = classes.flatMap((of) => {
    const found = all.filter((finding) => finding.class === of.name);
    if (found.length === 0) return [];
    return `<section class="group"><h2>${of.label ?? of.name} <span class="count">${counts[of.name] ?? 0}</span></h2><p class="about">${withCode(of.description)}</p>${found.map((one) => renderCard(one, of, first.has(one) ? (one.remedies ?? []) : [])).join("\n")}</section>`;
  });
  return `<div id="findings">${groups.join("\n")}</div><p id="none" hidden>Nothing matches.</p>`;
}

function renderCard(
  finding: FindingView,
  { name: of, label = of, tone }: ClassView,
  remedies: readonly Remedy[],
): string {
  const { id, type, name, path, will, note, link, place, scope } = finding;
  const title = linkName(name, link);
  const facts = [
    ...(will === undefined ? [] : [`up will ${will} it`]),
    ...(note === undefined ? [] : [note]),
    ...(place === undefined ? [] : [`${place.file}:${place.line}`]),
  ];
  return `<article class="finding" id="f-${id}" data-class="${of}" data-object="${escapeMarkup(`${type} ${formatScopedName(finding)}`)}">
<h3><span class="tag ${tone}">${label}</span> <span class="type">${escapeMarkup(type)}</span> <span class="name">${title}</span>${scope === undefined ? "" : ` in ${escapeMarkup(scope.text)}`}</h3>
${path === "" ? "" : `<p class="path"><code>${escapeMarkup(path)}</code></p>`}${renderComparison(finding)}
<p class="facts">${facts.map(escapeMarkup).join(" · ")}</p>${remedies.map(renderRemedy).join("")}
</article>`;
}

function renderRemedy({ label, command }: Remedy): string {
  return `<p class="remedy">${escapeMarkup(label)}: <code>${escapeMarkup(command)}</code></p>`;
}

/** Writes the values of a finding side by side; those that differ in lines are compared. Whole values are folded. */
function renderComparison(finding: FindingView): string {
  const whole = finding.sides.map((cell) => renderSide(cell, formatCell(cell, finding))).join("");
  if (whole === "") return "";
  const folded = (title: string) =>
    `<details class="whole"><summary>${title}</summary><div class="sides">${whole}</div></details>`;
  const { remark } = finding;
  if (finding.path === "" && finding.type === "Workspace" && remark !== undefined)
    return `<p class="path">${withCode(remark)}</p>`;
  if (finding.path === "") return folded("Arguments");
  if (remark !== undefined) return `<div class="sides">${whole}</div>`;
  const change = showCellChange(finding);
  const [before, after, ...others] = finding.sides;
  const more = others.map((cell) => renderSide(cell, formatCell(cell, finding)));
  if ("said" in change)
    return `<p class="path">${escapeMarkup(change.said)}</p>${more.length === 0 ? "" : `<div class="sides">${more.join("")}</div>`}`;
  if ("before" in change) {
    if (before === undefined || after === undefined) return `<div class="sides">${whole}</div>`;
    const shown = [renderSide(before, change.before), renderSide(after, change.after)];
    const isCut = /^…|…$/.test(change.before);
    return `<div class="sides">${[...shown, ...more].join("")}</div>${isCut ? folded("Whole values") : ""}`;
  }
  const block = formatBlockLines(change);
  const lines = block.map((line) => `<span class="${signs[line[0] ?? " "]}">${escapeMarkup(line)}</span>`);
  return `<p class="path">${escapeMarkup(formatLegend(finding))}</p><pre class="diff"${reach(block)}>${lines.join("\n")}</pre>${folded("Whole values")}`;
}

function renderSide(cell: Cell, text: string): string {
  const tone = cell.tone === undefined ? "" : ` ${cell.tone}`;
  return `<div class="side${tone}"><h4>${linkName(cell.title, cell.link)}</h4><pre${reach(text.split("\n"))}>${escapeMarkup(text)}</pre></div>`;
}

/** Lets the keyboard reach a box that may scroll: one with more rows than fit on a phone, where a row has about 30 characters. */
function reach(lines: readonly string[]): string {
  const rows = lines.reduce((sum, line) => sum + Math.ceil((line.length + 1) / 30), 0);
  return rows > 12 ? ' tabindex="0"' : "";
}

const signs: Readonly<Record<string, string>> = { "-": "removed", "+": "added", "@": "count", " ": "same" };

/** Writes a link, if the address is a web address. */
function linkName(name: string, link: string | undefined): string {
  // A long name is broken between its parts.
  const text = escapeMarkup(name).replaceAll("/", "/<wbr>");
  const address = pickWebAddress(link);
  return address === undefined
    ? text
    : `<a href="${escapeMarkup(address)}" rel="noopener noreferrer">${text}</a>`;
}

function chooseTone({ classes }: ReportView, finding: FindingView): Tone {
  return classes.find(({ name }) => name === finding.class)?.tone ?? "other";
}

function renderNothing({ nothing: said }: ReportView): string {
  return `<p class="nothing">${escapeMarkup(said)}</p>`;
}

/** Words between backticks are commands and names, as in Markdown. */
function withCode(text: string): string {
  return escapeMarkup(text).replaceAll(/`([^`]+)`/g, "<code>$1</code>");
}

function renderSectionItem({ text, level, details = [] }: SectionItem): string {
  const more = details.map((line) => `<li>${withCode(line)}</li>`).join("");
  return `<span class="${level}">${withCode(text)}</span>${more === "" ? "" : `<ul>${more}</ul>`}`;
}

/** Marks a section in which something fails. */
function markItems(items: readonly SectionItem[]): string {
  return items.some(({ level }) => level === "error") ? " failed" : "";
}

function list(title: string, kind: string, items: readonly string[], open: boolean, more = ""): string {
  if (items.length === 0) return "";
  return `<details class="more ${kind}${more}"${open ? " open" : ""}><summary>${title} <span class="count">${items.length}</span></summary><ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul></details>`;
}
