/** Finds where two values differ, and where a difference cannot be verified. */
import { isPlain, mapDeep, isSameValue } from "../../../diff/values.js";
import { isReordering, diffLeaves, type PropertyPath } from "../../../diff/structural-diff.js";
import { ReferenceValue, UnknownValue } from "./compared-source.js";

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
export function toPlainValue(value: unknown): unknown {
  return mapDeep(value, (part) => {
    if (part instanceof ReferenceValue) return part.key;
    return part instanceof UnknownValue ? undefined : part;
  });
}

function hasSamePlainItems(one: unknown, other: unknown): boolean {
  return isReordering(toPlainValue(one), toPlainValue(other));
}
