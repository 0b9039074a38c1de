/** Decides whether the remaining requests suffice for a plan. */
import type { Count, RateLeft } from "../../../provider/index.js";

/** Default percentage of the limit that a run leaves for others. */
export const DEFAULT_RESERVE = 20;

export interface Budget {
  /** Requests that this command has made. */
  readonly made: Count;
  /** Requests that the plan takes. */
  readonly needed: Count;
  readonly left?: RateLeft;
  /** Requests that are reserved for others. */
  readonly reserve: number;
}

export type Sufficiency =
  | "enough"
  /** Not before the next window. */
  | "short"
  /** Not even in a full window. */
  | "too-much";

export function total({ reads, writes }: Count): number {
  return reads + writes;
}

export function reserveOf(left: RateLeft | undefined, percent: number): number {
  return left === undefined ? 0 : Math.floor((left.limit * percent) / 100);
}

export function sufficiency({ needed, left, reserve }: Budget): Sufficiency {
  const requests = total(needed);
  if (left === undefined || requests === 0 || requests <= left.remaining - reserve) return "enough";
  return requests <= left.limit - reserve ? "short" : "too-much";
}
