/** Builds the report of a comparison, with its result. */
import { exitCodes } from "../../exit-codes.js";
import { applySuppressions, type SuppressionEntry } from "../../reporters/suppressions.js";
import { scopesFor } from "../../reporters/scopes.js";
import { setFingerprint } from "../../../diff/fingerprint.js";
import { version } from "../../version.js";
import type { ComparisonResult } from "./compare.js";
import { compareFindings } from "./findings.js";
import type { CompareReport, CompareFinding, UncomparedPart } from "./model.js";
import type { ComparedSource } from "./object.js";
import { comparedClasses, type ComparedClass } from "./classes.js";

export interface CompareReportFacts {
  readonly left: ComparedSource;
  readonly right: ComparedSource;
  readonly compared: ComparisonResult;
  readonly mapping?: string | undefined;
  /** Key of the fingerprints, in hexadecimal. */
  readonly key: string;
  readonly exceptions: readonly SuppressionEntry[];
  /** Only a part is compared, so unused suppressions may belong to another part. */
  readonly scoped: boolean;
  readonly failOn: readonly ComparedClass[];
  readonly now: Date;
  readonly milliseconds: number;
}

export function compareReport(facts: CompareReportFacts): CompareReport {
  const { left, right, compared, failOn, now, mapping } = facts;
  const incomplete = [...incompleteOf(left, "left"), ...incompleteOf(right, "right")];
  const complete = incomplete.length === 0;
  const today = now.toISOString().slice(0, 10);
  const all = compareFindings(compared.found, facts.key);
  const { findings, ignored, warnings } = applySuppressions(all, facts.exceptions, comparedClasses, {
    today,
    complete: complete && !facts.scoped,
  });
  const count = (of: ComparedClass) => findings.filter((finding) => finding.class === of).length;
  const counts = Object.fromEntries(comparedClasses.map((of) => [of, count(of)])) as CompareReport["counts"];
  const differs = failOn.some((of) => counts[of] > 0);
  const told = new Set(all.map(({ name }) => name));
  return {
    version: 1,
    tool: { name: "workspacectl", version: version() },
    generatedAt: now.toISOString(),
    seconds: Math.round(facts.milliseconds / 100) / 10,
    left: { ...left.facts, objects: left.objects.length },
    right: { ...right.facts, objects: right.objects.length },
    ...(mapping === undefined ? {} : { mapping }),
    // Findings are certain, even when the report is incomplete.
    result: differs ? "different" : complete ? "same" : "incomplete",
    exitCode: differs ? exitCodes.drift : complete ? exitCodes.ok : exitCodes.incomplete,
    complete,
    failOn: [...failOn],
    counts,
    same: compared.both.filter((name) => !told.has(name)).length,
    findings,
    ignored,
    incomplete,
    hidden: hiddenOf(compared),
    warnings,
    fingerprint: fingerprintOf(findings, incomplete),
  };
}

function incompleteOf({ gaps }: ComparedSource, side: UncomparedPart["side"]): UncomparedPart[] {
  return gaps.map(({ type, name, reason }) => ({
    side,
    type,
    ...(name === undefined ? {} : { name }),
    reason,
    ...scopesFor(reason),
  }));
}

function hiddenOf({ hidden }: ComparisonResult): CompareReport["hidden"] {
  return [...hidden.values()]
    .map(({ type, noun, args }) => ({ type, noun, arguments: [...args].sort() }))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

/** Omits fingerprints of secrets, which differ in every run. */
function fingerprintOf(findings: readonly CompareFinding[], incomplete: readonly UncomparedPart[]): string {
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
