/** Provides random choices that a seed reproduces. */

export interface Random {
  /** Returns a whole number from 0 to below `end`. */
  below(end: number): number;
  between(least: number, most: number): number;
  /** Returns true with the given probability. */
  chance(share: number): boolean;
  pick<T>(items: readonly T[]): T;
  /** Selects some of the items in their order. */
  some<T>(items: readonly T[], share: number): T[];
  shuffled<T>(items: readonly T[]): T[];
}

/** Implements Mulberry32. */
export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  const below = (end: number) => Math.floor(next() * end);
  return {
    below,
    between: (least, most) => least + below(most - least + 1),
    chance: (share) => next() < share,
    pick: (items) => items[below(items.length)] as never,
    some: (items, share) => items.filter(() => next() < share),
    shuffled: (items) =>
      items
        .map((item) => [next(), item] as const)
        .sort(([a], [b]) => a - b)
        .map(([, item]) => item),
  };
}
