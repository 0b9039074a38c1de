/** Waiting for the next hour's requests. */
import { setTimeout as sleep } from "node:timers/promises";
import { createLogUpdate } from "log-update";
import { note, type Io } from "../io.js";

const TICK_MS = 1000;
/** Where nobody watches, a line from time to time. */
const TELL_EVERY_MS = 60_000;

/** Waits, and says for how much longer. */
export async function waitUntil(when: Date, why: string, io: Io): Promise<void> {
  const update = io.stderr.isTTY ? createLogUpdate(io.stderr as NodeJS.WriteStream) : undefined;
  let told = -Infinity;
  for (let left = when.getTime() - Date.now(); left > 0; left = when.getTime() - Date.now()) {
    const line = `${why}: waiting ${minutes(left)}, until ${when.toTimeString().slice(0, 8)}`;
    if (update) update(line);
    else if (Date.now() - told >= TELL_EVERY_MS) {
      note(io, line);
      told = Date.now();
    }
    await sleep(Math.min(TICK_MS, left));
  }
  update?.clear();
}

function minutes(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
