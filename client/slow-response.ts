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
  /** Whether a part of the response has arrived. */
  hasBegun: boolean;
}

/** A response that takes longer is late, which is reported again each time after as long. */
const SLOW_MS = 5_000;

interface Watch {
  /** Call it when the response has begun. */
  begin: () => void;
  end: () => void;
}

/**
 * @param patienceMs time after which the attempt is given up
 * @param answerMs the same from the beginning of the response
 */
export function watchResponse(
  request: Pick<SlowResponse, "method" | "path" | "attempt" | "attempts">,
  { patienceMs, answerMs }: { readonly patienceMs: number; readonly answerMs: number },
  report: (event: SlowResponse) => void,
): Watch {
  const { method, path, attempt, attempts } = request;
  let waitedMs = 0;
  let endMs = patienceMs;
  let hasBegun = false;
  const timer = setInterval(() => {
    waitedMs += SLOW_MS;
    const leftMs = Math.max(0, endMs - waitedMs);
    report({ type: "slow-response", method, path, attempt, attempts, waitedMs, leftMs, hasBegun });
  }, SLOW_MS);
  timer.unref();
  const begin = () => {
    hasBegun = true;
    endMs = waitedMs + SLOW_MS + answerMs;
  };
  return { begin, end: () => clearInterval(timer) };
}
