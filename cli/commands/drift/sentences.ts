/** Describes drift findings in words. */
import { countsText, valueText } from "../../reporters/values.js";
import type { DriftReport, DriftFinding, UnreadObject } from "./model.js";

/** Describes a finding in one sentence, without the name of its object. */
export function sentence(finding: DriftFinding, longest = 60): string {
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

/** Summarizes the result in one line. */
export function driftVerdict({
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

/** Explains why something could not be read, with the scopes that the token needs. */
export function unreadReason({ reason, scopes }: UnreadObject): string {
  const needs = scopes === undefined ? "" : ` (needs ${scopes.join(" and ")})`;
  return `${reason}${reason.includes(scopes?.join(" and ") ?? "") ? "" : needs}`;
}

/** Names an unread object or list. */
export function unreadName({ type, name, list }: UnreadObject): string {
  if (!list) return `${type} ${name ?? ""}`.trim();
  return `every other ${type} of ${name ?? "the workspace"}`;
}
