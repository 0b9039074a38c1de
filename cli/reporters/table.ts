/** Writes a report for a terminal: by class, then by object. */
import type { Io } from "../terminal/io.js";
import { groupBy } from "../lists.js";
import type { FindingView, ReportView, Tone } from "./report-view.js";
import { coloredLines, inOneLine } from "../terminal/colored-change.js";
import { changeOf, legend, plain, unreadGroups } from "./values.js";

const looks: Readonly<
  Record<Tone, readonly [symbol: string, color: "red" | "yellow" | "magenta" | "cyan" | "dim"]>
> = {
  gone: ["-", "red"],
  other: ["~", "yellow"],
  new: ["+", "magenta"],
  later: ["…", "cyan"],
  unknown: ["?", "dim"],
};

export function table(report: ReportView, colors: Io["colors"]): string {
  const { warnings, seconds, same, about: lead } = report;
  const findings = report.findings.map(tame);
  const ignored = report.ignored.map((one) => ({ ...one, finding: tame(one.finding) }));
  const incomplete = report.incomplete.map((one) => ({
    ...one,
    reason: plain(one.reason),
    what: plain(one.what),
  }));
  const width = Math.max(0, ...findings.map(({ type }) => type.length));
  const lines = [
    lead
      .map((part) =>
        typeof part === "string" ? part : part.strong ? colors.bold(plain(part.is)) : plain(part.is),
      )
      .join(""),
    "",
  ];
  for (const { name, label = name, description, tone } of report.classes) {
    const found = findings.filter((finding) => finding.class === name);
    if (found.length === 0) continue;
    lines.push(`${colors.bold(label)} ${colors.dim(description)}`, ...objects(found, tone), "");
  }
  if (incomplete.length > 0) {
    lines.push(`${colors.bold("not read")} ${colors.dim("Nothing is known about these.")}`);
    for (const { reason, what } of unreadGroups(incomplete))
      lines.push(`  ${colors.red("!")} ${reason}`, ...what.map((one) => `        ${one}`));
    lines.push("");
  }
  for (const { finding, reason, expires } of ignored) {
    const until = expires === undefined ? "" : `, until ${expires}`;
    const path = finding.path === "" ? "" : ` ${finding.path}`;
    lines.push(colors.dim(`ignored: ${finding.class} ${finding.name}${path} (${plain(reason)}${until})`));
  }
  for (const { message, place } of warnings)
    lines.push(colors.yellow(`warning: ${at(place)}${plain(message)}`));
  for (const remark of report.remarks ?? []) lines.push(colors.dim(plain(remark)));
  if (ignored.length + warnings.length + (report.remarks?.length ?? 0) > 0) lines.push("");
  const rest = report.unchanged > 0 ? `, ${same}` : "";
  lines.push(`${plain(report.verdict)}${rest} (${seconds.toFixed(1)} s)`);
  if (report.changedSinceLast !== undefined)
    lines.push(
      report.changedSinceLast
        ? "The findings have changed since the last run."
        : "The findings are the same as in the last run.",
    );
  return `${lines.join("\n")}\n`;

  function objects(found: readonly FindingView[], tone: Tone): string[] {
    const [symbol, color] = looks[tone];
    return [...groupBy(found, ({ type, name }) => `${type.padEnd(width)}  ${name}`)].flatMap(
      ([object, all]) => [
        `  ${colors[color](symbol)} ${object}${about(all[0])}`,
        ...properties(all.filter(({ path }) => path !== "")),
      ],
    );
  }

  /** Describes the whole object. */
  function about(finding: FindingView | undefined): string {
    if (finding === undefined || finding.path !== "") return "";
    const { will, note } = finding;
    const text = [will && `to ${will}`, note].filter(Boolean).join(", ");
    return text === "" ? "" : colors.dim(`  ${text}`);
  }

  function properties(found: readonly FindingView[]): string[] {
    const longest = Math.max(0, ...found.map(({ path }) => path.length));
    return found.flatMap((finding) => {
      const { path, remark, columns, note } = finding;
      const [before, after] = columns;
      const more = note === undefined ? "" : colors.dim(`  ${note}`);
      const line = (said: string) => `        ${path.padEnd(longest)}  ${said}${more}`;
      if (remark !== undefined) return line(colors.dim(remark));
      const change = changeOf(finding);
      if ("said" in change) return line(change.said);
      if ("before" in change && inOneLine(change))
        return line(
          `${before.title} ${colors.green(change.before)}, ${after.title} ${colors.red(change.after)}`,
        );
      return [
        line(colors.dim(legend(finding))),
        ...coloredLines(change, colors).map((text) => `          ${text}`),
      ];
    });
  }
}

/** Removes control characters from names, which come from the workspace. */
function tame(finding: FindingView): FindingView {
  const { name, path, note, remark } = finding;
  return {
    ...finding,
    name: plain(name),
    path: plain(path),
    ...(note === undefined ? {} : { note: plain(note) }),
    ...(remark === undefined ? {} : { remark: plain(remark) }),
  };
}

function at(place: ReportView["warnings"][number]["place"]): string {
  return place === undefined ? "" : `${place.file}:${place.line}: `;
}
