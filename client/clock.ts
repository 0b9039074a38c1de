/** The clock of the client, which tests replace. */
import { setTimeout as delay } from "node:timers/promises";

/** Clock of the library, which tests replace by a faster one. */
/** A signal that aborts with the first of two. */
export function joinSignals(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Resolves after that time, or rejects with the signal's reason. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (ms, signal) => {
    try {
      await delay(ms, undefined, signal ? { signal } : {});
    } catch (error) {
      throw signal?.aborted ? signal.reason : error;
    }
  },
};
