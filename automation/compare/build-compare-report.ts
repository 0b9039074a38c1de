/** Builds the report of a comparison, and judges its findings. */
import { setFingerprint } from "../../diff/fingerprint.js";
import { pickDefined } from "../../diff/values.js";
import { type ComparedClass, comparedClasses } from "../report/finding-classes.js";
import { buildReport, type ComparisonFacts } from "../report/findings-report.js";
import { findScopesFor } from "../report/scopes.js";
import type { CompareFinding, CompareReport, UncomparedPart } from "./compare-report.js";
import type { ComparisonResult } from "./compare-sources.js";
import type { ComparedSource } from "./compared-source.js";

interface CompareReportFacts extends Omit<
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
