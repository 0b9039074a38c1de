/** Reports that a response is late, so that nobody waits without a word. */

export interface SlowResponse {
  type: "slow-response";
  method: string;
  path: string;
  /** 1 is the first. */
  attempt: number;
  /** Number of attempts after which the request fails. */
  attempts: number;
  waitedMs: number;
  /** Milliseconds until this attempt is given up, at the latest. */
  leftMs: number;
}

/** A response that takes longer is late, which is reported again each time after as long. */
const SLOW_MS = 5_000;

/** @param patienceMs time after which the attempt is given up @returns what ends the watch */
export function watchResponse(
  request: Pick<SlowResponse, "method" | "path" | "attempt" | "attempts">,
  patienceMs: number,
  report: (event: SlowResponse) => void,
): () => void {
  const { method, path, attempt, attempts } = request;
  let waitedMs = 0;
  const timer = setInterval(() => {
    waitedMs += SLOW_MS;
    const leftMs = Math.max(0, patienceMs - waitedMs);
    report({ type: "slow-response", method, path, attempt, attempts, waitedMs, leftMs });
  }, SLOW_MS);
  timer.unref();
  return () => clearInterval(timer);
}
