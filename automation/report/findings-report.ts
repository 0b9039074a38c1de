/** Builds the common part of all reports about findings. `drift` and `compare` differ only in what they compare. */
import type { Finding } from "../../diff/finding.js";
import type { NotWatched } from "../../diff/ignored-changes.js";
import { toJson } from "../../text/json-value.js";
import { exitCodes } from "./exit-codes.js";
import { runHead, type Warning } from "./report-schemas.js";
import { applySuppressions, type SuppressedFinding, type SuppressionEntry } from "./suppressions.js";

/** Whether there are findings, none, or none in the part that could be read. */
export type Outcome = "found" | "clean" | "incomplete";

/** Properties of every report about findings. */
export interface FindingsReport<
  C extends string = string,
  F extends Finding<C> = Finding<C>,
  Unread = unknown,
> {
  readonly generatedAt: string;
  readonly seconds: number;
  readonly tool: { readonly version: string };
  readonly exitCode: number;
  readonly complete: boolean;
  readonly failOn: readonly C[];
  /** Number of findings by class. */
  readonly counts: Readonly<Record<C, number>>;
  readonly findings: readonly F[];
  readonly ignored: readonly SuppressedFinding<F>[];
  /** What could not be read. */
  readonly incomplete: readonly Unread[];
  readonly warnings: readonly Warning[];
  readonly fingerprint: string;
  readonly changedSinceLast?: boolean | undefined;
}

/** What a comparison has found, and what it is judged by. */
export interface ComparisonFacts<C extends string, F extends Finding<C>, Unread> {
  readonly findings: readonly F[];
  /** What could not be read. */
  readonly incomplete: readonly Unread[];
  readonly warnings?: readonly Warning[];
  /** Properties whose changes are ignored. */
  readonly notWatched?: readonly NotWatched[];
  readonly suppressions: readonly SuppressionEntry[];
  /** Only a part was compared, so unused suppressions may belong to another part. */
  readonly scoped?: boolean;
  readonly failOn: readonly C[];
  readonly now: Date;
  /** Duration of the run. */
  readonly milliseconds: number;
}

interface ReportFacts<
  C extends string,
  F extends Finding<C>,
  Unread,
  Result extends string,
> extends ComparisonFacts<C, F, Unread> {
  /** All classes, in the order of the report. */
  readonly classes: readonly C[];
  /** Classes that a suppression means when it names none. */
  readonly suppressible: readonly C[];
  /** The command's own names of the outcomes. */
  readonly results: Readonly<Record<Outcome, Result>>;
  readonly fingerprint: (findings: readonly F[]) => string;
}

/** Judges the findings. @param subject what was compared */
export function buildReport<
  C extends string,
  F extends Finding<C>,
  Unread,
  Result extends string,
  Subject extends object,
>(facts: ReportFacts<C, F, Unread, Result>, subject: Subject) {
  const { classes, incomplete, failOn, now, warnings = [], suppressions, suppressible } = facts;
  const { notWatched = [] } = facts;
  const complete = incomplete.length === 0;
  const applied = applySuppressions(facts.findings, suppressions, suppressible, {
    today: now.toISOString().slice(0, 10),
    complete: complete && facts.scoped !== true,
  });
  const { findings } = applied;
  const counts = Object.fromEntries(
    classes.map((of) => [of, findings.filter((finding) => finding.class === of).length]),
  ) as Record<C, number>;
  // Findings are certain, even when the report is incomplete.
  const found = failOn.some((of) => counts[of] > 0);
  const outcome: Outcome = found ? "found" : complete ? "clean" : "incomplete";
  return {
    ...runHead(2, facts.milliseconds, now),
    ...subject,
    result: facts.results[outcome],
    exitCode: { found: exitCodes.drift, clean: exitCodes.ok, incomplete: exitCodes.incomplete }[outcome],
    complete,
    failOn: [...failOn],
    counts,
    findings,
    ignored: applied.ignored,
    incomplete: [...incomplete],
    warnings: [...warnings, ...applied.warnings],
    ...(notWatched.length > 0 ? { notWatched: [...notWatched] } : {}),
    fingerprint: facts.fingerprint(findings),
  };
}

/** Converts the values of findings to JSON, with marks for secrets and for what is not known. */
export function publishReport<F extends Finding>(
  report: { readonly findings: readonly F[]; readonly ignored: readonly SuppressedFinding<F>[] },
  values: readonly (keyof F & string)[],
): object {
  const published = (finding: F): F => {
    const given = values.filter((name) => finding[name] !== undefined);
    return { ...finding, ...Object.fromEntries(given.map((name) => [name, toJson(finding[name])])) };
  };
  return {
    ...report,
    findings: report.findings.map(published),
    ignored: report.ignored.map((one) => ({ ...one, finding: published(one.finding) })),
  };
}
