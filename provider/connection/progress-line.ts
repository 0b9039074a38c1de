/** Says in one line what a client waits for. */
import type { ProgressEvent, RateLimitWait, RetryEvent, SlowResponse } from "../../client/index.js";

/** How a line begins that says that the service takes its time; progress shows the rest of it. */
export const WAITING_FOR_SERVICE = "waiting for the service: ";

/** Lines of requests that wait at the same time say the same, so only the first is printed. */
const EVERY_MS = 4_000;

/** Returns a listener that prints a line for waits that people notice. */
export function createWaitPrinter(
  print: (line: string) => void,
  now: () => number = Date.now,
): (event: ProgressEvent) => void {
  let last = -Infinity;
  return (event) => {
    if (event.type === "rate-limit-wait") return print(formatRateLimitWait(event));
    // Other failures take a moment only.
    if ((event.type === "retry" && event.reason !== "timeout") || now() - last < EVERY_MS) return;
    last = now();
    print(WAITING_FOR_SERVICE + formatSlowness(event));
  };
}

function formatRateLimitWait(event: RateLimitWait): string {
  const { resetAt, remainingMs, waiting, asked } = event;
  const why = asked ? "the service asks for a pause" : "rate limit reached";
  return `${why}: ${waiting} requests wait ${seconds(remainingMs)}, until ${resetAt.toISOString()}${formatLimit(event)}`;
}

/** When a request fails instead of waiting for one more pause. That of the hour's limit has a known end. */
export function formatLimit({ mostMs }: RateLimitWait): string {
  return mostMs === undefined ? "" : ` (a request gives up after ${seconds(mostMs)} of pauses)`;
}

/** `no response for 10 s to PATCH /workspaces/acme/groups/3 (attempt 1 of 5, which ends within 60 s)` */
export function formatSlowness(event: SlowResponse | RetryEvent): string {
  const { method, path, attempt, attempts } = event;
  const which = `attempt ${attempt} of ${attempts}`;
  if (event.type === "retry")
    return `no response in time to ${method} ${path}, ${which} in ${seconds(event.waitMs)}`;
  const what = event.hasBegun ? "no complete response for" : "no response for";
  return `${what} ${seconds(event.waitedMs)} to ${method} ${path} (${which}, which ends within ${seconds(event.leftMs)})`;
}

function seconds(milliseconds: number): string {
  return `${Math.ceil(milliseconds / 1000)} s`;
}
