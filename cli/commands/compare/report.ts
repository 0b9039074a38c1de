/** Builds the report of a comparison: publishes its findings, and judges them. */
import { createFinding, sortFindings } from "../../../diff/finding.js";
import { fingerprint, setFingerprint } from "../../../diff/fingerprint.js";
import { buildReport } from "../../reporters/report.js";
import { SecretValue } from "../../json-value.js";
import { scopesFor } from "../../reporters/scopes.js";
import { NOT_KNOWN } from "../../reporters/values.js";
import type { SuppressionEntry } from "../../reporters/suppressions.js";
import { comparedClasses, type ComparedClass } from "./classes.js";
import type { ComparedObject, ComparisonResult } from "./compare.js";
import { plainValue } from "./differences.js";
import type { CompareReport, CompareFinding, UncomparedPart } from "./model.js";
import { ReferenceValue, SensitiveValue, UnknownValue, type ComparedSource } from "./object.js";

export interface CompareReportFacts {
  readonly left: ComparedSource;
  readonly right: ComparedSource;
  readonly compared: ComparisonResult;
  readonly mapping?: string | undefined;
  /** Key of the fingerprints, in hexadecimal. */
  readonly key: string;
  readonly suppressions: readonly SuppressionEntry[];
  /** Only a part is compared, so unused suppressions may belong to another part. */
  readonly scoped: boolean;
  readonly failOn: readonly ComparedClass[];
  readonly now: Date;
  readonly milliseconds: number;
}

export function compareReport(facts: CompareReportFacts): CompareReport {
  const { left, right, compared, key, mapping, ...common } = facts;
  const incomplete = [...incompleteOf(left, "left"), ...incompleteOf(right, "right")];
  const findings = compareFindings(compared.found, key);
  const report = buildReport(
    {
      ...common,
      classes: comparedClasses,
      findings,
      incomplete,
      suppressible: comparedClasses,
      results: { found: "different", clean: "same", incomplete: "incomplete" },
      fingerprint: (left) => fingerprintOf(left, incomplete),
    },
    {
      left: { ...left.facts, objects: left.objects.length },
      right: { ...right.facts, objects: right.objects.length },
      ...(mapping === undefined ? {} : { mapping }),
    },
  );
  const differing = new Set(findings.map(({ name }) => name));
  return {
    ...report,
    same: compared.both.filter((name) => !differing.has(name)).length,
    hidden: hiddenOf(compared),
    ...(compared.notWatched.length > 0 ? { notWatched: [...compared.notWatched] } : {}),
  };
}

/** Converts results to published findings: secrets are fingerprinted, and values are plain JSON. */
export function compareFindings(all: readonly ComparedObject[], key: string): CompareFinding[] {
  return sortFindings(
    all.map((found) => findingOf(found, key)),
    comparedClasses,
  );
}

function findingOf(found: ComparedObject, key: string): CompareFinding {
  const { left, right, note, links, places } = found;
  const secret = [left, right].some(isSecret);
  // The fingerprint of a secret with a part that is not known would look like that of a known one.
  const isSideUnknown = (value: unknown) => (secret ? hasUnknownPart(value) : isUnknown(value));
  const shown = (value: unknown) => {
    if (!secret || value == null) return visible(value, key);
    return isSideUnknown(value) ? undefined : new SecretValue(fingerprint(key, plainValue(value)));
  };
  const notKnown = (["left", "right"] as const).filter((side) => isSideUnknown({ left, right }[side]));
  return createFinding(found.class, found, found.path, {
    ...{ left: shown(left), right: shown(right), secret, note },
    notKnown: notKnown.length > 0 ? notKnown : undefined,
    links: Object.keys(links).length > 0 ? links : undefined,
    places: Object.keys(places).length > 0 ? places : undefined,
  });
}

/** Converts a value for the report: fingerprints for secrets, names for objects. */
function visible(value: unknown, key: string): unknown {
  if (value instanceof SensitiveValue) return new SecretValue(fingerprint(key, plainValue(value.value)));
  if (value instanceof ReferenceValue) return value.key;
  if (value instanceof UnknownValue) return undefined;
  const inside = (part: unknown) => (part instanceof UnknownValue ? NOT_KNOWN : visible(part, key));
  if (Array.isArray(value)) return value.map((item) => inside(item) ?? null);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, inside(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined && inner !== null));
}

function isSecret(value: unknown): boolean {
  return value instanceof SensitiveValue || (value instanceof UnknownValue && value.isSecret);
}

function isUnknown(value: unknown): boolean {
  return value instanceof UnknownValue || (value instanceof ReferenceValue && !value.known);
}

function hasUnknownPart(value: unknown): boolean {
  if (value instanceof SensitiveValue) return hasUnknownPart(value.value);
  if (isUnknown(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnknownPart);
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
