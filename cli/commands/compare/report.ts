/** Builds the report of a comparison, and judges its findings. */
import { pickDefined } from "../../../diff/values.js";
import { setFingerprint } from "../../../diff/fingerprint.js";
import { buildReport, type ComparisonFacts } from "../../reporters/report.js";
import { findScopesFor } from "../../reporters/required-scopes.js";
import { comparedClasses, type ComparedClass } from "./classes.js";
import type { ComparisonResult } from "./compare.js";
import type { CompareReport, CompareFinding, UncomparedPart } from "./model.js";
import { type ComparedSource } from "./compared-source.js";

export interface CompareReportFacts extends Omit<
  ComparisonFacts<ComparedClass, CompareFinding, UncomparedPart>,
  "findings" | "incomplete" | "warnings" | "notWatched"
> {
  readonly left: ComparedSource;
  readonly right: ComparedSource;
  readonly compared: ComparisonResult;
  readonly mapping?: string | undefined;
}

export function compareReport(facts: CompareReportFacts): CompareReport {
  const { left, right, compared, mapping, ...common } = facts;
  const incomplete = [...listIncomplete(left, "left"), ...listIncomplete(right, "right")];
  const { findings, notWatched } = compared;
  const report = buildReport(
    {
      ...common,
      classes: comparedClasses,
      findings,
      incomplete,
      notWatched,
      suppressible: comparedClasses,
      results: { found: "different", clean: "same", incomplete: "incomplete" },
      fingerprint: (left) => fingerprintFindings(left, incomplete),
    },
    {
      left: { ...left.facts, objects: left.objects.length },
      right: { ...right.facts, objects: right.objects.length },
      ...pickDefined({ mapping }),
    },
  );
  const differing = new Set(findings.map(({ name }) => name));
  return {
    ...report,
    same: compared.both.filter((name) => !differing.has(name)).length,
    hidden: compared.hidden,
  };
}

function listIncomplete({ gaps }: ComparedSource, side: UncomparedPart["side"]): UncomparedPart[] {
  return gaps.map(({ type, name, reason }) => ({
    side,
    type,
    ...pickDefined({ name }),
    reason,
    ...findScopesFor(reason),
  }));
}

/** Omits fingerprints of secrets, which differ in every run. */
function fingerprintFindings(
  findings: readonly CompareFinding[],
  incomplete: readonly UncomparedPart[],
): string {
  return setFingerprint(
    findings.map(({ id, path, left, right, secret }) =>
      secret || path === "" ? [id] : [id, left ?? null, right ?? null],
    ),
    incomplete.map(({ side, type, name }) => [side, type, name ?? null]),
  );
}

/** The part of the baseline that accompanies the fingerprint of the set. */
export function compareBaseline({ left, right, generatedAt, counts }: CompareReport) {
  return { left: left.name, right: right.name, seenAt: generatedAt, counts };
}
