/** Compares the times of two works in pairs of rounds, because other load on the machine disturbs both of a pair alike. */

type Work = () => Promise<unknown>;

export interface Pair {
  /** What is measured, and how many calls a round makes. */
  readonly what: string;
  readonly calls: number;
  readonly own: Work;
  /** The same without our code. */
  readonly bare: Work;
  /** The lowest ratio of the rates that is accepted. */
  readonly least?: number;
}

/** Measures and prints the calls per second of both. The process fails if ours are too few. */
export async function comparePair(
  { what, calls, own, bare, least = 0 }: Pair,
  rounds: number,
  warmUp = 1,
): Promise<void> {
  const pairs: { own: number; bare: number }[] = [];
  for (let round = -warmUp; round < rounds; round++) {
    const took = { own: 0, bare: 0 };
    // The order alternates, so that neither always runs on the warmer machine.
    for (const name of round % 2 === 0 ? (["bare", "own"] as const) : (["own", "bare"] as const)) {
      const began = performance.now();
      await { own, bare }[name]();
      took[name] = performance.now() - began;
    }
    if (round >= 0) pairs.push(took);
  }
  const ratio = computeMedian(pairs.map((took) => took.bare / took.own));
  const rateOf = (key: "own" | "bare") => {
    const rate = (calls * 1000) / computeMedian(pairs.map((took) => took[key]));
    return `${rate.toFixed(rate < 100 ? 1 : 0)}/s`;
  };
  process.stdout.write(`${what}: ${rateOf("own")}, bare ${rateOf("bare")}, ratio ${ratio.toFixed(2)}\n`);
  if (ratio >= least) return;
  process.stdout.write(`below the floor of ${least.toFixed(2)}\n`);
  process.exitCode = 1;
}

/** Keeps callers busy until as many calls were made. */
export async function callInParallel(
  calls: number,
  callers: number,
  call: () => Promise<unknown>,
): Promise<void> {
  let remaining = calls;
  const work = async () => {
    while (remaining-- > 0) await call();
  };
  await Promise.all(Array.from({ length: callers }, work));
}

export function computeMedian(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? NaN;
}
