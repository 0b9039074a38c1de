/** Where two values differ, part by part; and where nobody can tell. */
import { sameValue } from "../../../diff/values.js";
import {
  isRecord,
  isReordering,
  leavesOf,
  type PropertyPath,
  type Unwrapped,
} from "../../../diff/structural-diff.js";
import { ReferenceValue, SensitiveValue, UnknownValue } from "./object.js";

export interface SourceDifference {
  readonly path: PropertyPath;
  /** A side does not know the value: why. */
  readonly unverifiable?: string;
  readonly left: unknown;
  readonly right: unknown;
}

/** The differences of two values; Unknown, Named and Sensitive may be anywhere in them. */
export function sourceDifferences(
  path: PropertyPath,
  left: unknown,
  right: unknown,
  orderFree = false,
): SourceDifference[] {
  const walk = { path, orderFree, isMap, isReordering: samePlainItems, unwrap: unwrapSensitive };
  return [...leavesOf([left, right], walk)].flatMap((leaf) =>
    leafDifference(leaf.path, leaf.values[0], leaf.values[1], leaf.orderFree),
  );
}

function leafDifference(
  path: PropertyPath,
  left: unknown,
  right: unknown,
  orderFree: boolean,
): SourceDifference[] {
  const [one, other] = [bare(left), bare(right)];
  if (one instanceof UnknownValue || other instanceof UnknownValue) return unknowns(path, left, right);
  // Where nobody can tell whether the mapping is meant, the name may be its own.
  if (one instanceof ReferenceValue && one.own !== undefined && one.own === plainValue(other)) return [];
  const numbers = [one, other].filter((value) => value instanceof ReferenceValue && !value.known);
  if (numbers.length > 0) return numberOnly(path, left, right);
  return sameValue(plainValue(one), plainValue(other), orderFree) ? [] : [{ path, left, right }];
}

/** The value with nothing of ours in it: names of objects, and whatever is known. */
export function plainValue(value: unknown): unknown {
  if (value instanceof SensitiveValue) return plainValue(value.value);
  if (value instanceof ReferenceValue) return value.key;
  if (value instanceof UnknownValue) return undefined;
  if (Array.isArray(value)) return value.map(plainValue);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainValue(inner)]));
}

function unknowns(path: PropertyPath, left: unknown, right: unknown): SourceDifference[] {
  const [one, other] = [bare(left), bare(right)];
  const reason = [one, other].find((value) => value instanceof UnknownValue)?.reason ?? "";
  const found = [{ path, unverifiable: reason, left, right }];
  const sure = (value: UnknownValue) => value.presence === "there" || value.presence === "needed";
  if (one instanceof UnknownValue && other instanceof UnknownValue)
    return sure(one) || sure(other) ? found : [];
  const [unknown, known] = one instanceof UnknownValue ? [one, other] : [other as UnknownValue, one];
  // Where the one has nothing, the other may have nothing, too.
  return sameValue(plainValue(known), null) && unknown.presence !== "there" ? [] : found;
}

/** An object of which a side knows only the number. */
function numberOnly(path: PropertyPath, left: unknown, right: unknown): SourceDifference[] {
  const [one, other] = [bare(left), bare(right)];
  const both = one instanceof ReferenceValue && other instanceof ReferenceValue;
  if (!both) return [{ path, left, right }];
  // The mapping names the number that it has on the other side.
  if (one.known !== other.known && one.key === other.key) return [];
  const reason = "only the number of the object is known, which means nothing on the other side";
  return [{ path, unverifiable: reason, left, right }];
}

/** Each part of a sensitive value is sensitive, and so is what it is compared with. */
function unwrapSensitive(values: readonly unknown[]): Unwrapped {
  const hides = values.some((value) => value instanceof SensitiveValue);
  const wrap = (part: unknown) =>
    hides && part !== undefined && !(part instanceof SensitiveValue) ? new SensitiveValue(part) : part;
  return { values: values.map(bare), wrap };
}

function bare(value: unknown): unknown {
  return value instanceof SensitiveValue ? bare(value.value) : value;
}

function samePlainItems(one: unknown, other: unknown): boolean {
  return isReordering(plainValue(one), plainValue(other));
}

function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  if (!isRecord(value)) return false;
  return !(
    value instanceof ReferenceValue ||
    value instanceof UnknownValue ||
    value instanceof SensitiveValue
  );
}
