/** Writes a report as Markdown for job summaries and comments: short enough for both, with long parts folded. */
import { cellText, cut, plain, unreadGroups } from "./values.js";
import {
  classCount,
  type Cell,
  type ClassView,
  type FindingView,
  type ReportView,
  type SectionItem,
  type Words,
} from "./report-view.js";

/** The limit of GitHub for a comment is 65,536 characters; it is higher for a job summary. The rest is for a marker. */
const LIMIT = 65_000;
/** Maximum length of a list in a report that is too long as a whole. There are at most seven, so findings get the rest. */
const LIST_LIMIT = 7_000;
/** More rows never fit, however short they are. */
const MOST_ROWS = LIMIT / 20;
const LONGEST_VALUE = 120;
const LONGEST_NAME = 200;
const LONGEST_SENTENCE = 400;

export function markdown(report: ReportView): string {
  const shown = report.findings.slice(0, MOST_ROWS);
  const parts: Parts = {
    sections: (report.sections ?? []).map(({ title, items }) => ({ title, lines: items.map(itemLine) })),
    rows: shown.map((finding) => row(finding, report)),
  };
  if (shown.length === report.findings.length) {
    const whole = composed(report, parts, shown.length, Infinity);
    if (whole.length <= LIMIT) return whole;
  }
  for (let count = shown.length; ; count = Math.floor(count * 0.8)) {
    const text = composed(report, parts, count, LIST_LIMIT);
    if (text.length <= LIMIT || count === 0) return text;
  }
}

/** Parts that are written once and tried in several lengths. */
interface Parts {
  readonly sections: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** Rows of the first findings, in their order. */
  readonly rows: readonly string[];
}

/** Writes a report with its first findings and counts the others. @param room maximum length of each list */
function composed(report: ReportView, { sections, rows }: Parts, shown: number, room: number): string {
  const { classes, findings, incomplete, ignored, warnings, remarks = [], file } = report;
  const mark = { clean: "✅", found: "🔴", incomplete: "🟡", planned: "🔵" }[report.outcome];
  const left = findings.length - shown;
  const rowsOf = (of: ClassView) =>
    rows.slice(0, shown).filter((_row, index) => findings[index]?.class === of.name);
  return [
    `## ${mark} ${sentenceOf(report.verdict)}`,
    "",
    `${words(report.about)}${file === undefined ? "" : `, file ${code(file)}`}`,
    "",
    ...(report.besides ?? []).flatMap((line) => [words(line), ""]),
    ...sections.flatMap(({ title, lines }) => section(title, lines, true, room)),
    ...classes.flatMap((of) => ofClass(of, report, rowsOf(of))),
    ...(left > 0 ? [`**${left} more findings do not fit here**: see the report as JSON or HTML.`, ""] : []),
    ...section(
      "Not read",
      unreadGroups(incomplete).map(({ reason, what }) => `- ${sentenceOf(reason)} ${listed(what, room)}`),
      true,
      room,
    ),
    ...section(
      "Ignored",
      ignored.map(({ finding, reason, expires }) => {
        const until = expires === undefined ? "" : `, until ${expires}`;
        return `- ${finding.class} ${code(`${finding.name}${finding.path === "" ? "" : ` ${finding.path}`}`)}: ${sentenceOf(reason)}${until}`;
      }),
      false,
      room,
    ),
    ...section(
      "Warnings",
      warnings.map(({ message }) => `- ${sentenceOf(message)}`),
      true,
      room,
    ),
    ...remarks.flatMap((remark) => [sentenceOf(remark), ""]),
    `<sub>${report.generatedAt} · ${report.seconds.toFixed(1)} s · ${report.same} · ${report.fingerprint.slice(0, 19)}</sub>`,
    "",
  ].join("\n");
}

function words(line: Words): string {
  return line.map((part) => (typeof part === "string" ? part : code(part.is))).join("");
}

function itemLine({ text, level, details = [] }: SectionItem): string {
  const mark = { error: "❌ ", warning: "⚠️ ", info: "" }[level];
  return [`- ${mark}${sentenceOf(text)}`, ...details.map((line) => `  - ${sentenceOf(line)}`)].join("\n");
}

function ofClass(of: ClassView, report: ReportView, rows: readonly string[]): string[] {
  const found = report.findings.find((finding) => finding.class === of.name);
  if (found === undefined) return [];
  const titles = found.columns.map(({ title }) => sentenceOf(title));
  const head = of.columns ? `| object | property | ${titles.join(" | ")} |` : "| object | what |";
  const rule = `|${" --- |".repeat(of.columns ? 4 : 2)}`;
  return [
    of.folded ? "<details>" : "<details open>",
    `<summary><b>${classCount(of, report)}</b> ${sentenceOf(of.description)}</summary>`,
    "",
    ...(rows.length > 0 ? [head, rule, ...rows, ""] : []),
    "</details>",
    "",
  ];
}

function row(finding: FindingView, { classes }: ReportView): string {
  const { type, name, path, link, sentence, columns } = finding;
  const title = `${type} ${cellCode(name)}`;
  const object = link !== undefined && /^https?:\/\/[^\s()<>|]+$/.test(link) ? `[${title}](${link})` : title;
  const said = () => sentenceOf(sentence(LONGEST_VALUE));
  const hasColumns = classes.find((of) => of.name === finding.class)?.columns === true;
  if (!hasColumns) return `| ${object} | ${said()} |`;
  if (path === "") return `| ${object} | | ${said()} | |`;
  const show = (cell: Cell) => cellCode(cellText(cell, finding, LONGEST_VALUE));
  return `| ${object} | ${cellCode(path)} | ${columns.map(show).join(" | ")} |`;
}

/** Writes a list with as many lines as there is room for, and counts the others. */
function section(title: string, lines: readonly string[], open: boolean, room: number): string[] {
  if (lines.length === 0) return [];
  let [left, shown] = [room, 0];
  for (const line of lines) {
    left -= line.length + 1;
    if (left < 0) break;
    shown += 1;
  }
  const more = lines.length - shown;
  return [
    `<details${open ? " open" : ""}>`,
    `<summary><b>${title}: ${lines.length}</b></summary>`,
    "",
    ...lines.slice(0, shown),
    ...(more > 0 ? [`- **${more} more do not fit here**: see the report as JSON or HTML.`] : []),
    "",
    "</details>",
    "",
  ];
}

/** Maximum number of names after a reason, where there is not enough room for all. */
const NAMED = 20;

function listed(names: readonly string[], room: number): string {
  const shown = room === Infinity ? names : names.slice(0, NAMED);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : "";
  return `${shown.map((name) => code(name)).join(", ")}${more}`;
}

/** Writes a table with cells of plain text. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapedMarkdown).join(" | ")} |`;
  return [line(head), `| ${head.map(() => "---").join(" | ")} |`, ...rows.map(line)].join("\n");
}

function sentenceOf(text: string): string {
  return escapedMarkdown(cut(text, LONGEST_SENTENCE));
}

/** Invisible in the page. What it separates is no mention, reference, address or comment any more. */
const SEPARATOR = "&#8203;";

/** Escapes Markdown, HTML, cell separators, and what GitHub and GitLab make of a text that is rendered. */
export function escapedMarkdown(text: string): string {
  return plain(text.replaceAll(/[\r\n]+/g, " "))
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\`*_[\]|~#]/g, (sign) => `\\${sign}`)
    .replaceAll(/@|[#!$%~](?=[\p{L}\p{N}])/gu, (sign) => `${sign}${SEPARATOR}`)
    .replaceAll("://", `:${SEPARATOR}//`)
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, -1)}${SEPARATOR}.`);
}

/** Writes a code span, in which only backticks need care. A comment in one would still be a marker in the source. */
function code(text: string, longest: number = LONGEST_NAME): string {
  const line = plain(cut(text, longest).replaceAll(/[\r\n]+/g, " ")).replaceAll("<!--", "<\u200b!--");
  if (line.trim() === "") return "";
  const fence = "`".repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Writes a code span in a cell. The bar is escaped, and must not follow a backslash, which would be escaped instead. */
function cellCode(text: string): string {
  return code(text).replaceAll("\\|", "\\\u200b|").replaceAll("|", "\\|");
}
