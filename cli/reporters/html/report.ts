/** Writes a report as a self-contained page: it makes no request, and names are escaped. */
import { groupBy } from "../../lists.js";
import { escaped } from "../../terminal/markup.js";
import { blockLines } from "../../terminal/change.js";
import { cellText, changeOf, countsText, legend, unreadGroups, withoutContents } from "../values.js";
import {
  classCount,
  type Cell,
  type ClassView,
  type FindingView,
  type Remedy,
  type ReportView,
  type SectionItem,
  type Tone,
} from "../report-view.js";
import { htmlPage } from "./page.js";
import { reportScript } from "./report-script.js";
import { reportStyle } from "./report-style.js";

export function html(report: ReportView): string {
  const body = `${header(report)}
<main>
${(report.sections ?? []).map(({ name, title, items, folded }) => list(title, name, items.map(sectionItem), folded !== true, marked(items))).join("\n")}
${report.findings.length > 0 ? toolbar(report) : ""}
${report.findings.length > 0 ? findings(report) : nothing(report)}
${list(
  "Not read",
  "unread",
  unreadGroups(report.incomplete).map(
    ({ reason, what }) =>
      `${escaped(reason)}<ul>${what.map((one) => `<li>${escaped(one)}</li>`).join("")}</ul>`,
  ),
  true,
)}
${list(
  "Warnings",
  "warnings",
  report.warnings.map(({ message, place }) =>
    escaped(place ? `${place.file}:${place.line}: ${message}` : message),
  ),
  true,
)}
${list(
  "Ignored",
  "ignored",
  report.ignored.map(
    ({ finding, reason, expires }) =>
      `<span class="tag ${toneOf(report, finding)}">${finding.class}</span> <code>${escaped(`${finding.name} ${finding.path}`.trim())}</code> ${escaped(reason)}${expires === undefined ? "" : ` <small>until ${escaped(expires)}</small>`}`,
  ),
  false,
)}
${(report.remarks ?? []).map((remark) => `<p class="besides">${escaped(remark)}</p>`).join("")}
</main>
<footer>${escaped(`${report.generatedAt} · ${report.seconds.toFixed(1)} s · ${report.file === undefined ? "" : `${report.file} · `}workspacectl ${report.tool.version}`)}<br><code>${escaped(report.fingerprint)}</code></footer>`;
  return htmlPage({ title: report.title, style: reportStyle, script: reportScript, body });
}

function header(report: ReportView): string {
  const [said = "", ...besides] = report.verdict.split("; ");
  const [lead = "", ...rest] = said.split(": ");
  const changed =
    report.changedSinceLast === undefined
      ? ""
      : `<p class="since">${report.changedSinceLast ? "The findings have changed since the last run." : "The findings are the same as in the last run."}</p>`;
  return `<header class="${report.outcome}">
<h1><span class="verdict">${escaped(lead)}</span> ${escaped(rest.join(": "))}</h1>${besides.map((one) => `<p class="besides">${escaped(one)}</p>`).join("")}
<dl>${report.facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${escaped(value)}</dd></div>`).join("")}</dl>${changed}
</header>`;
}

function toolbar({ classes, counts }: ReportView): string {
  const filters = classes
    .filter(({ name }) => (counts[name] ?? 0) > 0)
    .map(
      (of) =>
        `<label class="tag ${of.tone}" title="${escaped(of.description)}"><input type="checkbox" name="class" value="${of.name}" checked> ${classCount(of, { counts })}</label>`,
    );
  return `<form class="tools" role="search">
<input type="search" id="search" placeholder="Search names, properties and values" aria-label="Search findings" autocomplete="off">
<div class="row"><fieldset class="filters"><legend>Classes</legend>${filters.join("")}</fieldset>
<fieldset class="grouping"><legend>Group by</legend><label><input type="radio" name="group" value="class" checked> class</label><label><input type="radio" name="group" value="object"> object</label></fieldset></div>
<p id="shown" role="status">${escaped(countsText(counts))}</p>
</form>`;
}

/** Groups findings by class; the script can group them by object instead. */
function findings({ classes, counts, findings: all }: ReportView): string {
  const objects = groupBy(
    withoutContents(all).map(({ finding }) => finding),
    ({ type, name }) => `${type} ${name}`,
  );
  // What to do about an object is said once.
  const first = new Set([...objects.values()].map(([one]) => one));
  const groups = classes.flatMap((of) => {
    const found = all.filter((finding) => finding.class === of.name);
    if (found.length === 0) return [];
    return `<section class="group"><h2>${of.label ?? of.name} <span class="count">${counts[of.name] ?? 0}</span></h2><p class="about">${escaped(of.description)}</p>${found.map((one) => card(one, of, first.has(one) ? (one.remedies ?? []) : [])).join("\n")}</section>`;
  });
  return `<div id="findings">${groups.join("\n")}</div><p id="none" hidden>Nothing matches.</p>`;
}

function card(
  finding: FindingView,
  { name: of, label = of, tone }: ClassView,
  remedies: readonly Remedy[],
): string {
  const { id, type, name, path, will, note, link, place } = finding;
  const title = linked(name, link);
  const facts = [
    ...(will === undefined ? [] : [`up will ${will} it`]),
    ...(note === undefined ? [] : [note]),
    ...(place === undefined ? [] : [`${place.file}:${place.line}`]),
  ];
  return `<article class="finding" id="f-${id}" data-class="${of}" data-object="${escaped(`${type} ${name}`)}">
<h3><span class="tag ${tone}">${label}</span> <span class="type">${escaped(type)}</span> <span class="name">${title}</span></h3>
${path === "" ? "" : `<p class="path"><code>${escaped(path)}</code></p>`}${comparison(finding)}
<p class="facts">${facts.map(escaped).join(" · ")}</p>${remedies.map(remedy).join("")}
</article>`;
}

function remedy({ label, command }: Remedy): string {
  return `<p class="remedy">${escaped(label)}: <code>${escaped(command)}</code></p>`;
}

/** Writes the values of a finding side by side; those that differ in lines are compared. Whole values are folded. */
function comparison(finding: FindingView): string {
  const whole = finding.sides.map((cell) => side(cell, cellText(cell, finding))).join("");
  if (whole === "") return "";
  const folded = (title: string) =>
    `<details class="whole"><summary>${title}</summary><div class="sides">${whole}</div></details>`;
  if (finding.path === "") return folded("Arguments");
  if (finding.remark !== undefined) return `<div class="sides">${whole}</div>`;
  const change = changeOf(finding);
  const [before, after, ...others] = finding.sides;
  const more = others.map((cell) => side(cell, cellText(cell, finding)));
  if ("said" in change)
    return `<p class="path">${escaped(change.said)}</p>${more.length === 0 ? "" : `<div class="sides">${more.join("")}</div>`}`;
  if ("before" in change) {
    if (before === undefined || after === undefined) return `<div class="sides">${whole}</div>`;
    const shown = [side(before, change.before), side(after, change.after)];
    const isCut = /^…|…$/.test(change.before);
    return `<div class="sides">${[...shown, ...more].join("")}</div>${isCut ? folded("Whole values") : ""}`;
  }
  const lines = blockLines(change).map(
    (line) => `<span class="${signs[line[0] ?? " "]}">${escaped(line)}</span>`,
  );
  return `<p class="path">${escaped(legend(finding))}</p><pre class="diff">${lines.join("\n")}</pre>${folded("Whole values")}`;
}

function side(cell: Cell, text: string): string {
  const tone = cell.tone === undefined ? "" : ` ${cell.tone}`;
  return `<div class="side${tone}"><h4>${linked(cell.title, cell.link)}</h4><pre>${escaped(text)}</pre></div>`;
}

const signs: Readonly<Record<string, string>> = { "-": "removed", "+": "added", "@": "count", " ": "same" };

/** Writes a link, if the address is a web address. */
function linked(name: string, link: string | undefined): string {
  // A long name is broken between its parts.
  const text = escaped(name).replaceAll("/", "/<wbr>");
  if (link === undefined || !/^https?:\/\//i.test(link)) return text;
  return `<a href="${escaped(link)}" rel="noopener noreferrer">${text}</a>`;
}

function toneOf({ classes }: ReportView, finding: FindingView): Tone {
  return classes.find(({ name }) => name === finding.class)?.tone ?? "other";
}

function nothing({ nothing: said }: ReportView): string {
  return `<p class="nothing">${escaped(said)}</p>`;
}

function sectionItem({ text, level, details = [] }: SectionItem): string {
  const more = details.map((line) => `<li>${escaped(line)}</li>`).join("");
  return `<span class="${level}">${escaped(text)}</span>${more === "" ? "" : `<ul>${more}</ul>`}`;
}

/** Marks a section in which something fails. */
function marked(items: readonly SectionItem[]): string {
  return items.some(({ level }) => level === "error") ? " failed" : "";
}

function list(title: string, kind: string, items: readonly string[], open: boolean, more = ""): string {
  if (items.length === 0) return "";
  return `<details class="more ${kind}${more}"${open ? " open" : ""}><summary>${title} <span class="count">${items.length}</span></summary><ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul></details>`;
}
