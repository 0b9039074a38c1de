/** How far the reading of a workspace is: one line that changes, on a terminal only. */
import type { Io } from "../io.js";

export interface ReadingProgress {
  readonly onObject: (type: string) => void;
  readonly end: () => void;
}

const FRAME_MS = 100;

export async function readingProgress(io: Io): Promise<ReadingProgress> {
  if (io.stderr.isTTY !== true || io.quiet === true)
    return { onObject: () => undefined, end: () => undefined };
  const { createLogUpdate } = await import("log-update");
  const update = createLogUpdate(io.stderr);
  const counts = new Map<string, number>();
  const draw = () =>
    update(`Reading: ${[...counts].map(([type, count]) => `${count} ${type}`).join(", ") || "..."}`);
  const ticker = setInterval(draw, FRAME_MS);
  draw();
  return {
    onObject: (type) => counts.set(type, (counts.get(type) ?? 0) + 1),
    end() {
      clearInterval(ticker);
      update.clear();
      update.done();
    },
  };
}
