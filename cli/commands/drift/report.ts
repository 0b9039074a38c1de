/** Builds the drift report from findings, with its result. */
import { setFingerprint } from "../../../diff/fingerprint.js";
import { buildReport, type ComparisonFacts } from "../../reporters/report.js";
import { identifyObject } from "./findings.js";
import { ignorable } from "./ignore-file.js";
import {
  findingClasses,
  type DriftReport,
  type DriftFinding,
  type FindingClass,
  type UnreadObject,
} from "./model.js";

export interface DriftReportFacts
  extends
    ComparisonFacts<FindingClass, DriftFinding, UnreadObject>,
    Pick<DriftReport, "workspace" | "baseUrl" | "stack" | "file" | "comparedWith"> {
  /** Types and logical names of all declared objects. */
  readonly declared: readonly { readonly type: string; readonly name: string }[];
  readonly lasting: boolean;
}

export function createDriftReport(facts: DriftReportFacts): DriftReport {
  const { workspace, baseUrl, stack, file, comparedWith, declared, lasting, ...common } = facts;
  const report = buildReport(
    {
      ...common,
      classes: findingClasses,
      suppressible: ignorable,
      results: { found: "drift", clean: "clean", incomplete: "incomplete" },
      fingerprint: (findings) => fingerprintDrift(findings, facts.incomplete, lasting),
    },
    { workspace, baseUrl, stack, file, ...(comparedWith === undefined ? {} : { comparedWith }) },
  );
  const identify = ({ type, name = "" }: { readonly type: string; readonly name?: string | undefined }) =>
    identifyObject(type, name);
  const concerned = new Set([
    ...report.findings.filter((one) => one.class !== "unverifiable").map(identify),
    ...facts.incomplete.filter(({ list }) => !list).map(identify),
  ]);
  return { ...report, unchanged: declared.filter((one) => !concerned.has(identify(one))).length };
}

/** @param lasting whether fingerprints of secrets are the same in every run */
export function fingerprintDrift(
  findings: readonly DriftFinding[],
  incomplete: readonly UnreadObject[],
  lasting: boolean = true,
): string {
  const found = findings.map(({ id, class: findingClass, declared, live, operation, secret }) => {
    // For an unmanaged object, the finding is its existence.
    const values = findingClass === "added" || (secret && !lasting) ? [] : [declared ?? null, live ?? null];
    return [id, operation ?? null, ...values];
  });
  return setFingerprint(
    found,
    incomplete.map(({ type, name, list }) => [type, name ?? null, list]),
  );
}

/** The part of the baseline that accompanies the fingerprint of the set. */
export function createDriftBaseline({ workspace, stack, generatedAt, counts }: DriftReport) {
  return { workspace, stack, seenAt: generatedAt, counts };
}
