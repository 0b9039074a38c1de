/** Waits for the next window of the rate limit. */
import { setTimeout as sleep } from "node:timers/promises";
import { liveText, note, type Io } from "../../terminal/io.js";

const TICK_MS = 1000;
/** Interval between lines without a terminal. */
const NOTE_EVERY_MS = 60_000;

/** Waits and reports the remaining time. */
export async function waitUntil(when: Date, why: string, io: Io): Promise<void> {
  const live = io.stderr.isTTY ? await liveText(io) : undefined;
  let lastNote = -Infinity;
  for (let left = when.getTime() - Date.now(); left > 0; left = when.getTime() - Date.now()) {
    const line = `${why}: waiting ${minutes(left)}, until ${when.toTimeString().slice(0, 8)}`;
    if (live) live.show(line);
    else if (Date.now() - lastNote >= NOTE_EVERY_MS) {
      note(io, line);
      lastNote = Date.now();
    }
    await sleep(Math.min(TICK_MS, left));
  }
  live?.clear();
}

function minutes(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
