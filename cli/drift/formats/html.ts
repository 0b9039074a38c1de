/** The report as one page that needs nothing else: no request, no storage, and nothing of a name is taken for HTML. */
import { createHash } from "node:crypto";
import { classDescriptions, findingClasses, type DriftReport, type Finding } from "../model.js";
import { countsText, unreadGroups, valueBlock, verdict } from "../values.js";
import { script } from "./html-script.js";
import { style } from "./html-style.js";

export function html(report: DriftReport): string {
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
<title>${text(`Drift of ${report.workspace}`)}</title>
<style>${style}</style>
</head>
<body>
${header(report)}
<main>
${report.findings.length > 0 ? toolbar(report) : ""}
${report.findings.length > 0 ? findings(report.findings) : nothing(report)}
${list(
  "Not read",
  "unread",
  unreadGroups(report.incomplete).map(
    ({ reason, what }) => `${text(reason)}<ul>${what.map((one) => `<li>${text(one)}</li>`).join("")}</ul>`,
  ),
  true,
)}
${list(
  "Warnings",
  "warnings",
  report.warnings.map(({ message, place }) =>
    text(place ? `${place.file}:${place.line}: ${message}` : message),
  ),
  true,
)}
${list(
  "Ignored",
  "ignored",
  report.ignored.map(
    ({ finding, reason, expires }) =>
      `<span class="tag ${finding.class}">${finding.class}</span> <code>${text(`${finding.name} ${finding.path}`.trim())}</code> ${text(reason)}${expires === undefined ? "" : ` <small>until ${text(expires)}</small>`}`,
  ),
  false,
)}
</main>
<footer>${text(`${report.generatedAt} · ${report.seconds.toFixed(1)} s · ${report.file} · workspacectl ${report.tool.version}`)}<br><code>${text(report.fingerprint)}</code></footer>
<script>${script}</script>
</body>
</html>
`;
}

function header(report: DriftReport): string {
  const [said = "", ...besides] = verdict(report).split("; ");
  const [lead = "", ...rest] = said.split(": ");
  const facts = [
    ["Workspace", report.workspace],
    ["Stack", report.stack],
    ["Service", report.baseUrl],
    ["As declared", `${report.unchanged} objects`],
  ] as const;
  const changed =
    report.changedSinceLast === undefined
      ? ""
      : `<p class="since">${report.changedSinceLast ? "Not what the last run found." : "The last run found the same."}</p>`;
  return `<header class="${report.result}">
<h1><span class="verdict">${text(lead)}</span> ${text(rest.join(": "))}</h1>${besides.map((one) => `<p class="besides">${text(one)}</p>`).join("")}
<dl>${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${text(value)}</dd></div>`).join("")}</dl>${changed}
</header>`;
}

function toolbar({ counts }: DriftReport): string {
  const filters = findingClasses
    .filter((of) => counts[of] > 0)
    .map(
      (of) =>
        `<label class="tag ${of}" title="${text(classDescriptions[of])}"><input type="checkbox" name="class" value="${of}" checked> ${counts[of]} ${of}</label>`,
    );
  return `<form class="tools" role="search">
<input type="search" id="search" placeholder="Search names, properties and values" aria-label="Search findings" autocomplete="off">
<div class="row"><fieldset class="filters"><legend>Classes</legend>${filters.join("")}</fieldset>
<fieldset class="grouping"><legend>Group by</legend><label><input type="radio" name="group" value="class" checked> class</label><label><input type="radio" name="group" value="object"> object</label></fieldset></div>
<p id="shown" role="status">${text(countsText(counts))}</p>
</form>`;
}

/** Grouped by class as it is written; the script can group by object instead. */
function findings(all: readonly Finding[]): string {
  const groups = findingClasses.flatMap((of) => {
    const found = all.filter((finding) => finding.class === of);
    if (found.length === 0) return [];
    return `<section class="group"><h2>${of} <span class="count">${found.length}</span></h2><p class="about">${text(classDescriptions[of])}</p>${found.map(card).join("\n")}</section>`;
  });
  return `<div id="findings">${groups.join("\n")}</div><p id="none" hidden>Nothing fits.</p>`;
}

function card(finding: Finding): string {
  const { id, class: of, type, name, path, operation, note, link, place } = finding;
  const title =
    link !== undefined && /^https?:\/\//i.test(link)
      ? `<a href="${text(link)}" rel="noopener noreferrer">${text(name)}</a>`
      : text(name);
  const facts = [
    ...(operation === undefined ? [] : [`up will ${operation} it`]),
    ...(note === undefined ? [] : [note]),
    ...(place === undefined ? [] : [`${place.file}:${place.line}`]),
  ];
  return `<article class="finding" id="f-${id}" data-class="${of}" data-object="${text(`${type} ${name}`)}">
<h3><span class="tag ${of}">${of}</span> <span class="type">${text(type)}</span> <span class="name">${title}</span></h3>
${path === "" ? "" : `<p class="path"><code>${text(path)}</code></p>`}${comparison(finding)}
<p class="facts">${facts.map(text).join(" · ")}</p>
</article>`;
}

/** Before and after: what was declared, and what is there. */
function comparison(finding: Finding): string {
  const { class: of, declared, applied, live } = finding;
  const before = declared ?? (of === "changed" ? applied : undefined);
  const sides: [title: string, kind: string, value: unknown][] =
    of === "unverifiable"
      ? [["declared", "before", before]]
      : of === "deleted"
        ? [["declared", "before", before]]
        : of === "added" || (of === "pending" && declared === undefined)
          ? [["live", "after", live]]
          : of === "pending" && live === undefined
            ? [["declared", "before", before]]
            : [
                ["declared", "before", before],
                ["live", "after", live],
              ];
  const shown = sides.map(
    ([title, kind, value]) =>
      `<div class="side ${kind}"><h4>${title}</h4><pre>${text(valueBlock(value, finding))}</pre></div>`,
  );
  const third =
    of === "changed" &&
    applied !== undefined &&
    declared !== undefined &&
    JSON.stringify(applied) !== JSON.stringify(declared)
      ? `<div class="side"><h4>last applied</h4><pre>${text(valueBlock(applied, finding))}</pre></div>`
      : "";
  return `<div class="sides">${shown.join("")}${third}</div>`;
}

function nothing({ result }: DriftReport): string {
  return `<p class="nothing">${result === "clean" ? "The workspace is as it was declared." : "Nothing was found in what could be read."}</p>`;
}

function list(title: string, kind: string, items: readonly string[], open: boolean): string {
  if (items.length === 0) return "";
  return `<details class="more ${kind}"${open ? " open" : ""}><summary>${title} <span class="count">${items.length}</span></summary><ul>${items.map((item) => `<li>${item}</li>`).join("")}</ul></details>`;
}

function text(value: string): string {
  return value
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replaceAll("'", "&#39;");
}
