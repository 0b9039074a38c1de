/** Whether the hour's requests suffice for a plan: pure. */
import type { Count, RateLeft } from "../../../provider/index.js";

/** Percent of the hour's requests that a run leaves for others, unless told otherwise. */
export const DEFAULT_RESERVE = 20;

export interface Budget {
  /** Requests that this command has made so far. */
  readonly made: Count;
  /** Requests that carrying the plan out takes. */
  readonly needed: Count;
  readonly left?: RateLeft;
  /** Requests that are left for others. */
  readonly reserve: number;
}

export type Sufficiency =
  | "enough"
  /** Not now, but when the next hour begins. */
  | "short"
  /** Not even then. */
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
