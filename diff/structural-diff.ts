/** Walks through versions of a value, location by location. Every comparison uses this walk. */
import { isSameValue } from "./values.js";

/** The path from a value to a part of it: keys of maps and indexes of lists. */
export type PropertyPath = readonly (string | number)[];

/** Formats a path: `actions[0].triggerTime`. */
export function formatPath(path: PropertyPath): string {
  return path
    .map((part, i) => {
      if (typeof part === "number") return `[${part}]`;
      const plain = /^[A-Za-z_$][\w$-]*$/.test(part);
      return plain ? (i === 0 ? part : `.${part}`) : `["${part.replaceAll('"', '\\"')}"]`;
    })
    .join("");
}

/** A location in several versions of a value that has no parts to compare. */
export interface Leaf {
  readonly path: PropertyPath;
  /** The value in each version; undefined where it has none. */
  readonly values: readonly unknown[];
  /** The values are lists whose order has no meaning. */
  readonly orderFree: boolean;
}

export interface Walk {
  readonly path?: PropertyPath;
  /** Whether the value is a list whose order has no meaning. Lists within its items are ordered. */
  readonly orderFree?: boolean;
  /** Distinguishes maps from other objects. Default: any object that is not a list. */
  readonly isMap?: (value: unknown) => boolean;
  /** Recognizes lists of the same items in another order, which are one leaf. Default: such lists are walked index by index. */
  readonly isReordering?: (one: unknown, other: unknown) => boolean;
}

/**
 * The leaves of several versions of a value. Maps are walked key by key; lists index by index where all versions have one of the same
 * length. A version without a value (null, undefined) does not prevent the walk of the others.
 */
export function* diffLeaves(values: readonly unknown[], walk: Walk = {}): Generator<Leaf> {
  const { path = [], orderFree = false, isMap = isRecord } = walk;
  const partsAt = (step: string | number) => {
    const parts = values.map((value) => getValueAt(value, [step]));
    return diffLeaves(parts, { ...walk, path: [...path, step], orderFree: false });
  };
  const present = values.filter((value) => value !== undefined && value !== null);
  if (present.length > 1 && present.every(isMap)) {
    for (const key of new Set(present.flatMap((value) => Object.keys(value)))) yield* partsAt(key);
    return;
  }
  if (!orderFree && areAligned(values, walk)) {
    for (const index of values[0].keys()) yield* partsAt(index);
    return;
  }
  yield { path, values, orderFree };
}

function areAligned(
  lists: readonly unknown[],
  { isReordering }: Walk,
): lists is readonly [unknown[], ...unknown[][]] {
  const [first, ...others] = lists;
  if (!Array.isArray(first)) return false;
  if (!others.every((list) => Array.isArray(list) && list.length === first.length)) return false;
  return !isReordering?.(lists.at(-2), lists.at(-1));
}

/** Whether two lists have the same items in another order. */
export function isReordering(one: unknown, other: unknown): boolean {
  return !isSameValue(one, other) && isSameValue(one, other, true);
}

/** The value at a path; undefined where there is none. Reads own properties only: a key may be called `constructor`. */
export function getValueAt(value: unknown, path: PropertyPath): unknown {
  return path.reduce<unknown>((part, step) => {
    const parts = (part ?? {}) as Readonly<Record<string | number, unknown>>;
    return Object.hasOwn(parts, step) ? parts[step] : undefined;
  }, value);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
