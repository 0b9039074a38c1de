/** Bringing a list into an order with the fewest moves, where a move can only say "after which one". */

export interface Move {
  readonly action: number;
  readonly after: number;
}

/**
 * The moves that bring the wanted actions into their order, to be made one after the other.
 * Actions of the live list that are not wanted stay where they are; wanted ones that are not live are left out.
 */
export function fewestMoves(live: readonly number[], wanted: readonly number[]): Move[] {
  const order = wanted.filter((action) => live.includes(action));
  const place = (action: number) => live.indexOf(action);
  const [first] = order;
  if (first === undefined) return [];
  // Nothing can be placed first. So what stays must begin with the first action, or have something before it in the
  // list that the first action can be placed after.
  const starts = order.filter((action) => action === first || place(action) > 0);
  const kept = starts
    .map((start) => longestKept(order.slice(order.indexOf(start)), place))
    .reduce((best, run) => (run.length > best.length ? run : best));

  const moves: Move[] = [];
  let previous: number | undefined;
  for (const action of order) {
    if (!kept.includes(action)) {
      const after = previous ?? live[place(kept[0] ?? first) - 1];
      if (after !== undefined) moves.push({ action, after });
    }
    previous = action;
  }
  return moves;
}

/** The longest run that begins with the first action and appears in the live list in the same order. */
function longestKept(order: readonly number[], place: (action: number) => number): number[] {
  const best = new Map<number, number[]>();
  for (const action of [...order].reverse()) {
    const later = order.slice(order.indexOf(action) + 1).filter((next) => place(next) > place(action));
    const longest = later
      .map((next) => best.get(next) ?? [])
      .reduce((a, b) => (b.length > a.length ? b : a), []);
    best.set(action, [action, ...longest]);
  }
  return best.get(order[0] ?? NaN) ?? [];
}

/**
 * The order as the live list shows it, on the actions that are managed. One that is gone is reported by its own
 * resource, and is no change of order.
 */
export function orderSeen(managed: readonly number[], live: readonly number[]): number[] {
  const present = managed.filter((action) => live.includes(action));
  const seen = live.filter((action) => managed.includes(action));
  const unchanged = present.every((action, i) => seen[i] === action);
  return unchanged ? [...managed] : [...seen, ...managed.filter((action) => !live.includes(action))];
}
