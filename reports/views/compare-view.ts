/** Converts a comparison to the view that all report formats share. */
import {
  comparedClassDescriptions,
  type CompareFinding,
  type CompareReport,
} from "../../automation/compare/compare-report.js";
import { type ComparedClass, comparedClasses } from "../../automation/report/finding-classes.js";
import type {
  Cell,
  ClassView,
  FindingView,
  ReportView,
  Tone,
  Words,
} from "../../automation/report/report-view.js";
import { formatScopesText } from "../../automation/report/scopes.js";
import { NOT_KNOWN } from "../../text/shown-change.js";
import { formatAge } from "../finding-record.js";
import {
  countObjects,
  formatChangeSentence,
  formatObjectCount,
  formatVerdictText,
  listNotWatchedNotes,
} from "../format-values.js";
import type { UnverifiableOption } from "../plan/print-plan.js";

const tones: Readonly<Record<ComparedClass, Tone>> = {
  missing: "gone",
  added: "new",
  changed: "other",
  unverifiable: "unknown",
};

export function compareView(report: CompareReport, { unverifiable }: UnverifiableOption = {}): ReportView {
  const { left, right, result, ignored, incomplete, same } = report;
  const objects = formatObjectCount(same);
  const pair = `${left.name} and ${right.name}`;
  const finding = (one: CompareFinding) => createFindingView(one, report);
  const file = left.file ?? right.file;
  return {
    ...report,
    counts: countObjects(report),
    kind: "compare",
    title: `Comparison of ${pair}`,
    id: `compare/${left.name}/${right.name}/`,
    subject: `comparison of ${pair}`,
    scene: pair,
    about: [...nameSide(left), "  ⇄  ", ...nameSide(right)],
    facts: [
      ["Left", formatSide(left)],
      ["Right", formatSide(right)],
      ["The same", objects],
    ],
    ...(file === undefined ? {} : { file }),
    verdict: compareVerdict(report),
    outcome: result === "different" ? "found" : result === "same" ? "clean" : "incomplete",
    same: `${objects} the same`,
    unchanged: same,
    nothing: result === "same" ? "Both sides are the same." : "Nothing was found in what could be read.",
    classes: comparedClasses.map((name) => ({
      ...createClassView(name, report),
      counted: name === "unverifiable" && !unverifiable,
    })),
    findings: report.findings.map(finding),
    ignored: ignored.map((one) => ({ ...one, finding: finding(one.finding) })),
    incomplete: incomplete.map(({ side, type, name, ...why }) => ({
      what: `${report[side].name}: ${type} ${name === undefined ? "of the workspace" : `of or in ${name}`}`,
      type,
      reason: `${why.reason}${formatScopesText(why)}`,
    })),
    remarks: [...listHiddenNotes(report), ...listNotWatchedNotes(report)],
  };
}

/** The classes in a report of several comparisons, whose right sides differ. */
export const compareClassViews = comparedClasses.map((name) => ({
  ...createClassView(name, { left: { name: "the left workspace" }, right: { name: "the right workspace" } }),
  counted: name === "unverifiable",
}));

/** Summarizes what cannot be compared in one line. */
function listHiddenNotes({ hidden }: CompareReport): string[] {
  if (hidden.length === 0) return [];
  const kinds = hidden.map(({ noun, arguments: args }) => `of each ${noun} ${args.join(", ")}`);
  return [`not compared, because the service never returns it: ${kinds.join("; ")}`];
}

/** Summarizes the result in one line. */
function compareVerdict(report: CompareReport): string {
  const lead = { same: "No difference", different: "Different", incomplete: "Incomplete" }[report.result];
  return formatVerdictText(report, lead, report.same, "the same");
}

interface SideNames {
  readonly left: { readonly name: string };
  readonly right: { readonly name: string };
}

function createClassView(name: ComparedClass, { left, right }: SideNames): ClassView {
  const only = {
    missing: `In ${left.name}, but not in ${right.name}.`,
    added: `In ${right.name}, but not in ${left.name}.`,
  };
  const description = (only as Partial<Record<string, string>>)[name] ?? comparedClassDescriptions[name];
  return {
    name,
    description,
    tone: tones[name],
    columns: name === "changed" || name === "unverifiable",
    folded: name === "unverifiable",
    ...(name === "missing"
      ? { whole: `only in ${left.name}` }
      : name === "added"
        ? { whole: `only in ${right.name}` }
        : {}),
  };
}

function createFindingView(finding: CompareFinding, { left, right }: CompareReport): FindingView {
  const { class: findingClass, notKnown = [], links, places, note, path } = finding;
  const cell = (side: "left" | "right", title: string, tone: "expected" | "actual"): Cell => ({
    title,
    value: notKnown.includes(side) ? NOT_KNOWN : finding[side],
    link: links?.[side],
    tone,
  });
  const columns = [cell("left", left.name, "expected"), cell("right", right.name, "actual")] as const;
  const [one, other] = columns;
  const sides = findingClass === "missing" ? [one] : findingClass === "added" ? [other] : [one, other];
  const notes = [note, formatAge(finding)].filter((text) => text !== undefined).join(", ");
  return {
    ...finding,
    ...(notes === "" ? {} : { note: notes }),
    sentence: () => {
      const more = notes === "" ? "" : ` (${notes})`;
      if (path === "") return `${formatWholeSentence(finding, one, other)}${more}`;
      const said = (a: string, b: string) => `${one.title} ${a}, ${other.title} ${b}`;
      return formatChangeSentence({ ...finding, columns }, said, more);
    },
    columns,
    sides:
      path === ""
        ? sides.filter(({ value }) => isKnown(value) && Object.keys(value ?? {}).length > 0)
        : sides,
    link: links?.right ?? links?.left,
    place: places?.left ?? places?.right,
  };
}

function formatWholeSentence(finding: CompareFinding, left: Cell, right: Cell): string {
  if (finding.class === "missing") return `is in ${left.title}, but not in ${right.title}`;
  if (finding.class === "added") return `is in ${right.title}, but not in ${left.title}`;
  const [has, lacks] = isKnown(left.value) ? [left, right] : [right, left];
  return `is in ${has.title}; whether it is in ${lacks.title} cannot be verified`;
}

const isKnown = (value: unknown) => value !== undefined && value !== NOT_KNOWN;

type SideFacts = CompareReport["left"];

/** Describes where a source was read from. */
function describeSource({ kind, workspace, baseUrl, overlays, owns }: SideFacts): string {
  const over = overlays === undefined ? "" : ` with ${overlays.join(", ")}`;
  const of = workspace === undefined ? "" : ` of workspace ${workspace}`;
  const at = baseUrl === undefined ? "" : ` at ${baseUrl}`;
  const only = owns === undefined ? "" : `, which owns ${owns.join(", ")}`;
  return kind === "connection" ? `workspace ${workspace ?? ""}${at}` : `${kind}${over}${of}${at}${only}`;
}

function nameSide(side: SideFacts): Words {
  return [{ is: side.name, strong: true }, ` (${describeSource(side)})`];
}

function formatSide(side: SideFacts): string {
  return `${side.name} (${describeSource(side)})`;
}
