/** Builds the drift report from findings, with its result. */
import { setFingerprint } from "../../../diff/fingerprint.js";
import type { NotWatched } from "../../../diff/ignored-changes.js";
import type { Warning } from "../../reporters/published.js";
import { buildReport } from "../../reporters/report.js";
import type { SuppressionEntry } from "../../reporters/suppressions.js";
import { ignorable } from "./ignore.js";
import {
  findingClasses,
  type DriftReport,
  type DriftFinding,
  type FindingClass,
  type UnreadObject,
} from "./model.js";

export interface DriftReportFacts {
  readonly workspace: string;
  readonly baseUrl: string;
  readonly stack: string;
  readonly file: string;
  /** Logical names of all declared objects. */
  readonly declared: readonly string[];
  readonly findings: readonly DriftFinding[];
  readonly incomplete: readonly UnreadObject[];
  readonly warnings: readonly Warning[];
  /** Properties whose changes are ignored. */
  readonly notWatched?: readonly NotWatched[];
  readonly ignores: readonly SuppressionEntry[];
  readonly failOn: readonly FindingClass[];
  readonly lasting: boolean;
  readonly now: Date;
  readonly milliseconds: number;
}

export function driftReport(facts: DriftReportFacts): DriftReport {
  const { workspace, baseUrl, stack, file, declared, ignores, lasting, notWatched = [], ...common } = facts;
  const report = buildReport(
    {
      ...common,
      classes: findingClasses,
      suppressions: ignores,
      suppressible: ignorable,
      results: { found: "drift", clean: "clean", incomplete: "incomplete" },
      fingerprint: (findings) => fingerprintOf(findings, facts.incomplete, lasting),
    },
    { workspace, baseUrl, stack, file },
  );
  const found = report.findings.filter((one) => one.class !== "unverifiable").map(({ name }) => name);
  const concerned = new Set([
    ...found,
    ...facts.incomplete.flatMap(({ name, list }) => (list ? [] : [name])),
  ]);
  return {
    ...report,
    unchanged: declared.filter((name) => !concerned.has(name)).length,
    ...(notWatched.length > 0 ? { notWatched: [...notWatched] } : {}),
  };
}

/** @param lasting whether fingerprints of secrets are the same in every run */
export function fingerprintOf(
  findings: readonly DriftFinding[],
  incomplete: readonly UnreadObject[],
  lasting: boolean = true,
): string {
  const found = findings.map(({ id, class: of, declared, live, operation, secret }) => {
    // For an unmanaged object, the finding is its existence.
    const values = of === "added" || (secret && !lasting) ? [] : [declared ?? null, live ?? null];
    return [id, operation ?? null, ...values];
  });
  return setFingerprint(
    found,
    incomplete.map(({ type, name, list }) => [type, name ?? null, list]),
  );
}

/** The part of the baseline that accompanies the fingerprint of the set. */
export function driftBaseline({ workspace, stack, generatedAt, counts }: DriftReport) {
  return { workspace, stack, seenAt: generatedAt, counts };
}
