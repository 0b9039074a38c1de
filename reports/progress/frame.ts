/** Renders the progress of an operation: lines for a terminal of any width, and a single line for a log, with an estimate of the time left. */
import type { Frame, Running } from "../../automation/progress/tally.js";
import { stripControls } from "../../client/printable.js";
import { formatCount } from "../../diff/format-count.js";
import { formatAboutTime, formatCountdown } from "../../text/clock.js";
import type { Io } from "../io.js";

const WORDS = {
  starting: "Starting",
  reading: "Reading",
  comparing: "Comparing",
  changing: "Applying",
} as const;
const SYMBOLS: Partial<Record<Running["operation"], string>> = {
  create: "+",
  adopt: "=",
  update: "~",
  delete: "-",
};

/** Operations that take longer than this are named; shorter ones would only flicker. */
const SLOW_MS = 1500;
const NAMED = 4;
const BAR = 24;
/** Minimum width for a bar, and minimum height for names. */
const NARROW = 60;

/** Renders the progress for a terminal; no line exceeds its width. */
export function drawFrame(
  frame: Frame,
  { columns, colors }: { columns: number; colors: Io["colors"] },
): string {
  const { tallied, now } = frame;
  const { total, done } = tallied;
  const bar =
    total === undefined || total === 0 || columns < NARROW ? "" : `${drawBar(done / total, colors)} `;
  // Color codes have no width, so the text is truncated before it is colored.
  const head = cut(drawHead(frame), columns - 1 - (bar === "" ? 0 : BAR + 1));
  const slow = tallied.running.filter(({ since }) => now - since >= SLOW_MS);
  const named = slow.slice(0, NAMED).map((one) => colors.dim(drawRunningLine(one, now, columns - 1)));
  const more = slow.length - NAMED;
  const rest = more > 0 ? [colors.dim(`  and ${more} more`)] : [];
  const waits = waitLine(frame);
  const wait = waits === "" ? [] : [colors.yellow(cut(waits, columns - 1))];
  return [`${bar}${head}`, ...wait, ...named, ...rest].join("\n");
}

/** Renders the progress as one line for a log. */
export function logLine(frame: Frame): string {
  return [drawHead(frame), drawLateLine(frame), waitLine(frame)].filter((part) => part !== "").join("; ");
}

/** A log names what takes about as long as the time between two of its lines. */
const LATE_MS = 8000;

/** `Group groups/QA takes 12 s (and 2 more)` */
function drawLateLine({ tallied: { running }, now }: Frame): string {
  const [first, ...others] = running.filter(({ since }) => now - since >= LATE_MS);
  if (first === undefined) return "";
  const more = others.length > 0 ? ` (and ${others.length} more)` : "";
  return `${first.type} ${stripControls(first.name)} takes ${formatSeconds(now - first.since)}${more}`;
}

function formatSeconds(milliseconds: number): string {
  return `${Math.floor(milliseconds / 1000)} s`;
}

/** `Applying: 212 of 500, 1 failed, about 40 s left` */
function drawHead({ tallied: { phase, done, total, failed, waiting, slow }, left }: Frame): string {
  if (phase === "starting") return "Starting ...";
  const parts = [
    total === undefined ? formatCount(done, "object") : `${done} of ${total}`,
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(left === undefined || waiting || slow || done === total
      ? []
      : [`about ${formatAboutTime(left)} left`]),
    // Pulumi still writes the state after the last object.
    ...(done === total && phase === "changing" ? ["saving"] : []),
  ];
  return `${WORDS[phase]}: ${parts.join(", ")}`;
}

function waitLine({ tallied: { waiting, slow }, now }: Frame): string {
  if (waiting === undefined) return slow ?? "";
  const { requests, until, asked } = waiting;
  const why = asked ? "the service asks for a pause" : "the hourly rate limit is reached";
  const what = requests === 1 ? "1 request waits" : `${requests} requests wait`;
  return `${why}: ${what}, resuming in ${formatCountdown(until - now)}`;
}

function drawBar(share: number, { green, dim }: Io["colors"]): string {
  const full = Math.min(BAR, Math.round(share * BAR));
  return green("━".repeat(full)) + dim("─".repeat(BAR - full));
}

function drawRunningLine({ operation, type, name, since }: Running, now: number, width: number): string {
  const took = `  ${formatSeconds(now - since)}`;
  const start = `  ${SYMBOLS[operation] ?? "·"} ${type}  `;
  const room = width - start.length - took.length;
  const line = stripControls(name);
  return room < 8 ? cut(`${start}${line}`, width) : `${start}${cutStart(line, room)}${took}`;
}

function cut(text: string, width: number): string {
  return text.length <= width ? text : `${text.slice(0, Math.max(0, width - 1))}…`;
}

/** Truncates at the start, because the end of a path says most. */
function cutStart(text: string, width: number): string {
  return text.length <= width ? text : `…${text.slice(text.length - width + 1)}`;
}
