/** Tests diff/minimal-moves.ts. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findFewestMoves, type Move, pickManagedOrder } from "../../diff/minimal-moves.js";

/** Simulates the service's handling of `after_action_id`. */
function carryOut(live: readonly number[], moves: readonly Move[]): number[] {
  return moves.reduce(
    (order, { action, after }) => {
      const rest = order.filter((other) => other !== action);
      rest.splice(rest.indexOf(after) + 1, 0, action);
      return rest;
    },
    [...live],
  );
}

/**
 * The same by definition: of all runs that may stay, the longest, and of several, the first. It takes the fourth power of the number of
 * actions.
 */
function findMovesSlowly(remote: readonly number[], declared: readonly number[]): Move[] {
  const order = declared.filter((action) => remote.includes(action));
  const position = (action: number) => remote.indexOf(action);
  const longestFrom = (start: number): number[] => {
    const later = order.slice(order.indexOf(start)).filter((next) => position(next) > position(start));
    return [
      start,
      ...later.map(longestFrom).reduce((best, run) => (run.length > best.length ? run : best), []),
    ];
  };
  const fixed = order
    .filter((action, index) => index === 0 || position(action) > 0)
    .map(longestFrom)
    .reduce((best, run) => (run.length > best.length ? run : best), []);
  return order.flatMap((action, index) => {
    const after = order[index - 1] ?? remote[position(fixed[0] ?? NaN) - 1];
    return fixed.includes(action) || after === undefined ? [] : [{ action, after }];
  });
}

/** An action that no file declares, so it is not moved. */
const UNMANAGED = 9;

/** All orders that one move of a managed action makes. */
function afterOneMove(order: readonly number[]): number[][] {
  const pairs = order.flatMap((action) => order.map((after) => ({ action, after })));
  return pairs
    .filter(({ action, after }) => action !== after && action !== UNMANAGED)
    .map((move) => carryOut(order, [move]));
}

function permutations(items: readonly number[]): number[][] {
  if (items.length === 0) return [[]];
  return items.flatMap((item) =>
    permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]),
  );
}

describe("minimal moves of actions", () => {
  it("move nothing in an equal order", () => {
    expect(findFewestMoves([1, 2, 3], [1, 2, 3])).toEqual([]);
  });

  it("move one action back after a single move", () => {
    expect(findFewestMoves([1, 3, 4, 2], [1, 2, 3, 4])).toEqual([{ action: 2, after: 1 }]);
  });

  it("never move an action to the first position, but move the others behind it", () => {
    expect(findFewestMoves([1, 2, 3], [3, 1, 2])).toEqual([
      { action: 1, after: 3 },
      { action: 2, after: 1 },
    ]);
  });

  it("use an unmanaged first action to place another one before the rest", () => {
    expect(findFewestMoves([9, 1, 2, 3], [3, 1, 2])).toEqual([{ action: 3, after: 9 }]);
  });

  it("leave out a declared action that no longer exists", () => {
    expect(findFewestMoves([1, 2], [2, 7, 1])).toEqual([{ action: 1, after: 2 }]);
  });

  it("keep the longest run in place, wherever it is", () => {
    expect(findFewestMoves([1, 4, 5, 3, 2], [1, 2, 3, 4, 5])).toEqual([
      { action: 2, after: 1 },
      { action: 3, after: 2 },
    ]);
  });

  it("are the fewest: no shorter series of moves leads to the declared order", () => {
    const declared = [1, 2, 3, 4];
    const isDone = (order: readonly number[]) =>
      order.filter((action) => action !== UNMANAGED).join() === declared.join();
    for (const remote of permutations([...declared, UNMANAGED])) {
      let reachable = [remote];
      let fewest = 0;
      for (; !reachable.some(isDone); fewest++) reachable = reachable.flatMap((order) => afterOneMove(order));
      expect(findFewestMoves(remote, declared), `from ${remote.join()}`).toHaveLength(fewest);
    }
  });

  const lists = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 12 }).chain((live) =>
    fc.record({
      live: fc.constant(live),
      wanted: fc.shuffledSubarray(live),
    }),
  );

  it("reach the declared order from any other, without a change in the order of unmanaged actions", () => {
    fc.assert(
      fc.property(lists, ({ live, wanted }) => {
        const after = carryOut(live, findFewestMoves(live, wanted));
        const others = (list: readonly number[]) => list.filter((action) => !wanted.includes(action));
        expect(after.filter((action) => wanted.includes(action))).toEqual(wanted);
        expect(others(after)).toEqual(others(live));
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it("are those of the definition, also with actions that are unmanaged or missing", () => {
    const ids = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 9 });
    fc.assert(
      fc.property(ids, ids, (live, wanted) => {
        expect(findFewestMoves(live, wanted)).toEqual(findMovesSlowly(live, wanted));
      }),
      { seed: 7, numRuns: 3_000 },
    );
  });

  it("are found among very many actions", () => {
    const live = Array.from({ length: 20_000 }, (_, index) => index + 1);
    const backwards = live.toReversed();
    expect(findFewestMoves(live, live)).toHaveLength(0);
    expect(findFewestMoves(live, backwards)).toHaveLength(live.length - 1);
    expect(pickManagedOrder(backwards, live)[0]).toBe(1);
  });

  it("move no action twice, and leave at least one in place", () => {
    fc.assert(
      fc.property(lists, ({ live, wanted }) => {
        const moved = findFewestMoves(live, wanted).map((move) => move.action);
        expect(new Set(moved).size).toBe(moved.length);
        expect(moved.length).toBeLessThanOrEqual(Math.max(0, wanted.length - 1));
      }),
      { seed: 7, numRuns: 500 },
    );
  });
});

describe("the order after a refresh", () => {
  it("is unchanged when an action was deleted, since that is the action's own drift", () => {
    expect(pickManagedOrder([1, 2, 3], [1, 3])).toEqual([1, 2, 3]);
  });

  it("is the remote one when actions were moved by hand", () => {
    expect(pickManagedOrder([1, 2, 3], [9, 3, 1, 2])).toEqual([3, 1, 2]);
    expect(pickManagedOrder([1, 2, 3], [9, 1, 3, 2])).toEqual([1, 3, 2]);
  });

  it("ends with the deleted actions when others were moved, too", () => {
    expect(pickManagedOrder([1, 2, 3], [3, 1])).toEqual([3, 1, 2]);
  });
});
