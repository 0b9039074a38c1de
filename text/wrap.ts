/** Wraps texts at words to the width of a terminal. */
import { wrapAnsi } from "fast-wrap-ansi";

/** A stream that may be a terminal. */
interface Screen {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/** Width to which texts are wrapped: a log has none, nor has a terminal of a job that says it is 0 columns wide. */
export function getWidth({ isTTY, columns }: Screen): number {
  return isTTY !== true || columns === 0 ? Infinity : (columns ?? 80);
}

/** Width of what is drawn in place, such as a progress bar. */
export function getDrawnWidth({ columns }: Screen): number {
  return columns === undefined || columns === 0 ? 80 : columns;
}

/** Wraps a text at words. A longer word loses its middle, which says least. */
export function wrapText(text: string, width: number): string[] {
  if (width === Infinity) return [text];
  const room = Math.max(width, NARROWEST);
  const words = text.replace(/[^ ]+/g, (word) => (word.length <= room ? word : withoutMiddle(word, room)));
  // No line begins with the sign between two items.
  return wrapAtWords(words.replaceAll(" · ", `${GLUE}· `), room);
}

/** Wraps the lines of a message. What may be copied stays whole, even if it is wider: long words, quoted texts, commands. */
export function wrapLines(text: string, width: number): string {
  if (width === Infinity) return text;
  return text
    .split("\n")
    .map((line) => wrapLine(line, width))
    .join("\n");
}

function wrapLine(line: string, width: number): string {
  const [indent = ""] = /^ */.exec(line) ?? [];
  const whole = line.slice(indent.length).replace(COPIED, (part) => part.replaceAll(" ", GLUE));
  const inner = `${indent}  `;
  const room = Math.max(width - inner.length, NARROWEST);
  const [first = "", ...others] = wrapAtWords(whole, room);
  // Only continued lines are indented more.
  return others.length === 0 || wrapAtWords(whole, width - indent.length).length === 1
    ? line
    : [`${indent}${first}`, ...others.map((other) => `${inner}${other}`)].join("\n");
}

function wrapAtWords(text: string, width: number): string[] {
  return wrapAnsi(text, width, { trim: true }).replaceAll(GLUE, " ").split("\n");
}

/** Continues what is longer than the terminal is wide, wherever that is: a difference loses nothing. */
export function cutLines(line: string, width: number): string[] {
  return width === Infinity ? [line] : wrapAnsi(line, width, { hard: true, trim: false }).split("\n");
}

const NARROWEST = 20;
/** A blank at which no line is broken. */
const GLUE = "\u00a0";
/** Quoted texts, and the command at the end of a line. */
const COPIED = /"[^"]*"|(?<=: |^)workspacectl .*$/g;

function withoutMiddle(word: string, room: number): string {
  // Color codes must stay whole.
  if (word.includes("\u001b")) return word;
  const end = Math.floor((room - 1) / 2);
  return `${word.slice(0, room - 1 - end)}…${word.slice(-end)}`;
}
