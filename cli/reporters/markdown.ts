/** Writes a report as Markdown for job summaries and comments: short enough for both, with long parts folded. */
import { cellText, plain, unreadGroups } from "./values.js";
import type { Cell, ClassView, FindingView, ReportView } from "./report-view.js";

/** The limit of GitHub for a comment is 65,536 characters; it is higher for a job summary. */
const LIMIT = 65_000;
const LONGEST = 120;

export function markdown(report: ReportView): string {
  const { incomplete, ignored, warnings, remarks = [], file } = report;
  const mark = { clean: "✅", found: "🔴", incomplete: "🟡" }[report.outcome];
  const head = [
    `## ${mark} ${escapedMarkdown(report.verdict)}`,
    "",
    `${report.about.map((part) => (typeof part === "string" ? part : code(part.is))).join("")}${file === undefined ? "" : `, file ${code(file)}`}`,
    "",
  ];
  const rest = [
    ...section(
      "Not read",
      unreadGroups(incomplete).map(
        ({ reason, what }) => `- ${escapedMarkdown(reason)} ${what.map(code).join(", ")}`,
      ),
      true,
    ),
    ...section(
      "Ignored",
      ignored.map(({ finding, reason, expires }) => {
        const until = expires === undefined ? "" : `, until ${expires}`;
        return `- ${finding.class} ${code(`${finding.name}${finding.path === "" ? "" : ` ${finding.path}`}`)}: ${escapedMarkdown(reason)}${until}`;
      }),
      false,
    ),
    ...section(
      "Warnings",
      warnings.map(({ message }) => `- ${escapedMarkdown(message)}`),
      true,
    ),
    ...remarks.flatMap((remark) => [escapedMarkdown(remark), ""]),
    `<sub>${report.generatedAt} · ${report.seconds.toFixed(1)} s · ${report.same} · ${report.fingerprint.slice(0, 19)}</sub>`,
    "",
  ];
  return fitting(head, report, rest);
}

/** Writes as many findings as fit, and counts the others. */
function fitting(
  head: readonly string[],
  { classes, findings }: ReportView,
  rest: readonly string[],
): string {
  for (let shown = findings.length; ; shown = Math.floor(shown * 0.8)) {
    const parts = classes.flatMap((of) =>
      ofClass(
        of,
        findings.filter((one) => one.class === of.name),
        findings.slice(0, shown),
      ),
    );
    const left = findings.length - shown;
    const more =
      left > 0 ? [`**${left} more findings have no room here**: see the report as JSON or HTML.`, ""] : [];
    const text = [...head, ...parts, ...more, ...rest].join("\n");
    if (text.length <= LIMIT) return text;
    if (shown === 0) return `${[...head, ...parts, ...more].join("\n").slice(0, LIMIT)}\n`;
  }
}

function ofClass(of: ClassView, found: readonly FindingView[], shown: readonly FindingView[]): string[] {
  if (found.length === 0) return [];
  const rows = found.filter((finding) => shown.includes(finding)).map((finding) => row(finding, of));
  const titles = found[0]?.columns.map(({ title }) => escapedMarkdown(title)) ?? [];
  const head = of.columns ? `| object | property | ${titles.join(" | ")} |` : "| object | what |";
  const rule = `|${" --- |".repeat(of.columns ? 4 : 2)}`;
  return [
    of.folded ? "<details>" : "<details open>",
    `<summary><b>${found.length} ${of.name}</b> ${escapedMarkdown(of.description)}</summary>`,
    "",
    ...(rows.length > 0 ? [head, rule, ...rows, ""] : []),
    "</details>",
    "",
  ];
}

function row(finding: FindingView, of: ClassView): string {
  const { type, name, path, link, sentence, columns } = finding;
  const title = `${type} ${code(name)}`;
  const object = link !== undefined && /^https?:\/\/[^\s()<>]+$/.test(link) ? `[${title}](${link})` : title;
  if (!of.columns) return `| ${object} | ${escapedMarkdown(sentence(LONGEST))} |`;
  if (path === "") return `| ${object} | | ${escapedMarkdown(sentence(LONGEST))} | |`;
  const show = (cell: Cell) => code(cellText(cell, finding, LONGEST));
  return `| ${object} | ${code(path)} | ${columns.map(show).join(" | ")} |`;
}

function section(title: string, lines: readonly string[], open: boolean): string[] {
  if (lines.length === 0) return [];
  return [
    `<details${open ? " open" : ""}>`,
    `<summary><b>${title}: ${lines.length}</b></summary>`,
    "",
    ...lines,
    "",
    "</details>",
    "",
  ];
}

/** Writes a table with cells of plain text. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapedMarkdown).join(" | ")} |`;
  return [line(head), `| ${head.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}

/** Escapes Markdown, HTML, mentions and cell separators. */
export function escapedMarkdown(text: string): string {
  return plain(text.replaceAll(/[\r\n]+/g, " "))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\`*_[\]|~#]/g, (sign) => `\\${sign}`)
    .replaceAll("@", "@&#8203;");
}

/** Writes a code span, in which only backticks and bars need care. */
function code(text: string): string {
  const line = plain(text.replaceAll(/[\r\n]+/g, " ")).replaceAll("|", "\\|");
  const fence = "`".repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}
