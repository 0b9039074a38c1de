/** Shows the progress of reading a workspace. */
import type { ProgressEvent } from "../../../client/index.js";
import type { Io } from "../../terminal/io.js";
import type { Waiting } from "../../engine/progress/tally.js";
import { showFrames, type Frames } from "../../engine/progress/view.js";

export interface ReadingProgress {
  readonly onObject: (type: string) => void;
  /** A list was read completely. */
  readonly onList: (type: string, objects: number) => void;
  /** An event of the client, such as a wait for the rate limit. */
  readonly onClient: (event: ProgressEvent) => void;
  readonly end: () => void;
}

type Step = { readonly done: 1 } | { readonly listed: number } | { readonly waiting: Waiting };

export async function openReadingProgress(io: Io, now: () => number = Date.now): Promise<ReadingProgress> {
  const view = await showFrames(countFrames(now), io, now);
  return {
    onObject: () => view.onEvent({ done: 1 }),
    onList: (_type, listed) => view.onEvent({ listed }),
    onClient(event) {
      if (event.type !== "rate-limit-wait") return;
      const asked = event.asked ? { asked: true } : {};
      view.onEvent({ waiting: { until: event.resetAt.getTime(), requests: event.waiting, ...asked } });
    },
    end: () => view.end(),
  };
}

function countFrames(now: () => number): Frames<Step> {
  let done = 0;
  let total: number | undefined;
  let waiting: Waiting | undefined;
  return {
    onEvent(step) {
      if ("done" in step) [done, waiting] = [done + step.done, undefined];
      else if ("listed" in step) total = (total ?? 0) + step.listed;
      else waiting = step.waiting;
    },
    next() {
      if (waiting && waiting.until <= now()) waiting = undefined;
      // Lists also contain what the service created by itself; the remaining time is not known before all lists are read.
      const most = total === undefined ? undefined : Math.max(total, done);
      const tallied = { phase: "reading", done, total: most, failed: 0, running: [], waiting } as const;
      return { tallied, left: undefined, now: now() };
    },
  };
}
