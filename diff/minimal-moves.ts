/** Computes the fewest moves that reorder a list, where a move names the preceding item. */

export interface Move {
  readonly action: number;
  readonly after: number;
}

/**
 * The moves that sort the declared actions, in the order in which they must be made. Unmanaged actions of the remote list stay where
 * they are. Declared actions that are not in it are ignored.
 */
export function findFewestMoves(remote: readonly number[], declared: readonly number[]): Move[] {
  const positions = indexPositions(remote);
  const order = declared.filter((action) => positions.has(action));
  const [first] = order;
  if (first === undefined) return [];
  const position = (action: number) => positions.get(action) ?? 0;
  const [anchor = first, ...rest] = findLongestRun(order, position);
  const fixed = new Set([anchor, ...rest]);

  const moves: Move[] = [];
  let previous: number | undefined;
  for (const action of order) {
    if (!fixed.has(action)) {
      const after = previous ?? remote[position(anchor) - 1];
      if (after !== undefined) moves.push({ action, after });
    }
    previous = action;
  }
  return moves;
}

/** The positions of the items of a list. */
function indexPositions(list: readonly number[]): ReadonlyMap<number, number> {
  // Of an item that is in the list twice, the first position counts.
  return new Map(list.map((item, index) => [item, index] as const).reverse());
}

/**
 * The longest run of actions that appears in the remote list in the same order. Of several, the one whose actions come first.
 *
 * No action can be moved to the first position. So the run must begin with the first action, or another action must precede it in the
 * remote list, after which the first one can be moved.
 *
 * It is a longest increasing subsequence, read from the end, in n log n. Of the runs of one length, the one that begins first also begins
 * furthest back in the remote list: otherwise it could precede the other one, and they would differ in length.
 */
function findLongestRun(order: readonly number[], position: (action: number) => number): number[] {
  interface Run {
    readonly action: number;
    readonly length: number;
    readonly next: Run | undefined;
  }
  /** By length: the run that begins first. */
  const runs: Run[] = [];
  let longest: Run | undefined;
  for (const [index, action] of [...order.entries()].reverse()) {
    const longer = countWhile(runs, (run) => position(run.action) > position(action));
    const run = { action, length: longer + 1, next: runs[longer - 1] };
    runs[longer] = run;
    const mayBegin = index === 0 || position(action) > 0;
    if (mayBegin && run.length >= (longest?.length ?? 0)) longest = run;
  }
  const found: number[] = [];
  for (let run = longest; run !== undefined; run = run.next) found.push(run.action);
  return found;
}

/** How many items at the beginning of a list have a property that no later one has, found by bisection. */
function countWhile<T>(list: readonly T[], has: (item: T) => boolean): number {
  let [low, high] = [0, list.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (has(list[middle] as T)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * The remote order of the managed actions. A deleted action is reported by its own resource, and is no change of order.
 */
export function pickManagedOrder(managed: readonly number[], remote: readonly number[]): number[] {
  const [isManaged, isPresent] = [new Set(managed), new Set(remote)];
  const present = managed.filter((action) => isPresent.has(action));
  const order = remote.filter((action) => isManaged.has(action));
  const unchanged = present.every((action, i) => order[i] === action);
  return unchanged ? [...managed] : [...order, ...managed.filter((action) => !isPresent.has(action))];
}
