import { plain } from "../../client/printable.js";
import type { OnProgress, ToolchainEvent } from "./types.js";

/** Where nobody watches, a count is printed this often: enough to see that it lives, little enough for a log. */
const LOG_INTERVAL_MS = 20_000;
/** On a terminal one line is kept up to date. */
const LIVE_INTERVAL_MS = 200;

/** A place for progress; process.stderr is one. */
export interface ProgressStream {
  write(text: string): unknown;
  isTTY?: boolean;
  columns?: number;
}

/** Prints progress for people: one live line on a terminal, now and then a line in a log. */
export function progressPrinter(stream: ProgressStream, now: () => number = Date.now): OnProgress {
  const live = stream.isTTY === true;
  const began = now();
  const absences: string[] = [];
  let lastCount = began;
  let liveLine = false;
  let told = false;

  const line = (text: string) => {
    stream.write(`${liveLine ? "\r\x1b[K" : ""}  ${plain(text)}\n`);
    liveLine = false;
    told = true;
  };
  const step = (text: string) => {
    absences.splice(0).forEach(line);
    line(text);
    lastCount = now();
  };
  const count = (text: string) => {
    if (now() - lastCount < (live ? LIVE_INTERVAL_MS : LOG_INTERVAL_MS)) return;
    lastCount = now();
    const full = `${text} (${seconds(now() - began)})`;
    if (!live) return line(full);
    stream.write(`\r\x1b[K  ${plain(full).slice(0, (stream.columns ?? 80) - 3)}`);
    liveLine = told = true;
  };

  return (event: ToolchainEvent) => {
    switch (event.kind) {
      case "passed-over":
        // That nothing is there is worth a word only if it leads to work.
        if (event.absent) absences.push(`${event.way}: ${event.text}`);
        else line(`${event.way}: ${event.text}`);
        break;
      case "step":
        step(event.text);
        break;
      case "count":
        count(`${event.text}: ${event.done}${event.total ? ` of up to ${event.total}` : ""}`);
        break;
      case "waiting":
        step(event.text);
        break;
      case "ready":
        if (told) line(`Pulumi ${event.text}`);
        break;
    }
  };
}

function seconds(milliseconds: number): string {
  return `${Math.round(milliseconds / 1000)} s`;
}
