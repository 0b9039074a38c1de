/** Writes reports and diagnostics as workflow commands of GitHub Actions, which shows them as annotations at their lines. */
import {
  type FindingView,
  formatScopedName,
  listNotices,
  type ReportView,
  type SectionItem,
} from "../automation/report/report-view.js";
import { showLines, stripControls } from "../client/printable.js";
import { limitLines } from "../text/shown-change.js";
import type { Location } from "../workspace-file/index.js";
import { formatUnreadText, listBlockLines } from "./format-values.js";
import { findRoot, type ProblemReport, relateToRoot, type Root } from "./problem-report.js";

type Severity = SectionItem["level"];

const commands: Readonly<Record<Severity, string>> = { error: "error", warning: "warning", info: "notice" };

/** GitHub's runner cuts longer messages (4,096 characters), without a word. */
const LONGEST = 4000;

/** Writes a report. GitHub shows ten annotations of each severity in a step, so the result and what fails come first. */
export function formatGithub(report: ReportView, env: NodeJS.ProcessEnv): string {
  const root = findRoot(env);
  const { kind, outcome, findings, incomplete, warnings, remarks = [] } = report;
  const write = (
    severity: Severity,
    title: string,
    text: string,
    place?: Location,
    block: readonly string[] = [],
  ) => {
    const lines = limitLines([stripControls(text), ...block], LONGEST);
    return formatAnnotation(severity, `${kind} ${title}`, lines.join("\n"), place, root);
  };
  const lines = [
    ...listNotices(report).flatMap(({ name, items }) =>
      items.map(({ level, text, details = [], place }) => ({
        level,
        text: write(level, name, [text, ...details].join("; "), place),
      })),
    ),
    ...incomplete.map((one) => ({
      level: "error" as const,
      text: write("error", "not read", formatUnreadText(one)),
    })),
    ...findings.map((finding) => {
      const level = chooseLevel(finding, report);
      const text = `${finding.type} ${formatScopedName(finding)} ${finding.sentence()}`;
      return { level, text: write(level, finding.class, text, finding.place, listBlockLines(finding)) };
    }),
    ...warnings.map(({ message, place }) => ({
      level: "warning" as const,
      text: write("warning", "warning", message, place),
    })),
    ...remarks.map((remark) => ({ level: "info" as const, text: write("info", "note", remark) })),
  ];
  const failed = outcome === "found" || outcome === "incomplete";
  const order: readonly Severity[] = ["error", "warning", "info"];
  return [
    write(failed ? "error" : "info", "result", `${report.verdict} (${report.scene})`),
    ...order.flatMap((severity) => lines.filter(({ level }) => level === severity).map(({ text }) => text)),
  ].join("");
}

function chooseLevel(finding: FindingView, { classes, failOn }: ReportView): Severity {
  if (failOn.includes(finding.class)) return "error";
  return classes.find(({ name }) => name === finding.class)?.tone === "gone" ? "warning" : "info";
}

/** Writes diagnostics, which GitHub shows next to the changed lines. */
export function formatDiagnosticsGithub({ problems }: ProblemReport, root: Root): string {
  return problems
    .map(({ code, severity, message, place }) =>
      formatAnnotation(severity, code, showLines(message), place, root),
    )
    .join("");
}

/** Writes one annotation. */
function formatAnnotation(
  severity: Severity,
  title: string,
  message: string,
  place: Location | undefined,
  root: Root,
): string {
  const at: Readonly<Record<string, string>> =
    place === undefined
      ? {}
      : { file: relateToRoot(place.file, root), line: String(place.line), col: String(place.column) };
  const list = Object.entries({ ...at, title }).map(([name, value]) => `${name}=${escapeProperty(value)}`);
  return `::${commands[severity]} ${list.join(",")}::${escapeData(message)}\n`;
}

/** Escapes data as @actions/core does, for the runner's `ActionCommand`. */
function escapeData(value: string): string {
  return value.replaceAll("%", "%25").replaceAll("\r", "%0D").replaceAll("\n", "%0A");
}

function escapeProperty(value: string): string {
  return escapeData(value).replaceAll(":", "%3A").replaceAll(",", "%2C");
}
