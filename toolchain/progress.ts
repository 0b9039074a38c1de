/** Progress of a download, on a terminal and in a log. */
import { stripControls } from "../client/printable.js";
import { getDrawnWidth } from "../text/wrap.js";
import type { OnProgress, ToolchainEvent } from "./types.js";

/** Interval between counts in a log. */
const LOG_INTERVAL_MS = 20_000;
/** Interval between updates of the line on a terminal. */
const LIVE_INTERVAL_MS = 200;

/** Stream for progress, such as process.stderr. */
export interface ProgressStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Prints progress: one updated line on a terminal, a line at intervals in a log. */
export function createProgressPrinter(stream: ProgressStream, now: () => number = Date.now): OnProgress {
  const live = stream.isTTY === true;
  const began = now();
  const absences: string[] = [];
  let lastCount = began;
  let liveLine = false;
  let hasPrinted = false;

  const line = (text: string) => {
    stream.write(`${liveLine ? "\r\x1b[K" : ""}  ${stripControls(text)}\n`);
    liveLine = false;
    hasPrinted = true;
  };
  const step = (text: string) => {
    absences.splice(0).forEach(line);
    line(text);
    lastCount = now();
  };
  const count = (text: string) => {
    if (now() - lastCount < (live ? LIVE_INTERVAL_MS : LOG_INTERVAL_MS)) return;
    lastCount = now();
    const full = `${text} (${formatSeconds(now() - began)})`;
    if (!live) return line(full);
    stream.write(`\r\x1b[K  ${stripControls(full).slice(0, getDrawnWidth(stream) - 3)}`);
    liveLine = hasPrinted = true;
  };

  return (event: ToolchainEvent) => {
    switch (event.kind) {
      case "passed-over":
        // Absence is reported only when it causes work.
        if (event.absent) absences.push(`${event.way}: ${event.text}`);
        else line(`${event.way}: ${event.text}`);
        break;
      case "step":
      case "waiting":
        step(event.text);
        break;
      case "count":
        count(`${event.text}: ${event.done}${event.total ? ` of up to ${event.total}` : ""}`);
        break;
      case "ready":
        if (hasPrinted) line(`Pulumi ${event.text}`);
        break;
    }
  };
}

function formatSeconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
