/** Matches the items that two lists have in common. */

export interface CommonItem {
  /** Index in the old list. */
  readonly old: number;
  /** Index in the new list. */
  readonly fresh: number;
}

/** Returns the longest common subsequence of items. */
export function matchCommonItems<A, B>(
  before: readonly A[],
  after: readonly B[],
  isSame: (old: A, fresh: B) => boolean,
): CommonItem[] {
  const same = before.map((a) => after.map((b) => isSame(a, b)));
  const longest = Array.from({ length: before.length + 1 }, () =>
    new Array<number>(after.length + 1).fill(0),
  );
  const at = (i: number, j: number) => longest[i]?.[j] ?? 0;
  for (let i = before.length - 1; i >= 0; i -= 1)
    for (let j = after.length - 1; j >= 0; j -= 1)
      longest[i]![j] = same[i]?.[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  const found: CommonItem[] = [];
  for (let i = 0, j = 0; i < before.length && j < after.length;) {
    if (same[i]?.[j]) found.push({ old: i++, fresh: j++ });
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
  }
  return found;
}
