/** Formats the values of findings. */
import { plain } from "../../client/printable.js";
import type { NotWatched } from "../../diff/ignored-changes.js";
import { mapDeep } from "../../diff/values.js";
import { groupBy } from "../lists.js";
import type { FindingsReport } from "./report.js";
import type { Cell, FindingView, UnreadView } from "./report-view.js";

export { plain };

type Shown = Pick<FindingView, "labels" | "secret">;
type VerdictFacts = Pick<FindingsReport, "counts" | "complete" | "incomplete" | "ignored">;

interface StackPlace {
  readonly workspace: string;
  readonly baseUrl: string;
  readonly stack: string;
}

/** Represents a missing value. */
export const ABSENT = "(none)";
/** Represents a value that the source does not know. */
const UNKNOWN = "(not known)";

/**
 * Formats a value in one line: texts in quotes, ids with the names of their objects.
 * @param longest maximum number of characters
 */
export function valueText(value: unknown, { labels, secret }: Shown, longest = Infinity): string {
  if (value === undefined || value === null) return ABSENT;
  const text = plain(
    secret && typeof value === "string" ? value : JSON.stringify(named(value, labels ?? {})),
  );
  return cut(text, longest);
}

/** Shortens a text. */
export function cut(text: string, longest: number): string {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** Formats a value in several lines: an object has one property per line. */
export function valueBlock(value: unknown, finding: Shown): string {
  if (value === undefined || value === null) return ABSENT;
  if (typeof value === "string" && (finding.secret || value.includes("\n"))) return value;
  const shown = named(value, finding.labels ?? {});
  if (typeof shown !== "object" || shown === null || Array.isArray(shown))
    return JSON.stringify(shown, null, 2);
  const lines = Object.entries(shown).map(([name, one]) => `${name}: ${JSON.stringify(one, null, 2)}`);
  return lines.join("\n") || "{}";
}

function named(value: unknown, labels: Readonly<Record<string, string>>): unknown {
  return mapDeep(value, (part) => {
    const label = typeof part === "number" ? labels[String(part)] : undefined;
    return label === undefined ? part : `${label} (${String(part)})`;
  });
}

/** `2 deleted, 1 changed`, or "nothing". */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([of, count]) => (count > 0 ? [`${count} ${of}`] : []));
  return parts.join(", ") || "nothing";
}

/** The head of a report on a stack. */
export function stackHead(kind: string, what: string, { workspace, baseUrl, stack }: StackPlace) {
  return {
    kind,
    title: `${what} ${workspace}`,
    id: `${kind}/${workspace}/${stack}/`,
    subject: `${what.toLowerCase()} ${workspace}, stack ${stack}`,
    scene: `workspace ${workspace}, stack ${stack}`,
    about: [
      ...["Workspace ", { is: workspace, strong: true }, " at ", { is: baseUrl }],
      ...[", stack ", { is: stack, strong: true }],
    ],
    facts: [
      ["Workspace", workspace],
      ["Stack", stack],
      ["Service", baseUrl],
    ],
  } as const;
}

/** `1 object`, `3 objects` */
export function objectsText(count: number): string {
  return `${count} ${count === 1 ? "object" : "objects"}`;
}

/** Summarizes a report in one line. @param nothing what it says without findings */
export function verdictText(
  { counts, complete, incomplete, ignored }: VerdictFacts,
  lead: string,
  nothing: string,
): string {
  const found = countsText(counts);
  const unread = complete ? "" : `; ${incomplete.length} could not be read`;
  const hidden = ignored.length === 0 ? "" : `; ${ignored.length} ignored`;
  return `${lead}: ${found === "nothing" ? nothing : found}${unread}${hidden}`;
}

/** Formats the value of a source in one line. */
export function cellText({ value, text, unknown }: Cell, finding: Shown, longest = Infinity): string {
  if (text !== undefined) return cut(plain(text), longest);
  return unknown ? UNKNOWN : valueText(value, finding, longest);
}

/** Formats the value of a source in several lines. */
export function cellBlock({ value, text, unknown }: Cell, finding: Shown): string {
  if (text !== undefined) return text;
  return unknown ? UNKNOWN : valueBlock(value, finding);
}

/** Groups unread objects by reason. */
export function unreadGroups(incomplete: readonly UnreadView[]): { reason: string; what: string[] }[] {
  const groups = groupBy(incomplete, ({ reason }) => reason);
  return [...groups].map(([reason, of]) => ({ reason, what: of.map(({ what }) => what) }));
}

/** Describes an unread object with the reason. */
export function unreadText({ what, reason }: UnreadView): string {
  return `${what}: ${reason}`;
}

/** Names the properties that are not watched, in one line. */
export function notWatchedRemarks({
  notWatched = [],
}: {
  readonly notWatched?: readonly NotWatched[] | undefined;
}): string[] {
  if (notWatched.length === 0) return [];
  const each = notWatched.map(({ name, paths }) => `${name}: ${paths.join(", ")}`);
  return [`not watched, since ignoreChanges names them: ${each.join("; ")}`];
}
