/** Writes a report for a terminal: a line for each object and what differs of it, and the result. */
import {
  type ClassView,
  type FindingView,
  formatScopedName,
  getObjectKey,
  type Remedy,
  type ReportView,
  type SectionItem,
  type Tone,
  type Words,
} from "../automation/report/report-view.js";
import { stripControls } from "../client/printable.js";
import { formatFirst, groupBy } from "../text/lists.js";
import { wrapLines } from "../text/wrap.js";
import { colorChange, colorLines, fitsOneLine } from "./colored-change.js";
import {
  formatLegend,
  formatObjectCount,
  groupUnread,
  showCellChange,
  withoutContents,
} from "./format-values.js";
import type { Io } from "./io.js";

const looks: Readonly<
  Record<Tone, readonly [symbol: string, color: "red" | "yellow" | "magenta" | "cyan" | "dim"]>
> = {
  gone: ["-", "red"],
  other: ["~", "yellow"],
  new: ["+", "magenta"],
  later: ["…", "cyan"],
  unknown: ["?", "dim"],
};

/** Maximum number of objects for each of which the commands are said. */
const FEW = 8;
/** Objects with the same reason that are named. The machine-readable forms contain all. */
const MANY = 12;
/** Maximum length of a line with two commands. */
const LONGEST_LINE = 120;
const INDENT = " ".repeat(4);

/** @param width width of the terminal; a file has none. Values and commands may be wider. */
export function formatReportTable(report: ReportView, colors: Io["colors"], width = Infinity): string {
  const { bold, dim, yellow, red } = colors;
  const fit = (line: string) => wrapLines(line, width);
  const shown = report.findings.filter((finding) => classOf(finding)?.counted !== true).map(tame);
  const objects = [...groupBy(withCounts(shown), getObjectKey).values()];
  const remarks = [
    ...report.ignored.map(({ finding, reason, expires }) => {
      const until = expires === undefined ? "" : `, until ${expires}`;
      const path = finding.path === "" ? "" : ` ${stripControls(finding.path)}`;
      return dim(
        `ignored: ${finding.class} ${stripControls(finding.name)}${path} (${stripControls(reason)}${until})`,
      );
    }),
    ...report.warnings.map(({ message, place }) =>
      yellow(`warning: ${formatPlace(place)}${stripControls(message)}`),
    ),
    ...(report.remarks ?? []).map((remark) => dim(stripControls(remark))),
  ].map(fit);
  const unread = groupUnread(report.incomplete).flatMap(({ reason, what }) => [
    fit(`${red("!")} not read: ${formatFirst(what.map(stripControls), MANY)}`),
    fit(`${INDENT}${stripControls(reason)}`),
  ]);
  const isFew = objects.length <= FEW && objects.some(([first]) => first?.remedies !== undefined);
  const found = objects.flatMap((of) => objectLines(of, isFew));
  const hasOwn = isFew || objects.length === 0;
  const all =
    hasOwn || report.remediesForAll === undefined ? [] : [...remedyLines(report.remediesForAll), ""];
  const body = [...found, ...unread, ...all];
  const open = (report.sections ?? []).filter(({ folded, items }) => !folded && items.length > 0);
  const [errors, sections] = [true, false].map((first) =>
    open
      .filter(({ name }) => (name === "errors") === first)
      .flatMap(({ title, items }) => [bold(`${title}:`), ...items.flatMap(itemLines), ""]),
  ) as [string[], string[]];
  return [
    ...(body.length + errors.length + sections.length > 0 ? [fit(heading(report.about)), ""] : []),
    ...errors,
    ...found,
    ...unread,
    ...(found.length + unread.length > 0 ? [""] : []),
    ...sections,
    ...all,
    ...remarks,
    fit(`${stripControls(report.verdict)} (${report.seconds.toFixed(1)} s).`),
    ...(report.changedSinceLast === undefined
      ? []
      : [
          report.changedSinceLast
            ? "The findings have changed since the last run."
            : "The findings are the same as in the last run.",
        ]),
    "",
  ].join("\n");

  function heading(lead: Words): string {
    return lead
      .map((part) =>
        typeof part === "string" ? part : part.strong ? bold(stripControls(part.is)) : stripControls(part.is),
      )
      .join("");
  }

  function classOf(finding: FindingView): ClassView | undefined {
    return report.classes.find(({ name }) => name === finding.class);
  }

  function itemLines({ text, level, details = [] }: SectionItem): string[] {
    const mark = { error: red("!"), warning: yellow("!"), info: " " }[level];
    return [
      fit(`${mark} ${stripControls(text)}`),
      ...details.map((line) => fit(INDENT + stripControls(line))),
    ];
  }

  /** Counts what is in a whole object with that object. */
  function withCounts(findings: readonly FindingView[]): FindingView[] {
    return withoutContents(findings).map(({ finding, inside }) => {
      if (inside.length === 0) return finding;
      const count = `with ${formatObjectCount(inside.length)} in it`;
      const said = finding.note === finding.remark ? undefined : finding.note;
      return { ...finding, note: [said, count].filter(Boolean).join(", ") };
    });
  }

  function objectLines(findings: readonly FindingView[], withRemedies: boolean): string[] {
    const [first] = findings as [FindingView];
    const of = classOf(first);
    const [sign, color] = looks[of?.tone ?? "unknown"];
    // A workspace that failed was not deleted.
    const symbol = of?.ofParts && of.tone === "gone" ? "!" : sign;
    const start = `${colors[color](symbol)} ${formatScopedName(first)}`;
    const lines = findings.map((finding) => findingLines(finding, classOf(finding)));
    const isOneLine = lines.length === 1 && lines[0]?.length === 1;
    const remedies = withRemedies ? remedyLines(first.remedies ?? []) : [];
    return [
      ...(isOneLine ? [fit(`${start}  ${lines.flat()[0] ?? ""}`)] : [start, ...lines.flatMap(indented)]),
      ...remedies.map((line) => INDENT + line),
    ];
  }

  /** Of the lines of a finding, only the first one is a sentence. */
  function indented([first = "", ...change]: readonly string[]): string[] {
    return [fit(INDENT + first), ...change.map((line) => INDENT + line)];
  }

  function findingLines(finding: FindingView, of: ClassView | undefined): string[] {
    const { path, remark, columns, note, will } = finding;
    const [before, after] = columns;
    if (path === "") {
      const words = [of?.whole, will && `to ${will}`, remark, note].filter(
        (text) => text !== undefined && text !== "",
      );
      return [dim(words.length > 0 ? [...new Set(words)].join(", ") : (of?.description ?? ""))];
    }
    const later = will === undefined || of?.whole === undefined ? undefined : of.whole;
    const more = [later, note]
      .filter((text) => text !== undefined)
      .map((text) => dim(`  ${text}`))
      .join("");
    if (remark !== undefined) return [`${path}  ${dim(remark)}${more}`];
    const change = showCellChange(finding);
    if ("said" in change) return [`${path}  ${change.said}${more}`];
    if (fitsOneLine(change) && "before" in change)
      return [
        of?.replaced
          ? `${path}  ${colorChange(change, colors)}${more}`
          : `${path}  ${before.title} ${colors.green(change.before)}, ${after.title} ${red(change.after)}${more}`,
      ];
    return [
      `${path}  ${dim(formatLegend(finding))}${more}`,
      ...colorLines(change, colors).map((text) => `  ${text}`),
    ];
  }

  /** Short commands share a line. */
  function remedyLines(remedies: readonly Remedy[]): string[] {
    const texts = remedies.map(({ label, command }) => `${label}: ${dim(stripControls(command))}`);
    const line = texts.join("    ");
    return texts.length === 0 || line.length > LONGEST_LINE ? texts : [line];
  }
}

/** Removes control characters from names, which come from the workspace. */
function tame(finding: FindingView): FindingView {
  const { name, path, note, remark } = finding;
  return {
    ...finding,
    name: stripControls(name),
    path: stripControls(path),
    ...(note === undefined ? {} : { note: stripControls(note) }),
    ...(remark === undefined ? {} : { remark: stripControls(remark) }),
  };
}

function formatPlace(place: ReportView["warnings"][number]["place"]): string {
  return place === undefined ? "" : `${place.file}:${place.line}: `;
}
