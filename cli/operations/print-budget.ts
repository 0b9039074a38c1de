/** Prints the request budget of a plan, and waits for more requests. */
import { type Budget, formatBudget } from "../../automation/policy/request-budget.js";
import { note } from "../../automation/port.js";
import { waitUnlessAborted, withStop } from "../../automation/stack/interrupt.js";
import { type Io, type LiveText, openLiveText, print } from "../../reports/io.js";
import { formatClock } from "../../text/clock.js";

export function printBudget(budget: Budget, io: Io): void {
  print(io, io.colors.dim(`Requests: ${formatBudget(budget, formatClock)}`));
}

const TICK_MS = 1000;
/** Interval between lines without a terminal. */
const NOTE_EVERY_MS = 10_000;

/** Waits and reports the remaining time. @throws {AutomationError} when it is interrupted */
export async function waitUntil(when: Date, why: string, io: Io): Promise<void> {
  const live = io.stderr.isTTY ? await openLiveText(io) : undefined;
  await withStop(io, (signal) => countDown(when, why, io, live, signal)).finally(() => live?.clear());
}

async function countDown(
  when: Date,
  why: string,
  io: Io,
  live: LiveText | undefined,
  signal: AbortSignal,
): Promise<void> {
  let lastNote = -Infinity;
  for (let left = when.getTime() - Date.now(); left > 0; left = when.getTime() - Date.now()) {
    const line = `${why}: waiting ${formatMinutes(left)}, until ${formatClock(when)}`;
    if (live) live.show(line);
    else if (Date.now() - lastNote >= NOTE_EVERY_MS) {
      note(io, line);
      lastNote = Date.now();
    }
    await waitUnlessAborted(new Promise((resolve) => setTimeout(resolve, Math.min(TICK_MS, left))), signal);
    signal.throwIfAborted();
  }
}

function formatMinutes(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
