/** Compares the times of two works in pairs of rounds, because other load on the machine disturbs both of a pair alike. */

type Work = () => unknown;

export interface Comparison {
  /** Medians, in milliseconds. */
  readonly own: number;
  readonly bare: number;
  /** Median of the ratios of the pairs: how many times as long as the bare work ours takes. */
  readonly ratio: number;
}

/** @param warmUp rounds that do not count */
export async function measureInPairs(
  works: { readonly own: Work; readonly bare: Work },
  rounds: number,
  warmUp = 1,
): Promise<Comparison> {
  const pairs: Comparison[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const took = { own: 0, bare: 0 };
    // The order alternates, so that neither always runs on the warmer machine.
    for (const name of round % 2 === 0 ? (["bare", "own"] as const) : (["own", "bare"] as const)) {
      const began = performance.now();
      await works[name]();
      took[name] = performance.now() - began;
    }
    if (round >= 0) pairs.push({ ...took, ratio: took.own / took.bare });
  }
  const medianOf = (key: keyof Comparison) => computeMedian(pairs.map((pair) => pair[key]));
  return { own: medianOf("own"), bare: medianOf("bare"), ratio: medianOf("ratio") };
}

export function computeMedian(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
