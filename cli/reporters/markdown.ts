/** Writes a report as Markdown for job summaries and comments: short enough for both, with long parts folded. */
import { blockLines, limitedLines } from "../terminal/change.js";
import { cellText, changeOf, legend, plain, unreadGroups } from "./values.js";
import {
  classCount,
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
/** Maximum lengths of a list, a block of lines, and all arguments of a class, tried until the report is short enough. */
const ROOMS: readonly Room[] = [
  { list: Infinity, block: Infinity, args: Infinity },
  { list: LIST_LIMIT, block: 8_000, args: 16_000 },
  { list: LIST_LIMIT, block: 2_000, args: 6_000 },
  { list: LIST_LIMIT, block: 600, args: 2_000 },
];
/** More rows never fit, however short they are. */
const MOST_ROWS = LIMIT / 20;
/** Maximum length of a value in a table. Longer ones are in a block below it. */
const LONGEST_CELL = 120;

interface Room {
  readonly list: number;
  readonly block: number;
  readonly args: number;
}

export function markdown(report: ReportView): string {
  const sections = (report.sections ?? []).map(({ title, items }) => ({ title, lines: items.map(itemLine) }));
  const all = report.findings.length;
  const most = Math.min(all, MOST_ROWS);
  const found = report.findings.slice(0, most).map((finding) => foundPart(finding, report));
  const parts: Parts = { sections, found };
  for (const room of most === all ? ROOMS : []) {
    const whole = composed(report, parts, most, room);
    if (whole.length <= LIMIT) return whole;
  }
  for (let count = most; ; count = Math.floor(count * 0.8)) {
    const text = composed(report, parts, count, ROOMS.at(-1)!);
    if (text.length <= LIMIT || count === 0) return text;
  }
}

/** Parts that are written once and tried in several lengths. */
interface Parts {
  readonly sections: readonly { readonly title: string; readonly lines: readonly string[] }[];
  /** The first findings, in their order. */
  readonly found: readonly FoundPart[];
}

/** What is written of a finding. */
interface FoundPart {
  readonly of: string;
  /** A row of the table, unless the block says everything. */
  readonly row?: string;
  readonly title: string;
  readonly block: readonly string[];
  /** The arguments of a whole object. */
  readonly args: readonly string[];
}

/** Writes a report with its first findings and counts the others. */
function composed(report: ReportView, { sections, found }: Parts, shown: number, rooms: Room): string {
  const { list: room } = rooms;
  const { classes, findings, incomplete, ignored, warnings, remarks = [], file } = report;
  const mark = { clean: "✅", found: "🔴", incomplete: "🟡", planned: "🔵" }[report.outcome];
  const left = findings.length - shown;
  const ofName = (name: string) => found.slice(0, shown).filter(({ of }) => of === name);
  return [
    `## ${mark} ${escapedMarkdown(report.verdict)}`,
    "",
    `${words(report.about)}${file === undefined ? "" : `, file ${code(file)}`}`,
    "",
    ...(report.besides ?? []).flatMap((line) => [words(line), ""]),
    ...sections.flatMap(({ title, lines }) => section(title, lines, true, room)),
    ...classes.flatMap((of) => ofClass(of, report, ofName(of.name), rooms)),
    ...(left > 0 ? [`**${left} more findings do not fit here**: see the report as JSON or HTML.`, ""] : []),
    ...section(
      "Not read",
      unreadGroups(incomplete).map(
        ({ reason, what }) => `- ${escapedMarkdown(reason)} ${listed(what, room)}`,
      ),
      true,
      room,
    ),
    ...section(
      "Ignored",
      ignored.map(({ finding, reason, expires }) => {
        const until = expires === undefined ? "" : `, until ${expires}`;
        return `- ${finding.class} ${code(`${finding.name}${finding.path === "" ? "" : ` ${finding.path}`}`)}: ${escapedMarkdown(reason)}${until}`;
      }),
      false,
      room,
    ),
    ...section(
      "Warnings",
      warnings.map(({ message }) => `- ${escapedMarkdown(message)}`),
      true,
      room,
    ),
    ...section(
      "Remarks",
      remarks.map((remark) => `- ${escapedMarkdown(remark)}`),
      false,
      room,
    ),
    `<sub>${report.generatedAt} · ${report.seconds.toFixed(1)} s · ${report.same} · ${report.fingerprint.slice(0, 19)}</sub>`,
    "",
  ].join("\n");
}

function words(line: Words): string {
  return line.map((part) => (typeof part === "string" ? part : code(part.is))).join("");
}

function itemLine({ text, level, details = [] }: SectionItem): string {
  const mark = { error: "❌ ", warning: "⚠️ ", info: "" }[level];
  return [`- ${mark}${escapedMarkdown(text)}`, ...details.map((line) => `  - ${escapedMarkdown(line)}`)].join(
    "\n",
  );
}

function ofClass(of: ClassView, report: ReportView, found: readonly FoundPart[], room: Room): string[] {
  const first = report.findings.find((finding) => finding.class === of.name);
  if (first === undefined) return [];
  const titles = first.columns.map(({ title }) => escapedMarkdown(title));
  const head = of.columns ? `| object | property | ${titles.join(" | ")} |` : "| object | what |";
  const rule = `|${" --- |".repeat(of.columns ? 4 : 2)}`;
  const rows = found.flatMap(({ row }) => row ?? []);
  return [
    of.folded ? "<details>" : "<details open>",
    `<summary><b>${classCount(of, report)}</b> ${escapedMarkdown(of.description)}</summary>`,
    "",
    ...(rows.length > 0 ? [head, rule, ...rows, ""] : []),
    ...found.flatMap(({ title, block }) =>
      block.length === 0 ? [] : [title, "", ...fenced(limitedLines(block, room.block)), ""],
    ),
    ...argumentsOf(found, room.args),
    "</details>",
    "",
  ];
}

/** Writes the arguments of whole objects, folded, and counts those without room. */
function argumentsOf(found: readonly FoundPart[], room: number): string[] {
  const all = found.filter(({ args }) => args.length > 0);
  if (all.length === 0) return [];
  let left = room;
  const written: string[] = [];
  let count = 0;
  for (const { title, args } of all) {
    const text = [title, "", ...fenced(args, "yaml"), ""];
    left -= text.join("\n").length + 1;
    if (left < 0) continue;
    written.push(...text);
    count += 1;
  }
  const more = all.length - count;
  return [
    "<details>",
    "<summary>Arguments</summary>",
    "",
    ...written,
    ...(more > 0 ? [`**${more} more do not fit here**: see the report as JSON or HTML.`, ""] : []),
    "</details>",
    "",
  ];
}

/** Writes a finding as a row, or as a block if a cell has no room for its values. */
function foundPart(finding: FindingView, { classes }: ReportView): FoundPart {
  const { class: of, type, name, path, link, sentence } = finding;
  const linkTo = (text: string) =>
    link !== undefined && /^https?:\/\/[^\s()<>|]+$/.test(link) ? `[${text}](${link})` : text;
  const linked = linkTo(`${type} ${cellCode(name)}`);
  const heading = linkTo(`${type} ${code(name)}`);
  const row = (...cells: string[]): FoundPart => ({
    ...{ of, row: rowOf([linked, ...cells]), title: heading, block: [] },
    args: path === "" ? argumentLines(finding) : [],
  });
  const hasColumns = classes.find(({ name: one }) => one === of)?.columns === true;
  if (!hasColumns) return row(escapedMarkdown(sentence()));
  if (path === "") return row("", escapedMarkdown(sentence()), "");
  if (finding.remark !== undefined) return row(cellCode(path), escapedMarkdown(finding.remark), "");
  const change = changeOf(finding);
  if ("said" in change) return row(cellCode(path), "", cellCode(change.said));
  if ("before" in change && [change.before, change.after].every((text) => text.length <= LONGEST_CELL))
    return row(cellCode(path), cellCode(change.before), cellCode(change.after));
  const title = `${heading} ${code(path)} (${escapedMarkdown(legend(finding))})`;
  return { of, title, block: blockLines(change), args: [] };
}

function argumentLines(finding: FindingView): string[] {
  const [side, ...others] = finding.sides;
  if (side === undefined || others.length > 0) return [];
  const text = cellText(side, finding);
  return text === "{}" ? [] : text.split("\n");
}

const rowOf = (cells: readonly string[]) =>
  `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`;

/** Writes lines as a block, in which only a fence and a marker mean anything. Scripts and pages contain backticks. */
function fenced(lines: readonly string[], language: string = "diff"): string[] {
  const text = lines.map((line) => line.replaceAll("<!--", "<\u200b!--"));
  const runs = text.flatMap((line) => line.match(/~+/g) ?? []);
  const fence = "~".repeat(runs.reduce((length, run) => Math.max(length, run.length + 1), 3));
  return [`${fence}${language}`, ...text, fence];
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
function code(text: string): string {
  const line = plain(text.replaceAll(/[\r\n]+/g, " ")).replaceAll("<!--", "<\u200b!--");
  if (line.trim() === "") return "";
  const fence = "`".repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Writes a code span in a cell. The bar is escaped, and must not follow a backslash, which would be escaped instead. */
function cellCode(text: string): string {
  return code(text).replaceAll("\\|", "\\\u200b|").replaceAll("|", "\\|");
}
