/** Values of findings as texts. */
import { plain } from "../../client/printable.js";
import type { Cell, FindingView, ReportView } from "./report-view.js";

export { plain };

type Shown = Pick<FindingView, "labels" | "secret">;

/** What stands where there is no value. */
export const ABSENT = "(none)";
/** What stands where a side does not know the value. */
const UNKNOWN = "(not known)";

/**
 * A value as one line: texts in quotes, fingerprints as they are, numbers of objects with their names.
 * @param longest more than this many signs are cut
 */
export function valueText(value: unknown, { labels, secret }: Shown, longest = Infinity): string {
  if (value === undefined || value === null) return ABSENT;
  const text = plain(
    secret && typeof value === "string" ? value : JSON.stringify(named(value, labels ?? {})),
  );
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** A value over several lines, for where there is room: an object as one property a line. */
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
  if (Array.isArray(value)) return value.map((item) => named(item, labels));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, named(inner, labels)]));
  const label = typeof value === "number" ? labels[String(value)] : undefined;
  return label === undefined ? value : `${label} (${String(value)})`;
}

/** `2 deleted, 1 changed`; "nothing" where there is none. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([of, count]) => (count > 0 ? [`${count} ${of}`] : []));
  return parts.join(", ") || "nothing";
}

/** What a side says, as one line. */
export function cellText({ value, unknown }: Cell, finding: Shown, longest = Infinity): string {
  return unknown ? UNKNOWN : valueText(value, finding, longest);
}

/** What a side says, over several lines. */
export function cellBlock({ value, unknown }: Cell, finding: Shown): string {
  return unknown ? UNKNOWN : valueBlock(value, finding);
}

/** What could not be read, by the reason: one reason often concerns many. */
export function unreadGroups(incomplete: ReportView["incomplete"]): { reason: string; what: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const { reason, what } of incomplete) groups.set(reason, [...(groups.get(reason) ?? []), what]);
  return [...groups].map(([reason, what]) => ({ reason, what }));
}

/** An unread thing with the reason, in one line. */
export function unreadText({ what, reason }: ReportView["incomplete"][number]): string {
  return `${what}: ${reason}`;
}
