/** Values of findings as texts. */
import type { DriftReport, Finding, Incomplete } from "./model.js";

/** What stands where there is no value. */
export const ABSENT = "(none)";

/**
 * A value as one line: texts in quotes, fingerprints as they are, numbers of objects with their names.
 * @param longest more than this many signs are cut
 */
export function valueText(
  value: unknown,
  { labels, secret }: Pick<Finding, "labels" | "secret">,
  longest = Infinity,
): string {
  if (value === undefined || value === null) return ABSENT;
  const text = plain(
    secret && typeof value === "string" ? value : JSON.stringify(named(value, labels ?? {})),
  );
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** Without signs that steer a terminal or break a line. */
export function plain(text: string): string {
  return text.replace(/\p{Cc}/gu, "\uFFFD");
}

/** A value over several lines, for where there is room: an object as one property a line. */
export function valueBlock(value: unknown, finding: Pick<Finding, "labels" | "secret">): string {
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

/** What a finding says, in one sentence; the object is named elsewhere. */
export function sentence(finding: Finding, longest = 60): string {
  const show = (value: unknown) => valueText(value, finding, longest);
  const { class: of, path, operation, declared, applied, live, note } = finding;
  const more = note === undefined ? "" : ` (${note})`;
  switch (of) {
    case "deleted":
      return `is gone from the workspace${more}`;
    case "added":
      return `is in the workspace and not declared${more}`;
    case "unverifiable":
      return `${path}: the service does not show it, so nobody can tell whether it is as declared${more}`;
    case "changed":
      return `${path}: declared ${show(declared ?? applied)}, live ${show(live)}${more}`;
    case "pending":
      if (path !== "")
        return `${path}: declared ${show(declared)}, not applied yet: live ${show(live)}${more}`;
      return operation === "create"
        ? `is declared and not made yet${more}`
        : `is to be ${operation === "release" ? "released" : "deleted"}${more}`;
  }
}

/** `2 deleted, 1 changed`; "nothing" where there is none. */
export function countsText(counts: Readonly<Record<string, number>>): string {
  const parts = Object.entries(counts).flatMap(([of, count]) => (count > 0 ? [`${count} ${of}`] : []));
  return parts.join(", ") || "nothing";
}

/** The verdict in one line. */
export function verdict({
  result,
  counts,
  complete,
  incomplete,
  ignored,
}: Pick<DriftReport, "result" | "counts" | "complete" | "incomplete" | "ignored">): string {
  const unread = complete ? "" : `; ${incomplete.length} could not be read`;
  const hidden = ignored.length === 0 ? "" : `; ${ignored.length} ignored`;
  const found = countsText(counts);
  const lead = { clean: "Clean", drift: "Drift", incomplete: "Incomplete" }[result] ?? result;
  const said =
    found === "nothing"
      ? result === "clean"
        ? "the workspace is as it was declared"
        : "no findings"
      : found;
  return `${lead}: ${said}${unread}${hidden}`;
}

/** What could not be read, by the reason: one reason often concerns many. */
export function unreadGroups(incomplete: readonly Incomplete[]): { reason: string; what: string[] }[] {
  const groups = new Map<string, string[]>();
  for (const one of incomplete) {
    const needs = one.scopes === undefined ? "" : ` (needs ${one.scopes.join(" and ")})`;
    const reason = `${one.reason}${one.reason.includes(one.scopes?.join(" and ") ?? "") ? "" : needs}`;
    groups.set(reason, [...(groups.get(reason) ?? []), unreadName(one)]);
  }
  return [...groups].map(([reason, what]) => ({ reason, what }));
}

/** How an unread thing is named. */
export function unreadName({ type, name, list }: Incomplete): string {
  if (!list) return `${type} ${name ?? ""}`.trim();
  return `every other ${type} of ${name ?? "the workspace"}`;
}

/** An unread thing with the reason, in one line. */
export function unreadText(one: Incomplete): string {
  return `${unreadName(one)}: ${one.reason}`;
}
