/** The report for people at a terminal: by class, then by object. */
import type { Io } from "../../io.js";
import {
  classDescriptions,
  findingClasses,
  type DriftReport,
  type Finding,
  type FindingClass,
} from "../model.js";
import { plain, unreadGroups, valueText, verdict } from "../values.js";

const looks: Readonly<
  Record<FindingClass, readonly [symbol: string, color: "red" | "yellow" | "magenta" | "cyan" | "dim"]>
> = {
  deleted: ["-", "red"],
  changed: ["~", "yellow"],
  added: ["+", "magenta"],
  pending: ["…", "cyan"],
  unverifiable: ["?", "dim"],
};

/** So long may a value be. */
const LONGEST = 60;

export function table(report: DriftReport, colors: Io["colors"]): string {
  const { warnings, unchanged, seconds } = report;
  const findings = report.findings.map(tame);
  const ignored = report.ignored.map((one) => ({ ...one, finding: tame(one.finding) }));
  const incomplete = report.incomplete.map((one) => ({
    ...one,
    reason: plain(one.reason),
    ...(one.name === undefined ? {} : { name: plain(one.name) }),
  }));
  const width = Math.max(0, ...findings.map(({ type }) => type.length));
  const lines = [
    `Workspace ${colors.bold(report.workspace)} at ${report.baseUrl}, stack ${colors.bold(report.stack)}`,
    "",
  ];
  for (const of of findingClasses) {
    const found = findings.filter((finding) => finding.class === of);
    if (found.length === 0) continue;
    lines.push(`${colors.bold(of)} ${colors.dim(classDescriptions[of])}`, ...objects(found, of), "");
  }
  if (incomplete.length > 0) {
    lines.push(`${colors.bold("not read")} ${colors.dim("Of these nothing is known.")}`);
    for (const { reason, what } of unreadGroups(incomplete))
      lines.push(`  ${colors.red("!")} ${reason}`, ...what.map((one) => `        ${one}`));
    lines.push("");
  }
  for (const { finding, reason, expires } of ignored) {
    const until = expires === undefined ? "" : `, until ${expires}`;
    const path = finding.path === "" ? "" : ` ${finding.path}`;
    lines.push(colors.dim(`ignored: ${finding.class} ${finding.name}${path} (${reason}${until})`));
  }
  for (const { message, place } of warnings)
    lines.push(colors.yellow(`warning: ${at(place)}${plain(message)}`));
  if (ignored.length + warnings.length > 0) lines.push("");
  const same = unchanged > 0 ? `, ${unchanged} ${unchanged === 1 ? "object" : "objects"} as declared` : "";
  lines.push(`${verdict(report)}${same} (${seconds.toFixed(1)} s)`);
  if (report.changedSinceLast !== undefined)
    lines.push(
      report.changedSinceLast ? "This is not what the last run found." : "The last run found the same.",
    );
  return `${lines.join("\n")}\n`;

  function objects(found: readonly Finding[], of: FindingClass): string[] {
    const [symbol, color] = looks[of];
    const byObject = new Map<string, Finding[]>();
    for (const finding of found) {
      const key = `${finding.type.padEnd(width)}  ${finding.name}`;
      byObject.set(key, [...(byObject.get(key) ?? []), finding]);
    }
    return [...byObject].flatMap(([object, all]) => [
      `  ${colors[color](symbol)} ${object}${about(all[0])}`,
      ...properties(all.filter(({ path }) => path !== "")),
    ]);
  }

  /** What there is to say of the object as a whole. */
  function about(finding: Finding | undefined): string {
    if (finding === undefined || finding.path !== "") return "";
    const { operation, note } = finding;
    const will = operation === undefined ? [] : [`to ${operation}`];
    const words = [...will, ...(note === undefined ? [] : [note])].join(", ");
    return words === "" ? "" : colors.dim(`  ${words}`);
  }

  function properties(found: readonly Finding[]): string[] {
    const longest = Math.max(0, ...found.map(({ path }) => path.length));
    return found.map((finding) => {
      const { class: of, path, declared, applied, live, note } = finding;
      const show = (value: unknown) => valueText(value, finding, LONGEST);
      const said =
        of === "unverifiable"
          ? colors.dim("the service does not show it")
          : `declared ${colors.green(show(declared ?? (of === "changed" ? applied : undefined)))}, live ${colors.red(show(live))}`;
      return `        ${path.padEnd(longest)}  ${said}${note === undefined ? "" : colors.dim(`  ${note}`)}`;
    });
  }
}

/** Names come from the workspace: none of them may steer the terminal. */
function tame(finding: Finding): Finding {
  const { name, path, note } = finding;
  return {
    ...finding,
    name: plain(name),
    path: plain(path),
    ...(note === undefined ? {} : { note: plain(note) }),
  };
}

function at(place: DriftReport["warnings"][number]["place"]): string {
  return place === undefined ? "" : `${place.file}:${place.line}: `;
}
