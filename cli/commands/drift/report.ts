/** Builds the drift report from findings, with its result. */
import { exitCodes } from "../../exit-codes.js";
import { setFingerprint } from "../../../diff/fingerprint.js";
import { version } from "../../version.js";
import { applyIgnores, type IgnoreEntry } from "./ignore.js";
import {
  findingClasses,
  type DriftReport,
  type DriftFinding,
  type FindingClass,
  type UnreadObject,
  type Warning,
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
  readonly ignores: readonly IgnoreEntry[];
  readonly failOn: readonly FindingClass[];
  readonly lasting: boolean;
  readonly now: Date;
  readonly milliseconds: number;
}

export function driftReport(facts: DriftReportFacts): DriftReport {
  const { incomplete, failOn, now, declared } = facts;
  const complete = incomplete.length === 0;
  const today = now.toISOString().slice(0, 10);
  const { findings, ignored, warnings } = applyIgnores(facts.findings, facts.ignores, { today, complete });
  const count = (of: FindingClass) => findings.filter((finding) => finding.class === of).length;
  const counts = Object.fromEntries(findingClasses.map((of) => [of, count(of)])) as Record<
    FindingClass,
    number
  >;
  const drifted = failOn.some((of) => counts[of] > 0);
  const told = findings.filter((one) => one.class !== "unverifiable").map(({ name }) => name);
  const concerned = new Set([...told, ...incomplete.flatMap(({ name, list }) => (list ? [] : [name]))]);
  return {
    version: 1,
    tool: { name: "workspacectl", version: version() },
    generatedAt: now.toISOString(),
    seconds: Math.round(facts.milliseconds / 100) / 10,
    workspace: facts.workspace,
    baseUrl: facts.baseUrl,
    stack: facts.stack,
    file: facts.file,
    // Findings are certain, even when the report is incomplete.
    result: drifted ? "drift" : complete ? "clean" : "incomplete",
    exitCode: drifted ? exitCodes.drift : complete ? exitCodes.ok : exitCodes.incomplete,
    complete,
    failOn: [...failOn],
    counts,
    unchanged: declared.filter((name) => !concerned.has(name)).length,
    findings: [...findings],
    ignored,
    incomplete: [...incomplete],
    warnings: [...facts.warnings, ...warnings],
    fingerprint: fingerprintOf(findings, incomplete, facts.lasting),
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
