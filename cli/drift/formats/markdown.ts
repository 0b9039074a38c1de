/** The report for job summaries and comments: short enough for both, the long parts folded away. */
import {
  classDescriptions,
  findingClasses,
  type DriftReport,
  type Finding,
  type FindingClass,
} from "../model.js";
import { sentence, unreadGroups, valueText, verdict } from "../values.js";

/** A comment on GitHub holds 65,536 signs; a job summary holds more. */
const LIMIT = 65_000;
const LONGEST = 120;

export function markdown(report: DriftReport): string {
  const { findings, incomplete, ignored, warnings } = report;
  const mark = { clean: "✅", drift: "🔴", incomplete: "🟡" }[report.result];
  const head = [
    `## ${mark} ${escaped(verdict(report))}`,
    "",
    `Workspace ${code(report.workspace)} at ${code(report.baseUrl)}, stack ${code(report.stack)}, file ${code(report.file)}`,
    "",
  ];
  const rest = [
    ...section(
      "Not read",
      unreadGroups(incomplete).map(({ reason, what }) => `- ${escaped(reason)} ${what.map(code).join(", ")}`),
      true,
    ),
    ...section(
      "Ignored",
      ignored.map(({ finding, reason, expires }) => {
        const until = expires === undefined ? "" : `, until ${expires}`;
        return `- ${finding.class} ${code(`${finding.name}${finding.path === "" ? "" : ` ${finding.path}`}`)}: ${escaped(reason)}${until}`;
      }),
      false,
    ),
    ...section(
      "Warnings",
      warnings.map(({ message }) => `- ${escaped(message)}`),
      true,
    ),
    `<sub>${report.generatedAt} · ${report.seconds.toFixed(1)} s · ${report.unchanged} objects as declared · ${report.fingerprint.slice(0, 19)}</sub>`,
    "",
  ];
  return fitting(head, findings, rest);
}

/** As many findings as there is room for; of the others, how many there are. */
function fitting(head: readonly string[], findings: readonly Finding[], rest: readonly string[]): string {
  for (let shown = findings.length; ; shown = Math.floor(shown * 0.8)) {
    const classes = findingClasses.flatMap((of) =>
      ofClass(
        of,
        findings.filter((one) => one.class === of),
        findings.slice(0, shown),
      ),
    );
    const left = findings.length - shown;
    const more =
      left > 0 ? [`**${left} more findings have no room here**: see the report as JSON or HTML.`, ""] : [];
    const text = [...head, ...classes, ...more, ...rest].join("\n");
    if (text.length <= LIMIT) return text;
    if (shown === 0) return `${[...head, ...classes, ...more].join("\n").slice(0, LIMIT)}\n`;
  }
}

function ofClass(of: FindingClass, found: readonly Finding[], shown: readonly Finding[]): string[] {
  if (found.length === 0) return [];
  const rows = found.filter((finding) => shown.includes(finding)).map(row);
  const open = of === "pending" || of === "unverifiable" ? "<details>" : "<details open>";
  const head =
    of === "changed" || of === "pending" ? "| object | property | declared | live |" : "| object | what |";
  const rule = head.replaceAll(/ [^|]+ /g, " --- ");
  return [
    open,
    `<summary><b>${found.length} ${of}</b> ${escaped(classDescriptions[of])}</summary>`,
    "",
    ...(rows.length > 0 ? [head, rule, ...rows, ""] : []),
    "</details>",
    "",
  ];
}

function row(finding: Finding): string {
  const { class: of, type, name, path, link, declared, applied, live } = finding;
  const title = `${type} ${code(name)}`;
  const object = link !== undefined && /^https?:\/\/[^\s()<>]+$/.test(link) ? `[${title}](${link})` : title;
  if (of !== "changed" && of !== "pending") return `| ${object} | ${escaped(sentence(finding, LONGEST))} |`;
  const show = (value: unknown) => code(valueText(value, finding, LONGEST));
  if (path === "") return `| ${object} | | ${escaped(sentence(finding, LONGEST))} | |`;
  return `| ${object} | ${code(path)} | ${show(declared ?? (of === "changed" ? applied : undefined))} | ${show(live)} |`;
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

/** Nothing in a text is taken for Markdown, HTML, a mention or a cell's end. */
function escaped(text: string): string {
  return text
    .replaceAll(/[\r\n]+/g, " ")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll(/[\\`*_[\]|~#]/g, (sign) => `\\${sign}`)
    .replaceAll("@", "@\u200b");
}

/** In a code span only the backtick and the bar have a meaning. */
function code(text: string): string {
  const line = text.replaceAll(/[\r\n]+/g, " ").replaceAll("|", "\\|");
  const fence = "`".repeat(Math.max(0, ...(line.match(/`+/g) ?? []).map((run) => run.length)) + 1);
  const pad = line.startsWith("`") || line.endsWith("`") ? " " : "";
  return `${fence}${pad}${line}${pad}${fence}`;
}
