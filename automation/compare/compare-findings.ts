/** Finds where two values differ, and publishes it: secrets as fingerprints, names for objects, all else as plain JSON. */
import { createFinding } from "../../diff/finding.js";
import { fingerprint } from "../../diff/fingerprint.js";
import { diffLeaves, isReordering, type PropertyPath } from "../../diff/structural-diff.js";
import { isPlain, isSameValue, mapDeep } from "../../diff/values.js";
import { type Fields, looksRandom, maskParts } from "../../provider/index.js";
import { SecretValue } from "../../text/json-value.js";
import { NOT_KNOWN } from "../../text/shown-change.js";
import type { ComparedClass } from "../report/finding-classes.js";
import type { CompareFinding } from "./compare-report.js";
import { ReferenceValue, type SourceObject, UnknownValue } from "./compared-source.js";

export interface SourceDifference {
  readonly path: PropertyPath;
  /** Why a source does not know the value. */
  readonly unverifiable?: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** Lists the differences of two values, which may hold unknown values and references at any depth. */
export function listSourceDifferences(
  path: PropertyPath,
  left: unknown,
  right: unknown,
  orderFree = false,
): SourceDifference[] {
  const walk = { path, orderFree, isMap: isPlain, isReordering: hasSamePlainItems };
  return [...diffLeaves([left, right], walk)].flatMap((leaf) => {
    const [one, other] = leaf.values;
    const found = compareLeaves(one, other, leaf.orderFree);
    return found === "same" ? [] : [{ path: leaf.path, ...found, left: one, right: other }];
  });
}

function compareLeaves(
  one: unknown,
  other: unknown,
  orderFree: boolean,
): "same" | Pick<SourceDifference, "unverifiable"> {
  const [unknown] = [one, other].filter((value) => value instanceof UnknownValue);
  if (unknown) return isNothing(one, other) ? "same" : { unverifiable: unknown.reason };
  if (one instanceof ReferenceValue) {
    // When it is unclear whether the mapping applies, the object may have its own name.
    if (one.own !== undefined && one.own === toPlainValue(other)) return "same";
    if (other instanceof ReferenceValue && !(one.known && other.known)) {
      // The mapping names the id on the other side.
      if (one.known !== other.known && one.key === other.key) return "same";
      return {
        unverifiable: "only the number of the object is known, and the other side has numbers of its own",
      };
    }
  }
  // An id is never the same as a name.
  const isId = [one, other].some((value) => value instanceof ReferenceValue && !value.known);
  return !isId && isSameValue(toPlainValue(one), toPlainValue(other), orderFree) ? "same" : {};
}

/** Whether neither source is sure that there is a value. */
function isNothing(...values: readonly unknown[]): boolean {
  const unknowns = values.filter((value) => value instanceof UnknownValue);
  if (unknowns.length === values.length)
    return unknowns.every(({ presence }) => presence !== "there" && presence !== "needed");
  return unknowns[0]?.presence !== "there" && values.every((value) => isSameValue(toPlainValue(value), null));
}

/** Converts a value to plain data: names of objects, and nothing for unknown parts. */
function toPlainValue(value: unknown): unknown {
  return mapDeep(value, (part) => {
    if (part instanceof ReferenceValue) return part.key;
    return part instanceof UnknownValue ? undefined : part;
  });
}

function hasSamePlainItems(one: unknown, other: unknown): boolean {
  return isReordering(toPlainValue(one), toPlainValue(other));
}

/** What was found about an object or one of its properties. */
export interface Found {
  readonly class: ComparedClass;
  readonly type: string;
  readonly name: string;
  readonly path: PropertyPath;
  readonly left?: unknown;
  readonly right?: unknown;
  readonly secret?: boolean;
  readonly note?: string | undefined;
  readonly links: NonNullable<CompareFinding["links"]>;
  readonly places: NonNullable<CompareFinding["places"]>;
}

/** @param key key of the fingerprints, in hexadecimal */
export function compareFinding(found: Found, key: string): CompareFinding {
  const { left, right, secret = false, note, links, places } = found;
  const shown = (value: unknown) =>
    secret && value != null ? fingerprintSecret(value, key) : showValue(value);
  // The fingerprint of a secret with a part that is not known would look like that of a known one.
  const isSideUnknown = secret ? hasUnknownPart : isUnknown;
  const notKnown = (["left", "right"] as const).filter((side) => isSideUnknown({ left, right }[side]));
  return createFinding(found.class, found, found.path, {
    left: shown(left),
    right: shown(right),
    secret,
    note,
    notKnown: notKnown.length > 0 ? notKnown : undefined,
    links: Object.keys(links).length > 0 ? links : undefined,
    places: Object.keys(places).length > 0 ? places : undefined,
  });
}

/**
 * Masks the secret parts of an argument that a file contains in plaintext. Returns undefined where all of it is secret in one of the sources,
 * or no file contains it.
 */
export function maskArgument(
  arg: string,
  ...sides: readonly (SourceObject | undefined)[]
): readonly unknown[] | undefined {
  const isClosed = (one: SourceObject | undefined) =>
    one?.secrets?.has(arg) === true && !one.partly?.has(arg);
  const isInFile = (one: SourceObject | undefined) =>
    one?.partly?.has(arg) === true && one.locate !== undefined;
  const isUndocumented = sides.some((one) => one?.definition.undocumented.includes(arg));
  // Nobody knows what somebody has put into passed-through data of a workspace.
  const isOfFile = isUndocumented
    ? sides.every((one) => one === undefined || isInFile(one))
    : sides.some(isInFile);
  if (sides.some(isClosed) || !isOfFile) return undefined;
  return maskParts(
    sides.map((one) => one?.args[arg]),
    isUndocumented ? looksRandom : undefined,
  );
}

/** Converts the arguments of a whole object for a finding. */
export function showArgs(object: SourceObject, key: string): Fields {
  const { args, secrets } = object;
  const entries = Object.entries(args).map(([name, value]) => {
    const [shown] = maskArgument(name, object) ?? [];
    if (shown !== undefined) return [name, shown];
    return [name, secrets?.has(name) ? (fingerprintSecret(value, key) ?? NOT_KNOWN) : value];
  });
  return Object.fromEntries(entries) as Fields;
}

function fingerprintSecret(value: unknown, key: string): SecretValue | undefined {
  return hasUnknownPart(value) ? undefined : new SecretValue(fingerprint(key, toPlainValue(value)));
}

/** Converts a value for the report. */
function showValue(value: unknown): unknown {
  if (value instanceof ReferenceValue) return value.key;
  if (value instanceof UnknownValue) return undefined;
  const inside = (part: unknown) => (part instanceof UnknownValue ? NOT_KNOWN : showValue(part));
  if (Array.isArray(value)) return value.map((item) => inside(item) ?? null);
  if (!isPlain(value)) return value;
  const entries = Object.entries(value).map(([name, inner]) => [name, inside(inner)] as const);
  return Object.fromEntries(entries.filter(([, inner]) => inner !== undefined && inner !== null));
}

function isUnknown(value: unknown): boolean {
  return value instanceof UnknownValue || (value instanceof ReferenceValue && !value.known);
}

function hasUnknownPart(value: unknown): boolean {
  if (isUnknown(value)) return true;
  return typeof value === "object" && value !== null && Object.values(value).some(hasUnknownPart);
}
