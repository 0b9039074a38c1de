/** Converts drift to the view that all report formats share: declared next to live values. */
import { listCreatedAgain } from "../../automation/drift/created-again.js";
import {
  driftClassDescriptions,
  type DriftFinding,
  type DriftReport,
  type UnreadObject,
} from "../../automation/drift/drift-report.js";
import { type FindingClass, findingClasses } from "../../automation/report/finding-classes.js";
import type {
  Cell,
  ClassView,
  FindingView,
  Remedy,
  ReportView,
  Tone,
} from "../../automation/report/report-view.js";
import { formatScopesText } from "../../automation/report/scopes.js";
import { isSameJson } from "../../diff/values.js";
import { formatCommandLine } from "../../text/safe-text.js";
import { formatAge } from "../finding-record.js";
import {
  countObjects,
  formatChangeSentence,
  formatObjectCount,
  formatVerdictText,
  listBlockLines,
  listNotWatchedNotes,
  stackHead,
} from "../format-values.js";

const tones: Readonly<Record<FindingClass, Tone>> = {
  deleted: "gone",
  changed: "other",
  added: "new",
  pending: "later",
  unverifiable: "unknown",
};

export const driftClassViews = findingClasses.map((name): ClassView => {
  const columns = name === "changed" || name === "pending";
  const folded = name === "pending" || name === "unverifiable";
  return {
    name,
    description: driftClassDescriptions[name],
    tone: tones[name],
    columns,
    folded,
    ...(name === "deleted"
      ? { whole: "deleted outside" }
      : name === "added"
        ? { whole: "not declared" }
        : {}),
    ...(name === "pending" ? { whole: "not applied yet" } : {}),
    replaced: name === "changed",
    counted: name === "unverifiable",
  };
});

const STATE_ALONE =
  "Compared with the state alone: changes of the program that are not applied yet are not part of this report.";

interface DriftViewOptions {
  /** The options with which the command was run, for the commands that it proposes. */
  readonly again?: readonly string[];
  /** List the values that cannot be verified. */
  readonly unverifiable?: boolean | undefined;
}

export function createDriftView(
  report: DriftReport,
  { again, unverifiable }: DriftViewOptions = {},
): ReportView {
  const { result, unchanged, ignored, incomplete } = report;
  const head = stackHead("drift", "Drift of", report);
  const objects = formatObjectCount(unchanged);
  return {
    ...report,
    ...head,
    counts: countObjects(report),
    facts: [...head.facts, ["As declared", objects]],
    verdict: formatDriftVerdict(report),
    outcome: result === "drift" ? "found" : result,
    same: `${objects} as declared`,
    nothing:
      result === "clean"
        ? "The workspace matches the declaration."
        : "Nothing was found in what could be read.",
    classes: unverifiable ? driftClassViews.map((one) => ({ ...one, counted: false })) : driftClassViews,
    findings: report.findings.map((finding) => ({
      ...createFindingView(finding),
      ...(again === undefined ? {} : { remedies: listRemedies(finding, report, again) }),
    })),
    ...(again === undefined ? {} : { remediesForAll: listRemediesForAll(report, again) }),
    ignored: ignored.map((one) => ({ ...one, finding: createFindingView(one.finding) })),
    incomplete: incomplete.map((one) => ({
      what: formatUnreadName(one),
      type: one.type,
      reason: `${one.reason}${formatScopesText(one)}`,
    })),
    remarks: [...(report.comparedWith === "state" ? [STATE_ALONE] : []), ...listNotWatchedNotes(report)],
  };
}

/** What can be done about all findings: only what does something about one of them. */
function listRemediesForAll({ findings }: DriftReport, again: readonly string[]): Remedy[] {
  const verbs = BOTH.filter((verb) => findings.some((one) => listVerbs(one, findings).includes(verb)));
  if (verbs.length > 0) return listCommands(verbs, ["--all", ...again]);
  if (!findings.some((one) => one.class === "pending")) return [];
  return [{ label: "apply", command: formatCommandLine(["workspacectl", "up", ...again]) }];
}

/** What can be done about an object and what is in it: take what is there into the file, or make it what the file says. */
function listRemedies(finding: DriftFinding, { findings }: DriftReport, again: readonly string[]): Remedy[] {
  const { name, path } = finding;
  const inside = findings.filter(
    (one) => path === "" && one.class === finding.class && one.path === "" && one.name.startsWith(`${name}/`),
  );
  const objects = [name, ...inside.map((one) => one.name)];
  return listCommands(listVerbs(finding, findings), [...objects, ...again]).map((one) => ({
    ...one,
    objects,
  }));
}

/** Where an object was created again, its name already exists, so the deleted one cannot be created. */
function listVerbs(finding: DriftFinding, findings: readonly DriftFinding[]): readonly string[] {
  return listCreatedAgain(findings).includes(finding.name) ? ["accept"] : POSSIBLE[finding.class];
}

const BOTH = ["accept", "revert"] as const;

const POSSIBLE: Readonly<Record<DriftFinding["class"], readonly string[]>> = {
  deleted: BOTH,
  changed: BOTH,
  added: ["accept"],
  pending: [],
  unverifiable: [],
};

const listCommands = (verbs: readonly string[], words: readonly string[]): Remedy[] =>
  verbs.map((label) => ({ label, command: formatCommandLine(["workspacectl", "drift", label, ...words]) }));

function createFindingView(finding: DriftFinding): FindingView {
  const columns = describeColumns(finding);
  const notes = [finding.note, formatAge(finding)].filter((text) => text !== undefined);
  return {
    ...finding,
    ...(notes.length === 0 ? {} : { note: notes.join(", ") }),
    sentence: () => formatSentence(finding),
    ...(finding.class === "unverifiable" ? { remark: "the service does not return it" } : {}),
    columns,
    sides: listSides(finding, ...columns),
    will: finding.operation,
  };
}

function describeColumns({ class: findingClass, declared, applied, live }: DriftFinding): [Cell, Cell] {
  return [
    {
      title: "declared",
      value: declared ?? (findingClass === "changed" ? applied : undefined),
      tone: "expected",
    },
    { title: "live", value: live, tone: "actual" },
  ];
}

/** Values to show: for a deleted object the declared ones, for an added object the live ones. */
function listSides(finding: DriftFinding, before: Cell, after: Cell): Cell[] {
  const { class: findingClass, declared, applied, live } = finding;
  const isPending = findingClass === "pending";
  if (findingClass === "unverifiable" || findingClass === "deleted" || (isPending && live === undefined))
    return [before];
  if (findingClass === "added" || (isPending && declared === undefined)) return [after];
  const other =
    findingClass === "changed" && applied != null && declared != null && !isSameJson(applied, declared);
  return [before, after, ...(other ? [{ title: "last applied", value: applied }] : [])];
}

/** Describes a finding in one line, without the name of its object: also the lines that differ. */
export function formatFinding(finding: DriftFinding): string {
  const block = listBlockLines({ ...finding, columns: describeColumns(finding) });
  return [formatSentence(finding), ...block.filter((line) => !line.startsWith("@@"))].join("  ");
}

/** Describes a finding in one sentence, without the name of its object. */
export function formatSentence(finding: DriftFinding): string {
  const { path, operation, note } = finding;
  const values = { ...finding, columns: describeColumns(finding) };
  const more = note === undefined ? "" : ` (${note})`;
  switch (finding.class) {
    case "deleted":
      return `is gone from the workspace${more}`;
    case "added":
      return `is in the workspace and not declared${more}`;
    case "unverifiable":
      return `${path}: the service does not return it, so it cannot be compared with the declaration${more}`;
    case "changed":
      return formatChangeSentence(values, (before, after) => `declared ${before}, live ${after}`, more);
    case "pending":
      if (path !== "")
        return formatChangeSentence(
          values,
          (before, after) => `declared ${before}, not applied yet: live ${after}`,
          more,
        );
      return operation === "create"
        ? `is declared but not created yet${more}`
        : `is to be ${operation === "release" ? "released" : "deleted"}${more}`;
  }
}

/** Summarizes the result in one line. */
export function formatDriftVerdict(
  report: Pick<
    DriftReport,
    "result" | "counts" | "findings" | "complete" | "incomplete" | "ignored" | "unchanged"
  >,
): string {
  const { result, unchanged } = report;
  const lead = { clean: "No drift", drift: "Drift", incomplete: "Incomplete" }[result];
  return formatVerdictText(report, lead, unchanged, "as declared");
}

/** Names an unread object or list. */
function formatUnreadName({ type, name, list }: UnreadObject): string {
  if (!list) return `${type} ${name ?? ""}`.trim();
  return `every other ${type} of ${name ?? "the workspace"}`;
}
