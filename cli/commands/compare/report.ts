/** Two sides and what was found → the report, with its verdict. */
import { exitCodes } from "../../exit-codes.js";
import { applyExceptions, type ExceptionEntry } from "../../reporters/suppressions.js";
import { scopesFor } from "../../reporters/scopes.js";
import { setFingerprint } from "../../../diff/fingerprint.js";
import { version } from "../../version.js";
import type { Compared } from "./compare.js";
import { findingsOf } from "./findings.js";
import type { CompareReport, Finding, Incomplete } from "./model.js";
import type { Side } from "./object.js";
import { comparedClasses, type ComparedClass } from "./classes.js";

export interface Facts {
  readonly left: Side;
  readonly right: Side;
  readonly compared: Compared;
  readonly mapping?: string | undefined;
  /** Key of the fingerprints, in hexadecimal. */
  readonly key: string;
  readonly exceptions: readonly ExceptionEntry[];
  /** Only a part is compared: an exception may be for another one. */
  readonly scoped: boolean;
  readonly failOn: readonly ComparedClass[];
  readonly now: Date;
  readonly milliseconds: number;
}

export function reportOf(facts: Facts): CompareReport {
  const { left, right, compared, failOn, now, mapping } = facts;
  const incomplete = [...incompleteOf(left, "left"), ...incompleteOf(right, "right")];
  const complete = incomplete.length === 0;
  const today = now.toISOString().slice(0, 10);
  const all = findingsOf(compared.found, facts.key);
  const { findings, ignored, warnings } = applyExceptions(all, facts.exceptions, comparedClasses, {
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
    // What was found is certain, also when there may be more.
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

function incompleteOf({ gaps }: Side, side: Incomplete["side"]): Incomplete[] {
  return gaps.map(({ type, name, reason }) => ({
    side,
    type,
    ...(name === undefined ? {} : { name }),
    reason,
    ...scopesFor(reason),
  }));
}

function hiddenOf({ hidden }: Compared): CompareReport["hidden"] {
  return [...hidden.values()]
    .map(({ type, noun, args }) => ({ type, noun, arguments: [...args].sort() }))
    .toSorted((a, b) => (a.type < b.type ? -1 : 1));
}

/** Fingerprints of secrets are other ones at every run. */
function fingerprintOf(findings: readonly Finding[], incomplete: readonly Incomplete[]): string {
  return setFingerprint(
    findings.map(({ id, path, left, right, secret }) =>
      secret || path === "" ? [id] : [id, left ?? null, right ?? null],
    ),
    incomplete.map(({ side, type, name }) => [side, type, name ?? null]),
  );
}

/** What the state file says beside the set's fingerprint. */
export function keptOf({ left, right, generatedAt, counts }: CompareReport) {
  return { left: left.name, right: right.name, seenAt: generatedAt, counts };
}
