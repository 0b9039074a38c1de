/** Formats the values of findings, and what could not be read. */
import type { FindingsReport } from "../automation/report/findings-report.js";
import type { Cell, FindingView, UnreadView } from "../automation/report/report-view.js";
import { formatCount } from "../diff/format-count.js";
import type { NotWatched } from "../diff/ignored-changes.js";
import { mapDeep } from "../diff/values.js";
import { findDefinition } from "../provider/index.js";
import { groupBy } from "../text/lists.js";
import { formatBlockLines, showChange, type ShownChange, showWholeLines } from "../text/shown-change.js";
import { formatNodeCount } from "./object-words.js";

type Valued = Pick<FindingView, "labels">;
type VerdictFacts = Pick<FindingsReport, "complete" | "incomplete" | "ignored" | "counts" | "findings">;

interface StackAddress {
  readonly workspace: string;
  readonly baseUrl: string;
  readonly stack: string;
}

/** Returns how the two values of a finding differ. */
export function showCellChange({ columns, ...finding }: Valued & Pick<FindingView, "columns">): ShownChange {
  const [before, after] = columns.map((cell) => getCellValue(cell, finding));
  return showChange(before, after);
}

/** Formats the whole value of a source. */
export function formatCell(cell: Cell, finding: Valued): string {
  return showWholeLines(getCellValue(cell, finding)).join("\n");
}

/** Returns a value with the names of objects next to their ids. */
function getCellValue({ value }: Cell, { labels = {} }: Valued): unknown {
  return mapDeep(value, (part) => {
    const label = typeof part === "number" ? labels[String(part)] : undefined;
    return label === undefined ? part : `${label} (${String(part)})`;
  });
}

/**
 * Describes how a property changes in one line. What differs in lines follows it: {@link listBlockLines}.
 * @param said the sentence about both values
 * @param more a note in parentheses
 */
export function formatChangeSentence(
  finding: Valued & Pick<FindingView, "columns" | "path">,
  said: (before: string, after: string) => string,
  more: string = "",
): string {
  const change = showCellChange(finding);
  const { path } = finding;
  if ("said" in change) return `${path}: ${change.said}${more}`;
  if ("before" in change) return `${path}: ${said(change.before, change.after)}${more}`;
  return `${path} (${formatLegend(finding)})${more}:`;
}

/** Returns the lines in which the values of a finding differ; none when its sentence contains both. */
export function listBlockLines(
  finding: Valued & Pick<FindingView, "columns" | "path" | "remark">,
): readonly string[] {
  if (finding.path === "" || finding.remark !== undefined) return [];
  const change = showCellChange(finding);
  return "lines" in change ? formatBlockLines(change) : [];
}

/** Says which source a sign stands for. */
export function formatLegend({ columns: [before, after] }: Pick<FindingView, "columns">): string {
  return `- ${before.title}, + ${after.title}`;
}

/** `2 deleted, 1 changed`, or "nothing". */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([of, count]) => (count > 0 ? [`${count} ${of}`] : []));
  return parts.join(", ") || "nothing";
}

/** The head of a report on a stack. */
export function stackHead(kind: string, what: string, { workspace, baseUrl, stack }: StackAddress) {
  return {
    kind,
    title: `${what} ${workspace}`,
    id: `${kind}/${workspace}/${stack}/`,
    subject: `${what.toLowerCase()} ${workspace}, stack ${stack}`,
    scene: `workspace ${workspace}, stack ${stack}`,
    address: baseUrl,
    about: [
      { is: workspace, strong: true },
      " · stack ",
      { is: stack, strong: true },
      " · ",
      { is: baseUrl },
    ],
    facts: [
      ["Workspace", workspace],
      ["Stack", stack],
      ["Service", baseUrl],
    ],
  } as const;
}

/** `1 object`, `3 objects` */
export function formatObjectCount(count: number): string {
  return formatCount(count, "object");
}

type Counted = Pick<FindingsReport, "counts" | "findings">;

/**
 * Counts the objects with findings of each class: an object of which two properties differ is one, as it is where objects without findings are
 * counted. What cannot be verified is counted by value.
 */
export function countObjects({ counts, findings }: Counted): Record<string, number> {
  const objects = Object.keys(counts).map((of) => {
    if (of === "unverifiable") return [of, counts[of] ?? 0];
    const found = findings.filter((one) => one.class === of);
    // Several objects that nobody declares may have one name.
    const keys = found.map(({ id, path, type, name }) => (path === "" ? id : `${type} ${name}`));
    return [of, new Set(keys).size];
  });
  return Object.fromEntries(objects) as Record<string, number>;
}

/** Summarizes a report in one line. @param same how many objects have no findings: `38 as declared` */
export function formatVerdictText(report: VerdictFacts, lead: string, unchanged: number, as: string): string {
  const { complete, incomplete, ignored } = report;
  const { unverifiable = 0, ...counts } = countObjects(report);
  const isAlone = Object.values(counts).every((count) => count === 0);
  const same = `${isAlone ? formatObjectCount(unchanged) : unchanged} ${as}`;
  const found = countsText(counts);
  const values = formatNotVerifiable(unverifiable, ", ");
  const unread = complete ? "" : `; ${incomplete.length} could not be read`;
  const hidden = ignored.length === 0 ? "" : `; ${ignored.length} ignored`;
  return `${lead}: ${found === "nothing" ? "" : `${found}, `}${same}${values}${unread}${hidden}`;
}

/** `2 values not verifiable`, after a separator; empty without any. */
export function formatNotVerifiable(count: number, before: string, after: string = ""): string {
  return count === 0 ? "" : `${before}${formatCount(count, "value")} not verifiable${after}`;
}

/** Groups unread objects by reason. That of a token without a right differs from object to object only in the request, the scope or the name. */
export function groupUnread(incomplete: readonly UnreadView[]): { reason: string; what: string[] }[] {
  const groups = groupBy(incomplete, ({ reason }) => findCause(reason));
  return [...groups].map(([cause, of]) => {
    const reasons = new Set(of.map(({ reason }) => reason));
    const [first = ""] = reasons;
    const more = formatCount(reasons.size - 1, "more request");
    const shared = cause.startsWith("each ") ? cause : `${first} The same of ${more}.`;
    return { reason: reasons.size === 1 ? first : shared, what: of.map(({ what }) => what) };
  });
}

const HIDDEN = " is perhaps hidden ";

function findCause(reason: string): string {
  const hidden = reason.indexOf(HIDDEN);
  if (hidden >= 0) return `each ${reason.slice(hidden + 1)}`;
  const [, refusal] = /^[A-Z]+ \/\S*: (403 .*?) This requires /s.exec(reason) ?? [];
  return refusal ?? reason;
}

/** Describes an unread object with the reason. */
export function formatUnreadText({ what, reason }: UnreadView): string {
  return `${what}: ${reason}`;
}

/** Names the properties that are not watched, in one line. */
export function listNotWatchedNotes({
  notWatched = [],
}: {
  readonly notWatched?: readonly NotWatched[] | undefined;
}): string[] {
  if (notWatched.length === 0) return [];
  const each = notWatched.map(({ name, paths }) => `${name}: ${paths.join(", ")}`);
  return [`not watched, since ignoreChanges names them: ${each.join("; ")}`];
}

interface WholeObject {
  readonly finding: FindingView;
  /** The objects in it. */
  readonly inside: readonly FindingView[];
}

/** Returns findings without whole objects that are in another one of the same class. */
export function withoutContents(findings: readonly FindingView[]): WholeObject[] {
  const wholes = findings.filter(({ path }) => path === "");
  const insideOf = (outer: FindingView) =>
    wholes.filter(
      (inner) =>
        inner.class === outer.class &&
        inner.scope?.text === outer.scope?.text &&
        inner.name.startsWith(`${outer.name}/`),
    );
  const inner = new Set(wholes.flatMap(insideOf));
  return findings
    .filter((finding) => !inner.has(finding))
    .map((finding) => ({ finding, inside: finding.path === "" ? insideOf(finding) : [] }));
}

/** Counts objects by kind: `4 actions, 1 variable`. @param all also what only the engine has as an object, so that the sum is the total */
export function formatInside(
  findings: readonly Pick<FindingView, "type" | "scope">[],
  all: boolean = false,
): string {
  const nodes = findings.flatMap(({ type, scope }) => {
    const node = { type, definition: findDefinition(type) };
    return Array.from({ length: scope?.count ?? 1 }, () => node);
  });
  return formatNodeCount(nodes, undefined, all) || formatObjectCount(nodes.length);
}
