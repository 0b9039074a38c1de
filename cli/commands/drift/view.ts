/** Converts drift to the view that all report formats share: declared beside live values. */
import { sameJson } from "../../../diff/values.js";
import type { Cell, ClassView, FindingView, ReportView, Tone } from "../../reporters/report-view.js";
import { driftClassDescriptions, type DriftReport, type DriftFinding } from "./model.js";
import { sentence, unreadName, unreadReason, driftVerdict } from "./sentences.js";
import { findingClasses, type FindingClass } from "./classes.js";

const tones: Readonly<Record<FindingClass, Tone>> = {
  deleted: "gone",
  changed: "other",
  added: "new",
  pending: "later",
  unverifiable: "unknown",
};

const classes = findingClasses.map((name): ClassView => {
  const columns = name === "changed" || name === "pending";
  const folded = name === "pending" || name === "unverifiable";
  return { name, description: driftClassDescriptions[name], tone: tones[name], columns, folded };
});

export function driftView(report: DriftReport): ReportView {
  const { workspace, baseUrl, stack, result, unchanged, ignored, incomplete } = report;
  const objects = `${unchanged} ${unchanged === 1 ? "object" : "objects"}`;
  return {
    ...report,
    kind: "drift",
    title: `Drift of ${workspace}`,
    id: `drift/${workspace}/${stack}/`,
    subject: `drift of ${workspace}, stack ${stack}`,
    scene: `workspace ${workspace}, stack ${stack}`,
    about: [
      "Workspace ",
      { is: workspace, strong: true },
      " at ",
      { is: baseUrl },
      ", stack ",
      { is: stack, strong: true },
    ],
    facts: [
      ["Workspace", workspace],
      ["Stack", stack],
      ["Service", baseUrl],
      ["As declared", objects],
    ],
    compareVerdict: driftVerdict(report),
    result: result === "drift" ? "found" : result,
    same: `${objects} as declared`,
    nothing:
      result === "clean"
        ? "The workspace is as it was declared."
        : "Nothing was found in what could be read.",
    classes,
    findings: report.findings.map(findingView),
    ignored: ignored.map((one) => ({ ...one, finding: findingView(one.finding) })),
    incomplete: incomplete.map((one) => ({
      what: unreadName(one),
      type: one.type,
      reason: unreadReason(one),
    })),
  };
}

function findingView(finding: DriftFinding): FindingView {
  const { class: of, declared, applied, live, operation } = finding;
  const before: Cell = {
    title: "declared",
    value: declared ?? (of === "changed" ? applied : undefined),
    tone: "before",
  };
  const after: Cell = { title: "live", value: live, tone: "after" };
  return {
    ...finding,
    sentence: (longest) => sentence(finding, longest),
    ...(of === "unverifiable" ? { remark: "the service does not show it" } : {}),
    columns: [before, after],
    sides: sidesOf(finding, before, after),
    will: operation,
  };
}

/** Values to show: for a deleted object the declared ones, for an added object the live ones. */
function sidesOf({ class: of, declared, applied, live }: DriftFinding, before: Cell, after: Cell): Cell[] {
  if (of === "unverifiable" || of === "deleted" || (of === "pending" && live === undefined)) return [before];
  if (of === "added" || (of === "pending" && declared === undefined)) return [after];
  const other = of === "changed" && applied != null && declared != null && !sameJson(applied, declared);
  return [before, after, ...(other ? [{ title: "last applied", value: applied }] : [])];
}
