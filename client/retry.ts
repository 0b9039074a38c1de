/** Options for repeated requests. All waits are jittered: between half and all of the exponential step. */
export interface RetryOptions {
  /** Maximum number of repetitions after the first attempt. Default 4; 0 for none. */
  limit?: number;
  /** First step in milliseconds. Default 250. */
  baseMs?: number;
  /** Longest step in milliseconds. Default 8000. */
  maxMs?: number;
}

export type RetryPolicy = Required<RetryOptions>;

export function retryPolicy(options: RetryOptions = {}): RetryPolicy {
  return { limit: 4, baseMs: 250, maxMs: 8000, ...options };
}

/** Milliseconds before the given repetition (1 is the first). */
export function computeBackoffMs(
  policy: RetryPolicy,
  repetition: number,
  random: () => number = Math.random,
): number {
  const step = Math.min(policy.maxMs, policy.baseMs * 2 ** (repetition - 1));
  return Math.round(step * (0.5 + random() / 2));
}
