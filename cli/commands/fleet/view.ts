/** Converts the report of a fleet to the view that all formats share: what the workspaces have in common, and what failed. */
import { compareFailOn } from "../../../automation/compare/compare-report.js";
import { driftFailOn } from "../../../automation/drift/drift-report.js";
import type { Operation } from "../../../automation/plan/planned-objects.js";
import { exitCodes } from "../../../automation/report/exit-codes.js";
import type {
  ClassView,
  FindingView,
  PartView,
  Remedy,
  Report,
  SectionView,
} from "../../../automation/report/report-view.js";
import { createFinding } from "../../../diff/finding.js";
import { formatCount } from "../../../diff/format-count.js";
import { pickDefined } from "../../../diff/values.js";
import { formatCountedSummary } from "../../../reports/plan/print-plan.js";
import { compareClassViews } from "../../../reports/views/compare-view.js";
import { driftClassViews } from "../../../reports/views/drift-view.js";
import { planClassViews } from "../../../reports/views/preview-view.js";
import { formatFirst, groupBy } from "../../../text/lists.js";
import { formatCommandLine } from "../../../text/safe-text.js";
import { shortenPath } from "../../../text/shown-path.js";
import { readVersion } from "../../../toolchain/locations.js";
import {
  chooseExitCode,
  computeFleetFingerprint,
  describeLackingSecrets,
  describeScope,
  type FleetReport,
  listClosedGates,
  listReviewFindings,
  listReviewSections,
  listScopeItems,
  signPlans,
} from "./outcome.js";
import type { FleetResult } from "./result.js";
import { type FleetCommand, isOffline } from "./workspace-command.js";

/** Results that are findings of the report. A class of the last one does not fail it. */
const resultClasses: readonly ClassView[] = (
  [
    ["error", "gone", "The command failed."],
    ["interrupted", "gone", "The command was interrupted."],
    ["refused", "gone", "`up` would refuse the plan."],
    ["incomplete", "unknown", "Something could not be read."],
    ["drift", "other", "The workspace does not match the declaration."],
    ["different", "other", "The workspaces differ."],
    ["skipped", "later", "The command was not started."],
  ] as const
).map(([name, tone, description]) => ({
  ...{ name, tone, description, columns: false, folded: false },
  ofParts: true,
}));
const failOn = ["error", "interrupted", "refused", "incomplete", "drift", "different"];

/** Only a comparison has workspaces that are different. */
function listResultClasses(command: FleetCommand): readonly ClassView[] {
  return resultClasses.filter(({ name }) => name !== "different" || command === "compare");
}

const commandClasses: Readonly<Record<FleetCommand, readonly ClassView[]>> = {
  preview: planClassViews,
  drift: driftClassViews,
  compare: compareClassViews,
  ...{ up: [], validate: [], lint: [], access: [] },
};

export function buildFleetView(report: FleetReport): Report {
  const { command, results, review = { groups: [], notes: [] } } = report;
  const subject = `fleet ${command}`;
  const names = results.map(({ name }) => name);
  const gates = listClosedGates(report).map(({ wave, summary }) => ({
    name: `gate of wave ${wave}`,
    file: "",
    stack: "",
    result: "error" as const,
    summary,
    exitCode: exitCodes.error,
  }));
  const said = new Set(review.groups.flatMap(({ workspaces }) => workspaces));
  const wrong = isOffline(command) ? review.notes.filter(({ level }) => level === "error") : [];
  const withProblems = new Set(wrong.flatMap(({ workspaces }) => workspaces));
  // What has drifted is said of each object, and what is wrong in a file at its line.
  const isSaid = ({ name, result }: FleetResult) =>
    result === "ok" ||
    withProblems.has(name) ||
    ((result === "drift" || result === "different") && said.has(name));
  const failed = [...results, ...gates].filter((one) => !isSaid(one));
  const found = listReviewFindings(report, names);
  const equal = groupEqual(failed, () => undefined);
  const findings = [...equal.map((one) => toFinding(one, names)), ...found];
  const exitCode = chooseExitCode(report);
  const isLoose = review.notes.some(({ level }) => level === "error");
  const planned = found.length > 0 ? "planned" : "clean";
  const unchanged = countUnchanged(report);
  const counts = countByClass(report, failed);
  const fingerprint = computeFleetFingerprint(report) ?? "";
  const view: Report["view"] = {
    kind: "fleet",
    title: `Fleet: ${command}`,
    id: `fleet/${command}/`,
    subject,
    scene: subject,
    about: [subject],
    facts: [["Workspaces", String(results.length)]],
    verdict: formatFleetVerdict(report),
    outcome: exitCode !== exitCodes.ok || isLoose ? "found" : command === "preview" ? planned : "clean",
    same: `${unchanged} unchanged`,
    unchanged,
    nothing: exitCode === exitCodes.ok ? "All workspaces are ok." : "What is wrong is listed above.",
    classes: [...listResultClasses(command), ...commandClasses[command]],
    findings,
    counts,
    ignored: [],
    incomplete: [],
    warnings: [],
    exitCode,
    fingerprint,
    parts: [...results, ...gates].map(toPart),
    failOn: [...failOn, ...(command === "drift" ? driftFailOn : command === "compare" ? compareFailOn : [])],
    sections: [
      buildErrors(equal, names),
      buildRemoved(report),
      buildOverview(report),
      ...listReviewSections(review, names),
      { name: "lacking", title: "The approval does not cover", items: describeLackingSecrets(report) },
      {
        name: "scopes",
        title: "Names of the workspaces",
        folded: true,
        items: listScopeItems(
          [...equal.map(({ names: workspaces }) => ({ workspaces })), ...review.groups, ...review.notes],
          names,
        ),
      },
    ].filter(({ items }) => items.length > 0),
    tool: { version: readVersion() },
    generatedAt: new Date().toISOString(),
    seconds: report.seconds ?? Math.max(0, ...results.map(({ seconds = 0 }) => seconds)),
    complete: results.every(({ result }) => isCounted(result)),
    ...buildApplyRemedy(report, fingerprint),
  };
  return { value: results, view };
}

function buildApplyRemedy(report: FleetReport, fingerprint: string): { remediesForAll?: readonly Remedy[] } {
  const { again: { args, more } = { args: [], more: [] }, results } = report;
  if (fingerprint === "" || results.some(({ result }) => result !== "ok") || changes(report) === 0) return {};
  const each = more.length === 0 ? [] : ["--", ...more];
  const words = ["workspacectl", "fleet", "up", ...args, "--approved", fingerprint, ...each];
  return { remediesForAll: [{ label: "apply exactly these plans", command: formatCommandLine(words) }] };
}

function changes({ review }: FleetReport): number {
  return (review?.groups.length ?? 0) + (review?.notes.some(({ level }) => level === "error") ? 1 : 0);
}

/** A row for all workspaces with equal results and equal plans. */
interface EqualResults {
  readonly first: FleetResult;
  readonly names: readonly string[];
  readonly owners: readonly string[];
}

export function groupEqualResults({ results, review }: FleetReport): EqualResults[] {
  const signatures = review === undefined ? new Map<string, string>() : signPlans(review);
  return groupEqual(results, ({ name }) => signatures.get(name)).toSorted(
    (one, other) => other.names.length - one.names.length,
  );
}

/** Groups workspaces of one wave with the same result and message, in the order of the first of each. */
export function groupEqual(
  results: readonly FleetResult[],
  distinguish: (result: FleetResult) => string | undefined,
): EqualResults[] {
  const keyOf = (one: FleetResult) =>
    JSON.stringify([one.wave, one.result, toCommonSummary(one), distinguish(one)]);
  return [...groupBy(results, keyOf).values()].map((of) => {
    const first = of[0]!;
    const isSame = of.every(({ summary }) => summary === first.summary);
    const names = of.map(({ name }) => name);
    const owners = [...new Set(of.flatMap(({ owner = [] }) => owner))];
    return { first: isSame ? first : { ...first, summary: toCommonSummary(first) }, names, owners };
  });
}

/** The message without what names the workspace: the same error reads the same in all of them. */
function toCommonSummary({ name, workspace = name, file, summary }: FleetResult): string {
  return [file, workspace, name]
    .filter((word) => word !== "")
    .reduce((text, word) => {
      const exactly = new RegExp(`(?<![\\w-])${word.replace(/[^\w-]/g, "\\$&")}(?![\\w-])`, "g");
      return text.replace(exactly, word === file ? "<file>" : "<workspace>");
    }, summary);
}

function buildOverview(report: FleetReport): SectionView {
  const all = report.results.map(({ name }) => name);
  const rows = groupEqualResults(report).filter(({ first }) => isCounted(first.result));
  return {
    name: "workspaces",
    title: "Workspaces",
    ofParts: true,
    items: rows.map(({ first, names, owners }) => ({
      text: `${describeScope(names, all).text}${formatOwners(owners)}: ${first.summary}`,
      level: "info" as const,
    })),
  };
}

/** Workspaces in one row may have several owners. */
function formatOwners(owners: readonly string[]): string {
  return owners.length === 0 ? "" : ` (${nameOwners(owners)})`;
}

/** Maximum number of owners to name. */
const NAMED = 3;

function nameOwners(owners: readonly string[]): string {
  return `${owners.length === 1 ? "owner" : "owners"}: ${formatFirst(owners, NAMED)}`;
}

/** Whether the summary of a result counts what was found, and is no error. */
function isCounted(result: FleetResult["result"]): boolean {
  return ["ok", "drift", "different"].includes(result);
}

function toPart({ name, owner, result, summary }: FleetResult): PartView {
  const isBroken = result === "error" || result === "interrupted";
  const ended = isBroken
    ? "error"
    : result === "skipped"
      ? "skipped"
      : failOn.includes(result)
        ? "failed"
        : "passed";
  return { name, result: ended, text: isCounted(result) ? summary : result, ...pickDefined({ owner }) };
}

/** Errors of several lines, whole. */
function buildErrors(failed: readonly EqualResults[], all: readonly string[]): SectionView {
  const long = failed.filter(({ first }) => first.summary.includes("\n"));
  return {
    name: "errors",
    title: "Errors",
    ofParts: true,
    items: long.map(({ first, names, owners }) => {
      const [line = "", ...details] = first.summary.split("\n");
      const text = `${describeScope(names, all).text}${formatOwners(owners)}: ${line}`;
      return { text, level: "error" as const, details, place: first.location };
    }),
  };
}

/** Deleting an entry deletes nothing in its workspace, which a reviewer may expect. */
function buildRemoved({ removed = [] }: FleetReport): SectionView {
  return {
    name: "removed",
    title: "No longer in the fleet file",
    items: removed.map(({ name, file, stack }) => ({
      text: `${name}: its objects and its state stay`,
      level: "warning" as const,
      details: [
        `to delete the objects: ${formatCommandLine(["workspacectl", "destroy", "-f", shortenPath(file), "--stack", stack])}`,
      ],
    })),
  };
}

function toFinding({ first, names, owners }: EqualResults, all: readonly string[]): FindingView {
  const { file, stack, result, summary: whole, location } = first;
  const [summary = ""] = whole.split("\n");
  const cell = { title: "result", value: summary };
  const name = describeScope(names, all).text;
  const isOne = names.length === 1;
  const finding = createFinding(result, { type: "Workspace", name }, [], {});
  return {
    ...finding,
    sentence: () => summary,
    remark: summary,
    ...(owners.length > 0 ? { note: nameOwners(owners) } : {}),
    columns: [cell, cell],
    sides: [isOne ? { title: "stack", value: stack } : { title: "workspaces", value: names.length }, cell],
    place: location ?? (file === "" || !isOne ? undefined : { file, line: 1, column: 1 }),
  };
}

/**
 * Counts workspaces by result, and objects by what would be done or was found.
 * @param shown the workspaces that are findings themselves. What has drifted is counted by object
 */
function countByClass(
  { results, review }: FleetReport,
  shown: readonly FleetResult[] = results,
): Record<string, number> {
  const counts: Record<string, number> = {};
  const add = (name: string, count: number) => {
    counts[name] = (counts[name] ?? 0) + count;
  };
  for (const { result } of shown) if (result !== "ok") add(result, 1);
  for (const { findings, workspaces } of review?.groups ?? [])
    if (findings[0] !== undefined) add(findings[0].class, workspaces.length);
  return counts;
}

const operations: readonly string[] = ["create", "update", "delete", "adopt", "replace", "release"];

function countUnchanged({ results, review }: FleetReport): number {
  const objects = results.reduce((sum, one) => sum + (one.objects ?? 0), 0);
  const changed = (review?.groups ?? [])
    .filter(({ findings }) => operations.includes(findings[0]?.class ?? ""))
    .reduce((sum, { workspaces }) => sum + workspaces.length, 0);
  return Math.max(0, objects - changed);
}

/** Summarizes the results in one line. */
export function formatFleetVerdict(report: FleetReport): string {
  const { command, results, review } = report;
  const count = (of: FleetResult["result"]) => results.filter(({ result }) => result === of).length;
  const parts = (
    ["error", "interrupted", "incomplete", "refused", "drift", "different", "skipped", "ok"] as const
  ).flatMap((of) => (count(of) === 0 ? [] : [`${count(of)} ${of}`]));
  const all = formatCount(results.length, "workspace");
  const closed = listClosedGates(report).map(
    ({ wave, summary }) => `; gate of wave ${wave} closed: ${summary}`,
  );
  const isFine = count("ok") === results.length;
  const said = `${all}: ${isFine ? "all ok" : parts.join(", ")}${closed.join("")}`;
  if (command !== "preview" || review === undefined) return said;
  const counts = countByClass(report);
  const countOf = (operation: Operation) => counts[operation] ?? 0;
  const plan = formatCountedSummary(countOf, countUnchanged(report), "plan");
  return `Plan for ${all}: ${plan}${isFine ? "" : `; ${parts.join(", ")}`}`;
}
