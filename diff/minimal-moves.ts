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
  const order = declared.filter((action) => remote.includes(action));
  const position = (action: number) => remote.indexOf(action);
  const [first] = order;
  if (first === undefined) return [];
  // No action can be moved to the first position. So the actions that stay must begin with the first one, or another action must precede
  // them, after which the first one can be moved.
  const starts = order.filter((action) => action === first || position(action) > 0);
  const fixed = starts
    .map((start) => findLongestRun(order.slice(order.indexOf(start)), position))
    .reduce((best, run) => (run.length > best.length ? run : best));

  const moves: Move[] = [];
  let previous: number | undefined;
  for (const action of order) {
    if (!fixed.includes(action)) {
      const after = previous ?? remote[position(fixed[0] ?? first) - 1];
      if (after !== undefined) moves.push({ action, after });
    }
    previous = action;
  }
  return moves;
}

/** The longest run that begins with the first action and appears in the remote list in the same order. */
function findLongestRun(order: readonly number[], position: (action: number) => number): number[] {
  const best = new Map<number, number[]>();
  for (const action of [...order].reverse()) {
    const later = order.filter((next) => position(next) > position(action));
    // Those that precede the action in the order have no run yet.
    const longest = later
      .map((next) => best.get(next) ?? [])
      .reduce((a, b) => (b.length > a.length ? b : a), []);
    best.set(action, [action, ...longest]);
  }
  return best.get(order[0] ?? NaN) ?? [];
}

/**
 * The remote order of the managed actions. A deleted action is reported by its own resource, and is no change of order.
 */
export function pickManagedOrder(managed: readonly number[], remote: readonly number[]): number[] {
  const present = managed.filter((action) => remote.includes(action));
  const order = remote.filter((action) => managed.includes(action));
  const unchanged = present.every((action, i) => order[i] === action);
  return unchanged ? [...managed] : [...order, ...managed.filter((action) => !remote.includes(action))];
}
